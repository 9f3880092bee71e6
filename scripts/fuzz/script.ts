// One generated script and what is known of how it ends.
import type { Json } from '../../schema/tool.ts';

export type Kind = 'valid' | 'broken' | 'hostile';

export interface FuzzScript {
  readonly kind: Kind;
  /** Name of the generator, for reports. */
  readonly name: string;
  readonly text: string;
  /** Seconds of script time to ask for. */
  readonly timeoutSeconds?: number;
  /** The value that it returns, where that is known. */
  readonly value?: Json;
}
