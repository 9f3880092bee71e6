// What a script hands to its agent beside its value: content parts, checked and bounded before they leave the worker.
import { PART_LIMITS } from '../../../schema/part.ts';
import type { Content, Json, JsonObject } from '../../../schema/tool.ts';

/** No part: a value like any other. */
export const NO_PART = 0;
export const TOO_MANY = -1;
export const TOO_LARGE = -2;

export interface Parts {
  /**
   * @param json a part as JSON
   * @param hold it belongs into a value that is still being written: it follows that value's text
   * @returns its number among those of its type, from 1, or one of the constants above
   */
  emit(json: string, hold: boolean): number;
  /** Those held for the value that the script ends with. */
  held(): readonly string[];
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== '';

/** Padded base64 without line ends; undefined for what is none. Agents refuse a whole result for one that is not. */
const base64 = (data: Json | undefined): string | undefined => {
  if (!isText(data)) return undefined;
  const bare = /\s/.test(data) ? data.replace(/\s+/g, '') : data;
  if (bare === '' || !/^[A-Za-z0-9+/]*={0,2}$/.test(bare)) return undefined;
  const digits = bare.endsWith('=') ? bare.replace(/=+$/, '') : bare;
  if (digits.length % 4 === 1 || digits === '') return undefined;
  return digits.padEnd(Math.ceil(digits.length / 4) * 4, '=');
};

const isMediaType = (value: Json | undefined): value is string => isText(value) && /^[^\s/]+\/\S.*$/.test(value);

/** MCP's `Annotations`; odd ones are left out, since a client that checks them would refuse the result. */
const annotationsOf = ({ annotations }: JsonObject): JsonObject => {
  if (!isObject(annotations)) return {};
  const { audience, priority } = annotations;
  const kept = {
    ...(Array.isArray(audience) && audience.every((one) => one === 'user' || one === 'assistant') && { audience }),
    ...(typeof priority === 'number' && priority >= 0 && priority <= 1 && { priority }),
  };
  return Object.keys(kept).length === 0 ? {} : { annotations: kept };
};
const metaOf = ({ _meta }: JsonObject): JsonObject => (isObject(_meta) ? { _meta } : {});
const texts = (value: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (typeof value[name] === 'string' ? [[name, value[name]]] : [])));

const resourceOf = (resource: Json | undefined): JsonObject | undefined => {
  if (!isObject(resource) || !isText(resource['uri'])) return undefined;
  const about = { ...texts(resource, 'uri', 'mimeType'), ...metaOf(resource) };
  if (typeof resource['text'] === 'string') return { ...about, text: resource['text'] };
  const blob = base64(resource['blob']);
  return blob === undefined ? undefined : { ...about, blob };
};

/** A content part of MCP 2025-11-25 with the fields that clients check, and no others; undefined for what is none. */
export const partOf = (value: unknown): Content | undefined => {
  if (!isObject(value)) return undefined;
  const more = { ...annotationsOf(value), ...metaOf(value) };
  const { type, data, mimeType } = value;
  switch (type) {
    case 'text':
      return typeof value['text'] === 'string' ? { type, text: value['text'], ...more } : undefined;
    case 'image':
    case 'audio': {
      const checked = isMediaType(mimeType) ? base64(data) : undefined;
      return checked === undefined || !isMediaType(mimeType) ? undefined : { type, data: checked, mimeType, ...more };
    }
    case 'resource': {
      const resource = resourceOf(value['resource']);
      return resource && { type, resource, ...more };
    }
    case 'resource_link': {
      if (!isText(value['uri']) || !isText(value['name'])) return undefined;
      const size = typeof value['size'] === 'number' ? { size: value['size'] } : {};
      return { type, ...texts(value, 'uri', 'name', 'title', 'description', 'mimeType'), ...size, ...more };
    }
    default:
      return undefined;
  }
};

export const createParts = (send: (parts: readonly string[]) => void): Parts => {
  const numbers = new Map<string, number>();
  let count = 0;
  let bytes = 0;
  let held: string[] = [];
  return {
    emit: (json, hold) => {
      const part = partOf(JSON.parse(json));
      if (part === undefined) return NO_PART;
      if (count >= PART_LIMITS.parts) return TOO_MANY;
      const text = JSON.stringify(part);
      const size = Buffer.byteLength(text);
      if (bytes + size > PART_LIMITS.bytes) return TOO_LARGE;
      count += 1;
      bytes += size;
      if (hold) held.push(text);
      else {
        // At once: what a script has shown outlives a worker that hangs later.
        send([text, ...held]);
        held = [];
      }
      const number = (numbers.get(part.type) ?? 0) + 1;
      numbers.set(part.type, number);
      return number;
    },
    held: () => held,
  };
};
