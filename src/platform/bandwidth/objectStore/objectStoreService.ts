import { CheckError } from '../../../core/bandwidth/checkError.js';
import { checkDirectoryPattern } from '../../../core/bandwidth/checkNames.js';
import { keyBelow, parseObjectStoreTarget, type ObjectStoreTarget } from '../../../core/bandwidth/objectStoreTarget.js';
import { plainConnection, proxiedConnection, type OtherCheck, type TargetFacts } from '../../../core/bandwidth/targetFacts.js';
import { remoteAddressText } from '../../../core/files/remote/remoteAddress.js';
import type { BandwidthService, StoreAccess } from '../../../app/bandwidth/bandwidthService.js';
import { mostSilenceMs } from '../../objectStore/storeConnection.js';
import { StoreRefusal } from '../../objectStore/storeRefusal.js';
import { stateOf } from '../checkMarker.js';
import { loginNodeReason } from '../loginNode.js';
import { ObjectDirectory } from './objectDirectory.js';
import { runObjectCheck } from './runObjectCheck.js';
import { storeError } from './storeError.js';
import type { ObjectStore } from './stores/objectStore.js';
import { openObjectStore } from './stores/openObjectStore.js';

/** Measures object stores, by targets such as `s3://bucket/prefix`, `gs://bucket/prefix` and `az://container/prefix`. */
export function createObjectStoreService(choices: StoreAccess): BandwidthService {
  const withStore = async <T>(
    target: string,
    use: (store: ObjectStore, place: ObjectStoreTarget) => Promise<T>,
    silenceMs = mostSilenceMs,
  ): Promise<T> => {
    let store: ObjectStore | null = null;
    try {
      const place = parseObjectStoreTarget(target);
      store = await openObjectStore(place, choices, silenceMs);
      return await use(store, place);
    } catch (error) {
      throw storeError(error, store?.connection.host ?? target);
    } finally {
      store?.connection.dispose();
    }
  };
  return {
    facts: (target, signal = never) => withStore(target, (store, place) => readFacts(store, place, signal)),
    run: (request, hooks, signal) =>
      withStore(
        request.target,
        (store, { path }) => runObjectCheck(store, path, request, hooks, signal),
        // A store that stops answering takes no longer than the check may.
        Math.min(mostSilenceMs, Math.max(leastSilenceMs, request.seconds * 1000)),
      ),
    removeLeft: (target) => withStore(target, (store, { path }) => removeLeft(store, path)),
  };
}

/** One part may take so long, however short the check. */
const leastSilenceMs = 1000;

const never = new AbortController().signal;

/** Only writing shows whether it may be written to: the marker, which is written first, does. */
async function readFacts(store: ObjectStore, place: ObjectStoreTarget, signal: AbortSignal): Promise<TargetFacts> {
  const others = await findOthers(store, place, signal);
  const { type, region, connection } = store;
  return {
    path: remoteAddressText(place),
    fileSystem: {
      type,
      mountPoint: null,
      source: place.kind === 'azure' ? place.container : place.bucket,
      options: [
        connection.host,
        ...(region === null ? [] : [region]),
        ...(connection.isPlain ? [plainConnection] : []),
        ...((await connection.isProxied()) ? [proxiedConnection] : []),
      ],
      totalBytes: null,
      freeBytes: null,
      freeFiles: null,
      stripe: null,
      quota: null,
    },
    others,
    loginNode: await loginNodeReason(),
  };
}

/** What a store answers to a valid key that may not list: S3, Google Cloud Storage, and Azure by a login or a shared access signature. */
const listRefusals: ReadonlySet<string> = new Set(['AccessDenied', 'forbidden', 'AuthorizationPermissionMismatch']);

/** Checks of others and of before; empty where the key may write but not list. */
async function findOthers(store: ObjectStore, place: ObjectStoreTarget, signal: AbortSignal): Promise<OtherCheck[]> {
  const folders = await store.listFolders(keyBelow(place.path, '.stowage-bandwidth-'), signal).catch((error: unknown) => {
    if (error instanceof StoreRefusal && error.status === 403 && listRefusals.has(error.code)) return [];
    throw error;
  });
  const others: OtherCheck[] = [];
  for (const path of folders) {
    const directory = isOfCheck(path) ? await ObjectDirectory.find(store, path, signal) : null;
    if (directory === null) continue;
    const { startedAt, host } = directory.marker;
    const contents = await directory.contents(signal);
    const state = await stateOf(directory.marker);
    others.push({ path: remoteAddressText({ ...place, path }), startedAt, host, ...contents, state });
  }
  return others;
}

async function removeLeft(store: ObjectStore, prefix: string): Promise<void> {
  const directory = isOfCheck(prefix) ? await ObjectDirectory.find(store, prefix, never) : null;
  if (directory === null) throw new CheckError('not-removed', `${prefix} is not what a check has left`);
  if ((await stateOf(directory.marker)) === 'running')
    throw new CheckError('not-removed', `${prefix} belongs to a check that is running`);
  await directory.remove();
}

function isOfCheck(prefix: string): boolean {
  return checkDirectoryPattern.test(prefix.split('/').at(-1) ?? '');
}
