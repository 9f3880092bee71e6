// What workers are told of namespaces: made once for each array of them.
import type { View } from './messages.ts';
import type { GuestNamespace } from './sandbox.ts';

export type ViewOf = (namespaces: readonly GuestNamespace[]) => View;

export const createViews = (): ViewOf => {
  const known = new WeakMap<readonly GuestNamespace[], View>();
  let last = 0;
  return (namespaces) => {
    let view = known.get(namespaces);
    if (view === undefined) {
      last += 1;
      view = {
        id: last,
        names: JSON.stringify(namespaces.map(({ global, server, open }) => [global, server, open === true ? 1 : 0])),
        tables: namespaces.map(({ open, tools, removed = [] }) =>
          open
            ? 'null'
            : JSON.stringify([...tools.map(({ script, raw }) => [script, raw]), ...removed.map((name) => [name])]),
        ),
      };
      known.set(namespaces, view);
    }
    return view;
  };
};
