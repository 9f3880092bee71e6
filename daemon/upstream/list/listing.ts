// The list of one instance over time: what a refresh makes of the list before it. Pure.
import { MetadError, messageOf } from '../../../schema/errors.ts';
import type { Listing } from '../../../schema/tool.ts';
import type { Listed } from '../contract.ts';
import type { Pages } from './pages.ts';

/** What the server said of itself when it was opened. */
export type About = Pick<Listing, 'server' | 'instructions' | 'serverInfo' | 'protocolVersion'>;

/**
 * What is listed now. A refresh that failed, or came back empty where there were tools, keeps the last complete list and
 * marks it `stale`. Without one, the pages that came are given, `stale` too, for it is not the server's whole list.
 * @throws MetadError `upstream` where there is nothing to give.
 */
export const nextListed = (last: Listed | undefined, pages: Pages, about: About, now: number): Listed => {
  if (pages.failure === undefined) {
    if (pages.tools.length > 0 || last === undefined || last.tools.length === 0) {
      return { ...about, tools: pages.tools, freshness: 'confirmed', listedAt: now, warnings: pages.warnings };
    }
    const warning = `Server \`${about.server}\` now lists no tools; its last list is kept.`;
    return { ...last, freshness: 'stale', warnings: [...pages.warnings, warning] };
  }
  if (last !== undefined) {
    const warning = `Server \`${about.server}\` is partly listed (${messageOf(pages.failure)}); its last complete list is kept.`;
    return { ...last, freshness: 'stale', warnings: [...pages.warnings, warning] };
  }
  if (pages.tools.length === 0) {
    const why = messageOf(pages.failure);
    throw new MetadError('upstream', `Server \`${about.server}\` could not list its tools: ${why}.`, {
      cause: pages.failure,
    });
  }
  const warning = `Server \`${about.server}\` is partly listed (${messageOf(pages.failure)}): ${pages.tools.length} tools came before.`;
  return { ...about, tools: pages.tools, freshness: 'stale', listedAt: now, warnings: [...pages.warnings, warning] };
};
