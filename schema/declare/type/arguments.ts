// What a tool takes: always one object, which a call may sometimes leave out.
import { noted, OPEN_OBJECT, type Type, union } from './ast.ts';

/** What a tool takes: the type of its one argument and whether that may be left out, or why it cannot be called. */
export const argumentsOf = (type: Type): { type: Type; note: string } | { reason: string } => {
  const objects = (each: Type): Type | undefined => {
    switch (each.kind) {
      case 'object':
      case 'named':
        return each;
      case 'unknown':
      case 'any':
        return OPEN_OBJECT;
      case 'noted': {
        const inner = objects(each.type);
        return inner === undefined ? undefined : noted(each.note, inner);
      }
      case 'union': {
        const fits = each.members.map(objects).filter((member) => member !== undefined);
        return fits.length === 0 ? undefined : union(fits, each.hint);
      }
      case 'intersection':
        return each.members.every((member) => objects(member) !== undefined) ? each : undefined;
      default:
        return undefined;
    }
  };
  const found = objects(type);
  if (found === undefined) return { reason: `its inputSchema is of type ${type.kind}; arguments are always an object` };
  return found.kind === 'noted' ? { type: found.type, note: found.note } : { type: found, note: '' };
};

/** Whether a call may come without its argument. */
export const allowsNothing = (type: Type): boolean => {
  if (type.kind === 'object') return type.properties.every((property) => property.optional);
  if (type.kind === 'noted') return allowsNothing(type.type);
  if (type.kind === 'named') return allowsNothing(type.definition.type);
  if (type.kind === 'union') return type.members.some(allowsNothing);
  return type.kind === 'intersection' ? type.members.every(allowsNothing) : false;
};

/** Whether it is an object that can only be empty. */
export const takesNothing = (type: Type): boolean =>
  type.kind === 'object' && type.closed && type.properties.length === 0 && type.index === undefined;
