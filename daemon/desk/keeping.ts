// What scripts can keep, and read again in a later one: values of their own, and results that were too long to show.
import { MetadError } from '../../schema/errors.ts';
import type { Choices, Store } from '../store/store.ts';
import type { Service, SurfacePorts } from '../surface/ports.ts';
import type { Caller } from './call/callpath.ts';

export type Keeping = (caller: Pick<Caller, 'root'>) => Pick<SurfacePorts, 'keepResult' | 'service'>;

export interface KeepingOptions {
  readonly store: Pick<Store, 'keepResult' | 'result'>;
  readonly choices: Pick<Choices, 'get' | 'set' | 'delete' | 'keys'>;
}

/** Sessions without a workspace have a place of their own, which all of them share. */
const bucketOf = (root: string | null): string => root ?? '';
const placeOf = (root: string | null): string =>
  root === null ? 'for sessions without a workspace' : `for the workspace ${root}`;

/** Everything belongs to the caller's workspace as it is at that moment. */
export const createKeeping =
  ({ store, choices }: KeepingOptions): Keeping =>
  ({ root }) => {
    const result = (runId: string): string => {
      const body = store.result(runId, bucketOf(root()));
      if (body !== undefined) return body;
      throw new MetadError(
        'not-found',
        `No result ${JSON.stringify(runId.slice(0, 60))} is kept ${placeOf(root())}. Only results that were cut are kept, ` +
          'under the name that the cut answer gives (such as "r12"), until newer ones need the room.',
      );
    };
    const service: Service = async (name, args) => {
      const workspace = bucketOf(root());
      const [key = '', json = ''] = args;
      switch (name) {
        case 'result':
          return result(key);
        case 'store.get':
          return choices.get(workspace, key);
        case 'store.set':
          return void choices.set(workspace, key, checkedJson(json));
        case 'store.delete':
          return JSON.stringify(choices.delete(workspace, key));
        case 'store.keys':
          return JSON.stringify(choices.keys(workspace, key));
        default:
          throw new MetadError('unsupported', `metad has no service ${JSON.stringify(name.slice(0, 60))} for scripts.`);
      }
    };
    return {
      keepResult: (runId, body) => store.keepResult(runId, bucketOf(root()), body),
      service,
    };
  };

/** The sandbox writes JSON; what comes out of one that was broken is not taken for it. */
const checkedJson = (text: string): string => {
  try {
    JSON.parse(text);
    return text;
  } catch (error) {
    throw new MetadError('bad-request', 'A value of the store must be JSON.', { cause: error });
  }
};
