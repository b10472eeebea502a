import { describe, expect, it } from 'vitest';
import { parseObjectStoreTarget } from '../../../src/core/bandwidth/objectStoreTarget.js';
import { isObjectStoreAddress } from '../../../src/core/files/remote/remoteScheme.js';

describe('targets in object stores', () => {
  it.each([
    ['s3://bucket/runs/', { kind: 's3', bucket: 'bucket', path: 'runs' }],
    ['S3A://bucket', { kind: 's3', bucket: 'bucket', path: '' }],
    ['gs://bucket/runs/seven', { kind: 'gs', bucket: 'bucket', path: 'runs/seven' }],
    ['gcs://bucket', { kind: 'gs', bucket: 'bucket', path: '' }],
    ['az://runs/seven', { kind: 'azure', account: null, container: 'runs', path: 'seven' }],
    ['abfs://runs@account/seven', { kind: 'azure', account: 'account', container: 'runs', path: 'seven' }],
    ['abfss://runs@account.dfs.core.windows.net/', { kind: 'azure', account: 'account', container: 'runs', path: '' }],
  ])('are addresses: %s', (target, address) => {
    expect(isObjectStoreAddress(target)).toBe(true);
    expect(parseObjectStoreTarget(target)).toMatchObject(address);
  });

  it.each(['/data/runs', './s3', 's3:/bucket', 'hf://org/name', 'https://account.blob.core.windows.net/runs', 'C:\\runs'])(
    'are not directories, repositories or web pages: %s',
    (target) => expect(isObjectStoreAddress(target)).toBe(false),
  );

  it.each([
    ['s3://', 'names no bucket'],
    ['gs:///runs', 'names no bucket'],
    ['az://a_b/runs', 'names no container'],
    ['gs://bucket/a/../b', '".."'],
    ['https://example.org/runs', 'is in no object store'],
    [`gs://bucket/${'é'.repeat(336)}`, 'leaves no room for keys of 1,024 bytes'],
  ])('are refused where no check could write: %s', (target, detail) => {
    expect(() => parseObjectStoreTarget(target)).toThrow(
      expect.objectContaining({ name: 'CheckError', code: 'bad-setting', detail: expect.stringContaining(detail) as string }),
    );
  });
});
