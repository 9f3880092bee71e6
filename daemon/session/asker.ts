// The way back to an agent.
import type { JsonObject } from '../../schema/tool.ts';

/** Asks the agent for a backing server's question (elicitation, sampling) that one of its calls caused. */
export interface Asker {
  /** The capabilities that the agent declared, as it declared them. */
  readonly capabilities: JsonObject;
  ask(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
}
