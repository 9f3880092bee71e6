// What one instance offers of its server's resources.
import type { JsonObject } from '../../../schema/tool.ts';

export interface Resources {
  /** The server said that it has resources; undefined while it does not run. */
  offered(): boolean | undefined;
  /**
   * `resources/list`, `resources/templates/list` or `resources/read`; starts the server if need be.
   * @throws MetadError `upstream` with the server's own words, `timeout`, or as a start.
   */
  request(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /** The session hears of updates from then on. @throws as `request`; then there is no subscription. */
  subscribe(uri: string, session: string, signal: AbortSignal): Promise<void>;
  /** The last one's end is told to the server. */
  unsubscribe(uri: string, session: string): Promise<void>;
  /** All subscriptions of that session end. */
  leave(session: string): void;
  /** Somebody waits for updates, so that the server is not idle. */
  busy(): boolean;
  /** A new connection knows of no subscription: all are told to it again. */
  renew(): void;
  /** `notifications/resources/updated` of the server. Those of one resource within 50 ms are passed on as one. */
  updated(params: JsonObject): void;
}
