// The short index of servers: in the description of `list_tools`, and at the head of the instructions.
import type { View } from '../catalog/view.ts';

/** Some agents show the model no more than 250 characters of a server's instructions; the rest would be paid for in vain. */
const INSTRUCTIONS_LIMIT = 220;
const MENU_LIMIT = 2000;

/** As many names as fit, and how many do not. Names are cut one by one: one endless name hides no other. */
const namesWithin = (names: readonly string[], limit: number, rest: (count: number) => string): string => {
  const shown: string[] = [];
  let length = 0;
  for (const [at, full] of names.entries()) {
    const name = full.length > 64 ? `${full.slice(0, 63)}…` : full;
    const tail = rest(names.length - at);
    if (length + name.length + 2 + tail.length > limit) return [...shown, tail].join(', ');
    shown.push(name);
    length += name.length + 2;
  }
  return shown.join(', ');
};

const namesOf = (view: View): string[] => view.servers.map(({ definition }) => definition.name);

/** Nothing of the files themselves is said: they are somebody's who is not trusted yet. */
const waitingText = (count: number): string =>
  count === 0
    ? ''
    : `\n${count === 1 ? 'A server that this workspace declares waits' : `${count} servers that this workspace declares wait`} until the user runs \`metad trust\` in it.`;

/**
 * `Available servers: a, b, c`, at most about 2,000 characters.
 * @param waiting servers that the workspace declares and nobody trusted yet
 */
export const menu = (view: View, waiting = 0): string => `${serversText(view)}${waitingText(waiting)}`;

const serversText = (view: View): string => {
  if (view.servers.length === 0)
    return 'Available servers: none. The user can add some with `metad add`, or in metad’s config.json.';
  const names = namesWithin(
    namesOf(view),
    MENU_LIMIT,
    (count) => `… and ${count} more (list_tools({detail: "names"}))`,
  );
  return `Available servers: ${names}`;
};

/** The two steps and the servers, within what every agent shows. */
export const instructions = (view: View): string => {
  const steps = 'Call list_tools for declarations, then execute a script that uses them. MCP servers: ';
  if (view.servers.length === 0) return `${steps}none.`;
  return `${steps}${namesWithin(namesOf(view), INSTRUCTIONS_LIMIT - steps.length - 1, (count) => `… ${count} more`)}.`;
};
