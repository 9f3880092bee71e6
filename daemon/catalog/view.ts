// The part of the catalog that one session may see, under the names that its scripts use.
import type { Definition } from '../../schema/config.ts';
import { matchesGlob } from '../../schema/glob.ts';
import { namespaceNames, scriptNames } from '../../schema/identifier.ts';
import type { Listing, Tool } from '../../schema/tool.ts';
import type { Catalog } from './catalog.ts';

/** A tool under both of its names. */
export interface NamedTool {
  readonly raw: string;
  readonly script: string;
  readonly tool: Tool;
}

export interface ViewServer {
  readonly definition: Definition;
  /** Its identifier in scripts and declarations. */
  readonly namespace: string;
  readonly key: string;
  /** Undefined while no listing of this definition is known. */
  readonly listing: Listing | undefined;
  /** Those that includeTools and excludeTools let through. */
  readonly tools: readonly NamedTool[];
}

/** A global object of scripts. */
export interface ScriptNamespace {
  readonly server: string;
  readonly global: string;
  readonly tools: readonly NamedTool[];
  /** Names, raw and as in scripts, of tools that it no longer has. */
  readonly removed: readonly string[];
  /** The tools are unknown as yet: any name may be called, and whoever takes the call finds out. */
  readonly open: boolean;
}

export interface View {
  readonly servers: readonly ViewServer[];
  /** The same servers as scripts see them; one array for one view, since the sandbox knows it by reference. */
  readonly namespaces: readonly ScriptNamespace[];
}

const admits = ({ includeTools, excludeTools }: Definition, name: string): boolean =>
  (includeTools === undefined || includeTools.some((pattern) => matchesGlob(pattern, name))) &&
  !excludeTools?.some((pattern) => matchesGlob(pattern, name));

/** Script names follow from all raw names of the listing, so a filter never renames what it lets through. */
const namedTools = (definition: Definition, listing: Listing): readonly NamedTool[] => {
  const names = scriptNames(listing.tools.map(({ name }) => name));
  return listing.tools
    .filter(({ name }) => admits(definition, name))
    .map((tool) => ({ raw: tool.name, script: names.get(tool.name) ?? tool.name, tool }));
};

/** Both names of each tool that a server had and no longer has. */
export const removedNames = (listing: Listing | undefined): readonly string[] => {
  const raw = listing?.removed ?? [];
  return raw.length === 0 ? raw : [...new Set([...raw, ...scriptNames(raw).values()])];
};

const NO_TOOLS: readonly NamedTool[] = [];

const namespaceOf = ({ definition, namespace, listing, tools }: ViewServer): ScriptNamespace => ({
  server: definition.name,
  global: namespace,
  tools,
  removed: removedNames(listing),
  open: listing === undefined,
});

/** Makes views; remembers the named tools of each listing for as long as that listing lives. */
export const createViews = (keyOf: (definition: Definition, root: string | null) => string) => {
  const known = new WeakMap<Listing, WeakMap<Definition, readonly NamedTool[]>>();
  const toolsOf = (definition: Definition, listing: Listing): readonly NamedTool[] => {
    const perDefinition = known.get(listing) ?? new WeakMap<Definition, readonly NamedTool[]>();
    known.set(listing, perDefinition);
    const tools = perDefinition.get(definition) ?? namedTools(definition, listing);
    perDefinition.set(definition, tools);
    return tools;
  };
  /**
   * Definitions that are disabled are not part of it. The catalog, and what is made of its tools, is asked for when
   * somebody looks: the menu of a session names the servers alone.
   */
  return (catalog: () => Catalog, definitions: Iterable<Definition>, root: string | null): View => {
    const enabled = [...definitions].filter(({ disabled }) => !disabled);
    const namespaces = namespaceNames(enabled.map(({ name }) => name));
    const servers = enabled.map((definition): ViewServer => {
      const key = keyOf(definition, root);
      return {
        definition,
        namespace: namespaces.get(definition.name) ?? definition.name,
        key,
        get listing() {
          return catalog().listings.get(key);
        },
        get tools() {
          return this.listing === undefined ? NO_TOOLS : toolsOf(definition, this.listing);
        },
      };
    });
    let inScripts: readonly ScriptNamespace[] | undefined;
    return {
      servers,
      get namespaces() {
        inScripts ??= servers.map(namespaceOf);
        return inScripts;
      },
    };
  };
};

/** By raw name or namespace; raw names win. */
export const findServer = (view: View, name: string): ViewServer | undefined =>
  view.servers.find(({ definition }) => definition.name === name) ??
  view.servers.find(({ namespace }) => namespace === name);

/** By raw or script name; raw names win. */
export const findTool = (server: ViewServer, name: string): NamedTool | undefined =>
  server.tools.find(({ raw }) => raw === name) ?? server.tools.find(({ script }) => script === name);
