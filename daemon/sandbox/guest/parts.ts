// Content parts of MCP as a script has them: known by their form, handed to the agent, named in texts. Runs inside the guest.
import type { PartKind, PartLimits, partLabel } from '../../../schema/part.ts';

export interface PartHost {
  /**
   * Hands one content part (JSON) to the agent: now, or with the value that is being written (`hold`). Gives its number
   * among those of its type; 0 where it is none after all; below 0 where the run has handed out all that it may.
   */
  emit(json: string, hold: boolean): number;
}

export interface GuestParts {
  /** Cheap, and true of every part; what it gives a kind for may still be none, which the host finds. */
  kindOf(value: object): PartKind | undefined;
  /** The label alone. */
  label(value: object): string;
  /** Hands it out with the value that is being written; undefined where it is no part. A label says so where it may not. */
  hold(value: object): string | undefined;
  /**
   * `emit`: hands out now a part, the parts of a `{content}`, those of a list, or the text of any other value.
   * @param write the text of a value; parts in it are held meanwhile and follow it
   */
  emit(value: unknown, write: (value: unknown) => string): void;
}

/** Self-contained: its text is evaluated in the guest. What the script may have replaced is taken at the start. */
export const guestParts = (host: PartHost, label: typeof partLabel, limits: PartLimits): GuestParts => {
  const { stringify } = JSON;
  const { isArray } = Array;
  const { defineProperty } = Object;
  const GuestError = Error;
  type Fields = { readonly [key: string]: unknown };
  /** What was handed out is named again where it stands again, and not sent twice. */
  const given: { value: object; data: unknown; label: string }[] = [];

  const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
  const kindOf = (value: object): PartKind | undefined => {
    const { type } = value as Fields;
    if (type === 'image' || type === 'audio') {
      const { data, mimeType } = value as Fields;
      return isText(data) && isText(mimeType) ? type : undefined;
    }
    if (type === 'resource') {
      const { resource } = value as Fields;
      if (resource === null || typeof resource !== 'object') return undefined;
      const { uri, text, blob } = resource as Fields;
      return isText(uri) && (typeof text === 'string' || isText(blob)) ? type : undefined;
    }
    if (type === 'resource_link') {
      const { uri, name } = value as Fields;
      return isText(uri) && isText(name) ? type : undefined;
    }
    return undefined;
  };
  /** Data that was changed since makes another part. */
  const dataOf = (value: object): unknown => {
    const { data, resource, uri } = value as { data?: unknown; resource?: Fields; uri?: unknown };
    return data ?? resource?.['blob'] ?? resource?.['text'] ?? uri;
  };
  const knownLabel = (value: object): string | undefined => {
    for (const one of given) if (one.value === value && one.data === dataOf(value)) return one.label;
    return undefined;
  };
  const jsonOf = (value: object): string | undefined => {
    const { type, data, mimeType, text, resource, uri, name, title, description, size, annotations, _meta } =
      value as Fields;
    const part = { type, data, mimeType, text, resource, uri, name, title, description, size };
    try {
      return stringify({ ...part, annotations, _meta });
    } catch {
      try {
        return stringify(part);
      } catch {
        return undefined;
      }
    }
  };
  const send = (value: object, hold: boolean): number => {
    const json = jsonOf(value);
    const number = json === undefined ? 0 : host.emit(json, hold);
    if (number > 0) given[given.length] = { value, data: dataOf(value), label: label(value, number) };
    return number;
  };
  const bound = (number: number): string =>
    number === -1
      ? `${limits.parts} parts, which are given already`
      : `${limits.bytes / 1024 / 1024} MiB of parts in all`;
  const refuse = (number: number): never => {
    const error = new GuestError(`emit: a run may give its agent ${bound(number)}; return or emit less`);
    defineProperty(error, 'name', { value: 'LimitError', configurable: true, writable: true });
    throw error;
  };

  const isPart = (value: unknown): value is object =>
    value !== null &&
    typeof value === 'object' &&
    (kindOf(value) !== undefined ||
      ((value as Fields)['type'] === 'text' && typeof (value as Fields)['text'] === 'string'));
  const listOf = (value: unknown): readonly object[] | undefined => {
    if (isPart(value)) return [value];
    if (value === null || typeof value !== 'object') return undefined;
    const { content } = value as Fields;
    const list = isArray(value) ? value : content;
    if (!isArray(list) || list.length === 0) return undefined;
    for (let at = 0; at < list.length; at++) if (!isPart(list[at])) return undefined;
    return list;
  };

  const listIn = (value: unknown): readonly object[] | undefined => {
    try {
      return listOf(value);
    } catch {
      return undefined;
    }
  };
  const checked = (number: number): number => (number < 0 ? refuse(number) : number);
  const say = (text: string): void => void checked(host.emit(stringify({ type: 'text', text }), false));

  return {
    kindOf,
    label: (value) => knownLabel(value) ?? label(value),
    hold: (value) => {
      const known = knownLabel(value);
      if (known !== undefined) return known;
      const number = send(value, true);
      if (number === 0) return undefined;
      const name = label(value, number > 0 ? number : undefined);
      return number > 0 ? name : `${name.slice(0, -1)}; not shown: a run may give its agent ${bound(number)}]`;
    },
    emit: (value, write) => {
      const list = listIn(value);
      if (list === undefined) return say(write(value));
      // Data that turns out to be no base64 makes it a value like any other.
      for (let at = 0; at < list.length; at++) {
        const part = list[at] as object;
        if (checked(send(part, false)) === 0) say(write(part));
      }
    },
  };
};
