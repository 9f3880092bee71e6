// The catalog as it is now, who keeps it, and who hears of the next one.
import type { Definition } from '../../schema/config.ts';
import type { Listing } from '../../schema/tool.ts';
import { type Catalog, type Change, catalogOf, withListing } from './catalog.ts';
import { createViews, type View } from './view.ts';

export interface CurrentOptions {
  /** Last known listings, from the database; asked for when the first of them is looked at. */
  readonly known: () => readonly Listing[];
  readonly keyOf: (definition: Definition, root: string | null) => string;
  readonly save: (listing: Listing) => void;
  /** Told of the keys that a caller's definitions have, once per view. */
  readonly onUsed?: (keys: readonly string[]) => void;
  /** Called after each change of the revision, with the catalog already the new one. */
  readonly onChanged: (from: number, to: number, change: Change) => void;
}

export interface CurrentCatalog {
  revision(): number;
  /** The same object until the catalog, the definitions or the root are others. */
  viewOf(definitions: ReadonlyMap<string, Definition>, root: string | null): View;
  take(definition: Definition, root: string | null, listed: Omit<Listing, 'key'>): void;
}

export const createCurrentCatalog = (options: CurrentOptions): CurrentCatalog => {
  const { known, keyOf, save, onUsed = () => {}, onChanged } = options;
  let first: Catalog | undefined;
  /** The first catalog is made when somebody looks into it: a session starts without. */
  let catalog = (): Catalog => {
    first ??= catalogOf(known());
    return first;
  };
  const makeView = createViews(keyOf);
  let views = new WeakMap<ReadonlyMap<string, Definition>, Map<string | null, View>>();

  return {
    revision: () => catalog().revision,
    viewOf: (definitions, root) => {
      const byRoot = views.get(definitions) ?? new Map<string | null, View>();
      views.set(definitions, byRoot);
      const known = byRoot.get(root);
      if (known !== undefined) return known;
      const view = makeView(catalog, definitions.values(), root);
      byRoot.set(root, view);
      onUsed(view.servers.map(({ key }) => key));
      return view;
    },
    take: (definition, root, listed) => {
      const before = catalog();
      const next = withListing(before, { ...listed, key: keyOf(definition, root) });
      catalog = () => next.catalog;
      views = new WeakMap();
      save(next.listing);
      if (next.change) onChanged(before.revision, next.catalog.revision, next.change);
    },
  };
};
