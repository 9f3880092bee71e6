// Whose a resource is, of all servers that were asked what they have. Pure.

export interface Offer {
  readonly server: string;
  readonly uris: ReadonlySet<string>;
  /** URI templates (RFC 6570). */
  readonly templates: readonly string[];
}

/** What every URI of a template begins with. */
const fixedStart = (template: string): string => template.split('{', 1)[0] ?? '';

/**
 * The first server that lists it; else the one with the template of the longest fixed start that it has. A template without
 * any fixed start says nothing.
 */
export const ownerOfUri = (uri: string, offers: readonly Offer[]): string | undefined => {
  const lister = offers.find(({ uris }) => uris.has(uri));
  if (lister !== undefined) return lister.server;
  let best: { server: string; length: number } | undefined;
  for (const { server, templates } of offers) {
    for (const start of templates.map(fixedStart)) {
      if (start === '' || !uri.startsWith(start) || start.length <= (best?.length ?? 0)) continue;
      best = { server, length: start.length };
    }
  }
  return best?.server;
};
