import { encodeText } from '../bytes/text.js';
import { FormatError } from '../bytes/formatError.js';
import { parseRemoteAddress, type AzureAddress, type BucketAddress } from '../files/remote/remoteAddress.js';
import { CheckError } from './checkError.js';

/** A place in an object store that a check can write to. */
export type ObjectStoreTarget = BucketAddress | AzureAddress;

/** Bytes of a prefix that leave room for what a check puts behind it: keys have 1,024 (Amazon S3, Google Cloud Storage and Azure Blob Storage). */
const prefixBytes = 670;

/** @throws CheckError `bad-setting` for what names no bucket or container */
export function parseObjectStoreTarget(target: string): ObjectStoreTarget {
  const address = addressOf(target);
  if (address.kind === 'hub' || address.kind === 'web')
    throw new CheckError('bad-setting', `${JSON.stringify(target)} is in no object store`);
  if (encodeText(address.path).length > prefixBytes)
    throw new CheckError('bad-setting', 'the prefix leaves no room for keys of 1,024 bytes');
  return address;
}

function addressOf(target: string): ReturnType<typeof parseRemoteAddress> {
  try {
    return parseRemoteAddress(target);
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    throw new CheckError('bad-setting', `${JSON.stringify(target)}: ${error.detail}`, { cause: error });
  }
}

/** The key of something below a prefix. */
export function keyBelow(prefix: string, name: string): string {
  return prefix === '' ? name : `${prefix}/${name}`;
}
