import { CheckError } from '../../../core/bandwidth/checkError.js';
import { checkDirectoryPattern } from '../../../core/bandwidth/checkNames.js';
import { plainConnection, type OtherCheck, type TargetFacts } from '../../../core/bandwidth/targetFacts.js';
import type { BandwidthService, StoreAccess } from '../../../app/bandwidth/bandwidthService.js';
import { plainText, tagOf, tagsOf } from '../../objectStore/answerText.js';
import { readAwsSettings } from '../../objectStore/awsSettings.js';
import {
  keyBelow,
  objectStorePath,
  parseObjectStoreTarget,
  type ObjectStoreTarget,
} from '../../objectStore/objectStoreTarget.js';
import { S3Client } from '../../objectStore/s3Client.js';
import { S3Error } from '../../objectStore/s3Error.js';
import { stateOf } from '../checkMarker.js';
import { loginNodeReason } from '../loginNode.js';
import { ObjectDirectory } from './objectDirectory.js';
import { runObjectCheck } from './runObjectCheck.js';
import { storeError } from './storeError.js';

/** Measures object stores that speak S3, by targets such as `s3://bucket/prefix`. */
export function createObjectStoreService(choices: StoreAccess): BandwidthService {
  const withClient = async <T>(target: string, use: (client: S3Client, place: ObjectStoreTarget) => Promise<T>): Promise<T> => {
    let client: S3Client | null = null;
    try {
      const place = parseObjectStoreTarget(target);
      client = new S3Client(place.bucket, await readAwsSettings(choices));
      return await use(client, place);
    } catch (error) {
      throw storeError(error, client?.host ?? target);
    } finally {
      client?.dispose();
    }
  };
  return {
    facts: (target, signal = never) => withClient(target, (client, place) => readFacts(client, place, signal)),
    run: (request, hooks, signal) =>
      withClient(request.target, (client, { prefix }) => runObjectCheck(client, prefix, request, hooks, signal)),
    removeLeft: (path) => withClient(path, (client, { prefix }) => removeLeft(client, prefix)),
  };
}

const never = new AbortController().signal;

/** Only writing shows whether it may be written to: the marker, which is written first, does. */
async function readFacts(client: S3Client, place: ObjectStoreTarget, signal: AbortSignal): Promise<TargetFacts> {
  const others = await findOthers(client, place, signal);
  return {
    path: objectStorePath(place),
    fileSystem: {
      type: 's3',
      mountPoint: null,
      source: place.bucket,
      options: [client.host, client.region, ...(client.isPlain ? [plainConnection] : [])],
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

/** Checks of others and of before; empty where the key may write but not list. */
async function findOthers(client: S3Client, { bucket, prefix }: ObjectStoreTarget, signal: AbortSignal): Promise<OtherCheck[]> {
  const query = { 'list-type': '2', delimiter: '/', prefix: keyBelow(prefix, '.stowage-bandwidth-') };
  const answer = await client.send({ method: 'GET', key: '', query, signal }).catch((error: unknown) => {
    if (error instanceof S3Error && error.code === 'AccessDenied') return null;
    throw error;
  });
  const others: OtherCheck[] = [];
  for (const element of answer === null ? [] : tagsOf(answer.body.toString('utf8'), 'CommonPrefixes')) {
    const found = plainText(tagOf(element, 'Prefix')).replace(/\/$/, '');
    if (!isOfCheck(found)) continue;
    const directory = await ObjectDirectory.find(client, found, signal);
    if (directory === null) continue;
    const { startedAt, host } = directory.marker;
    const contents = await directory.contents(signal);
    others.push({
      path: objectStorePath({ bucket, prefix: found }),
      startedAt,
      host,
      ...contents,
      state: await stateOf(directory.marker),
    });
  }
  return others;
}

async function removeLeft(client: S3Client, prefix: string): Promise<void> {
  const directory = isOfCheck(prefix) ? await ObjectDirectory.find(client, prefix, never) : null;
  if (directory === null) throw new CheckError('not-removed', `${prefix} is not what a check has left`);
  if ((await stateOf(directory.marker)) === 'running')
    throw new CheckError('not-removed', `${prefix} belongs to a check that is running`);
  await directory.remove();
}

function isOfCheck(prefix: string): boolean {
  return checkDirectoryPattern.test(prefix.split('/').at(-1) ?? '');
}
