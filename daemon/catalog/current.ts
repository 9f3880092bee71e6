// The catalog as it is now, who keeps it, and who hears of the next one.
import type { Definition } from '../../schema/config.ts';
import type { Listing } from '../../schema/tool.ts';
import { type Catalog, type Change, catalogOf, withListing } from './catalog.ts';
import { createViews, type View } from './view.ts';

export interface CurrentOptions {
  /** Last known listings, from the database. */
  readonly known: readonly Listing[];
  readonly keyOf: (definition: Definition, root: string | null) => string;
  readonly save: (listing: Listing) => void;
  /** Called after each change of the revision, with the catalog already the new one. */
  readonly onChanged: (from: number, to: number, change: Change) => void;
}

export interface CurrentCatalog {
  revision(): number;
  /** The same object until the catalog, the definitions or the root are others. */
  viewOf(definitions: ReadonlyMap<string, Definition>, root: string | null): View;
  take(definition: Definition, root: string | null, listed: Omit<Listing, 'key'>): void;
}

export const createCurrentCatalog = ({ known, keyOf, save, onChanged }: CurrentOptions): CurrentCatalog => {
  let catalog: Catalog = catalogOf(known);
  const makeView = createViews(keyOf);
  let views = new WeakMap<ReadonlyMap<string, Definition>, Map<string | null, View>>();

  return {
    revision: () => catalog.revision,
    viewOf: (definitions, root) => {
      const byRoot = views.get(definitions) ?? new Map<string | null, View>();
      views.set(definitions, byRoot);
      const view = byRoot.get(root) ?? makeView(catalog, definitions.values(), root);
      byRoot.set(root, view);
      return view;
    },
    take: (definition, root, listed) => {
      const before = catalog;
      const next = withListing(catalog, { ...listed, key: keyOf(definition, root) });
      catalog = next.catalog;
      views = new WeakMap();
      save(next.listing);
      if (next.change) onChanged(before.revision, catalog.revision, next.change);
    },
  };
};
