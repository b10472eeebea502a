import { StoreAccessError } from './storeAccessError.js';

/** A place in an object store. */
export interface ObjectStoreTarget {
  bucket: string;
  /** Without slashes at its ends; empty for the whole bucket. */
  prefix: string;
}

export function isObjectStoreTarget(target: string): boolean {
  return /^s3:\/\//i.test(target);
}

/** @throws StoreAccessError `bad-setting` for what is no `s3://bucket/prefix` */
export function parseObjectStoreTarget(target: string): ObjectStoreTarget {
  const [, bucket = '', rest = ''] = /^s3:\/\/([^/]*)\/?(.*)$/is.exec(target) ?? [];
  // Older stores allow capitals and underscores (Amazon S3, "general purpose bucket naming rules", before 2018).
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/.test(bucket) || bucket.includes('..')) {
    throw new StoreAccessError('bad-setting', `${JSON.stringify(target)} names no bucket: it takes s3://bucket/prefix`);
  }
  const prefix = rest.replace(/^\/+|\/+$/g, '');
  const parts = prefix.split('/');
  // HTTP clients and servers resolve these, so the signed key would be another one.
  if (parts.includes('.') || parts.includes('..') || (prefix !== '' && parts.includes(''))) {
    throw new StoreAccessError('bad-setting', `the prefix ${JSON.stringify(prefix)} has an empty part, "." or ".."`);
  }
  if (Buffer.byteLength(prefix) > 700)
    throw new StoreAccessError('bad-setting', 'the prefix leaves no room for keys of 1,024 bytes');
  return { bucket, prefix };
}

export function objectStorePath({ bucket, prefix }: ObjectStoreTarget): string {
  return prefix === '' ? `s3://${bucket}` : `s3://${bucket}/${prefix}`;
}

/** The key of something below a prefix. */
export function keyBelow(prefix: string, name: string): string {
  return prefix === '' ? name : `${prefix}/${name}`;
}
