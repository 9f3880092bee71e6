// Content parts that are no text (MCP `ContentBlock`), as they are named where only text can stand.

/** The kinds that a script hands to its agent as they are. */
export type PartKind = 'image' | 'audio' | 'resource' | 'resource_link';

/** What the parts of one run may come to. The stdio readers of both MCP SDKs end a connection at 10 MiB in one message. */
export const PART_LIMITS = { parts: 64, bytes: 8 * 1024 * 1024 } as const;
export type PartLimits = typeof PART_LIMITS;

/**
 * `[image 1: image/png, 420 KB]`, without the number where it has none. Sizes are of what the base64 stands for.
 * Self-contained: its text is evaluated in the sandbox too.
 */
export const partLabel = (part: object, number?: number): string => {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const cut = (value: string): string => (value.length > 200 ? `${value.slice(0, 199)}…` : value);
  const size = (bytes: number): string => {
    if (bytes < 1024) return `${bytes} B`;
    const kib = bytes / 1024;
    if (kib < 1023.5) return `${kib < 9.95 ? kib.toFixed(1) : Math.round(kib)} KB`;
    const mib = kib / 1024;
    return `${mib < 99.95 ? mib.toFixed(1) : Math.round(mib)} MB`;
  };
  const decoded = (data: string): string => {
    const padding = data[data.length - 2] === '=' ? 2 : data[data.length - 1] === '=' ? 1 : 0;
    return data === '' ? '' : size(Math.floor((data.length * 3) / 4) - padding);
  };
  const { type, data, mimeType, uri, name, resource } = part as { readonly [key: string]: unknown };
  const inner = (resource !== null && typeof resource === 'object' ? resource : {}) as {
    readonly [key: string]: unknown;
  };
  const said = [
    text(uri) || text(inner['uri']),
    type === 'resource_link' ? text(name) : '',
    text(mimeType) || text(inner['mimeType']),
    decoded(text(data) || text(inner['blob'])) || (text(inner['text']) && size(text(inner['text']).length)),
  ].filter((one) => one !== '');
  const what = cut(text(type).split('_').join(' ')) || 'part';
  const details = said.map(cut).join(', ');
  return `[${what}${number === undefined ? '' : ` ${number}`}${details === '' ? '' : `: ${details}`}]`;
};
