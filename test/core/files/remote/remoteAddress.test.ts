import { describe, expect, it } from 'vitest';
import {
  parseRemoteAddress,
  remoteAddressText,
  remoteRootName,
  shownPath,
} from '../../../../src/core/files/remote/remoteAddress.js';
import { isRemoteAddress } from '../../../../src/core/files/remote/remoteScheme.js';

const hub = { kind: 'hub', repository: 'model', id: 'org/name', revision: null, path: '' };

describe('an address of the Hub', () => {
  // What huggingface_hub 2.4.0 makes of them (parse_hf_uri).
  it.each([
    ['hf://org/name', hub],
    ['hf://models/org/name', hub],
    ['hf://org/name/sub/model.safetensors', { ...hub, path: 'sub/model.safetensors' }],
    ['hf://datasets/org/name@main/data', { ...hub, repository: 'dataset', revision: 'main', path: 'data' }],
    ['hf://spaces/org/name', { ...hub, repository: 'space' }],
    ['hf://kernels/org/name@v1', { ...hub, repository: 'kernel', revision: 'v1' }],
    ['hf://org/name@refs/pr/3/a/b', { ...hub, revision: 'refs/pr/3', path: 'a/b' }],
    [
      'hf://datasets/org/name@refs/convert/parquet/default',
      { ...hub, repository: 'dataset', revision: 'refs/convert/parquet', path: 'default' },
    ],
    ['hf://org/name@feature%2Fx/a', { ...hub, revision: 'feature/x', path: 'a' }],
    ['hf://buckets/org/name/checkpoints/step-1', { ...hub, repository: 'bucket', path: 'checkpoints/step-1' }],
    ['https://huggingface.co/org/name', hub],
    ['https://huggingface.co/org/name/tree/main/sub', { ...hub, revision: 'main', path: 'sub' }],
    [
      'https://huggingface.co/datasets/org/name/blob/main/train.csv',
      { ...hub, repository: 'dataset', revision: 'main', path: 'train.csv' },
    ],
    [
      'https://huggingface.co/org/name/resolve/refs%2Fpr%2F3/config.json?download=true',
      { ...hub, revision: 'refs/pr/3', path: 'config.json' },
    ],
    ['https://hf.co/buckets/org/name/tree/checkpoints', { ...hub, repository: 'bucket', path: 'checkpoints' }],
    ['https://huggingface.co/buckets/org/name/resolve/a.bin', { ...hub, repository: 'bucket', path: 'a.bin' }],
  ])('%s', (text, expected) => expect(parseRemoteAddress(text)).toEqual(expected));

  it('of the first models is a name alone', () => {
    expect(parseRemoteAddress('hf://gpt2')).toEqual({ ...hub, id: 'gpt2' });
    expect(parseRemoteAddress('https://huggingface.co/gpt2/tree/main')).toEqual({ ...hub, id: 'gpt2', revision: 'main' });
  });

  it.each([
    'hf://',
    'hf://datasets',
    'hf://org/name@',
    'hf://org/name@a@b',
    'hf://buckets/org',
    'hf://buckets/org/name@main',
    'hf://org/na me',
    'hf://org/name/a//b',
    'hf://org/name/../x',
    'hf://org/name@../x',
    'hf://-/x',
  ])('%s names nothing', (text) =>
    expect(() => parseRemoteAddress(text)).toThrow(expect.objectContaining({ code: 'unsupported' })),
  );
});

describe('an address of a store', () => {
  it.each([
    ['s3://bucket', { kind: 's3', bucket: 'bucket', path: '' }],
    ['s3a://bucket/a/b/', { kind: 's3', bucket: 'bucket', path: 'a/b' }],
    ['gs://my-bucket/run', { kind: 'gs', bucket: 'my-bucket', path: 'run' }],
    ['gcs://my-bucket/run', { kind: 'gs', bucket: 'my-bucket', path: 'run' }],
    ['az://container/a', { kind: 'azure', account: null, container: 'container', path: 'a', signature: null }],
    [
      'abfs://container@account.dfs.core.windows.net/a',
      { kind: 'azure', account: 'account', container: 'container', path: 'a', signature: null },
    ],
    ['abfss://container@account/a', { kind: 'azure', account: 'account', container: 'container', path: 'a', signature: null }],
    [
      'https://account.blob.core.windows.net/container/a%20b?sv=1&sig=secret',
      { kind: 'azure', account: 'account', container: 'container', path: 'a b', signature: 'sv=1&sig=secret' },
    ],
    [
      'abfs://container@account.dfs.core.windows.net/a?sv=1&sig=secret',
      { kind: 'azure', account: 'account', container: 'container', path: 'a', signature: 'sv=1&sig=secret' },
    ],
    ['https://Example.com/m/model.safetensors#top', { kind: 'web', url: 'https://example.com/m/model.safetensors' }],
    ['http://127.0.0.1:8000/a?token=x', { kind: 'web', url: 'http://127.0.0.1:8000/a?token=x' }],
  ])('%s', (text, expected) => expect(parseRemoteAddress(text)).toEqual(expected));

  it.each([
    's3://',
    's3://..',
    's3://bucket/../x',
    's3://bucket/a//b',
    's3://bucket/a\\b',
    'az://UPPER/x',
    'az://c@evil.example/x',
    'https://',
    'https://user:pass@example.com/x',
    'https://user@example.com/x',
    'ftp://x',
  ])('%s names nothing', (text) =>
    expect(() => parseRemoteAddress(text)).toThrow(expect.objectContaining({ code: 'unsupported' })),
  );
});

it('a path of this machine is none', () => {
  for (const path of ['/a/b', 'C:\\a', 'hf', 's3:/x', 'models/https://x', '']) expect(isRemoteAddress(path)).toBe(false);
});

it('is shown as it is read, without what is secret in it', () => {
  for (const text of [
    'hf://org/name',
    'hf://datasets/org/name@refs/pr/3/a',
    'hf://org/name@a%2Fb/c',
    'hf://buckets/org/name/c',
    's3://bb/c',
    'gs://bb/c',
    'az://container/c',
    'abfs://container@account.dfs.core.windows.net/c',
  ]) {
    expect(remoteAddressText(parseRemoteAddress(text))).toBe(text);
    expect(shownPath(text)).toBe(text);
  }
  expect(shownPath('https://account.blob.core.windows.net/container/a?sv=1&sig=secret')).toBe(
    'abfs://container@account.dfs.core.windows.net/a',
  );
  expect(shownPath('https://example.com/model.safetensors?X-Amz-Signature=secret')).toBe('https://example.com/model.safetensors');
  expect(shownPath('https://ana:secret@example.com/x?token=secret')).not.toContain('secret');
  expect(shownPath('/local/a?b')).toBe('/local/a?b');
});

it('has a root that is called by its last part', () => {
  const names = [
    'hf://org/name',
    'hf://org/name/sub',
    's3://bb',
    's3://bb/run/',
    'https://example.com/a/model%20x.gguf?sig=1',
    'az://container',
  ];
  expect(names.map((text) => remoteRootName(parseRemoteAddress(text)))).toEqual([
    'name',
    'sub',
    'bb',
    'run',
    'model x.gguf',
    'container',
  ]);
});

it.each([
  'az://c/x?sv=1&sig=SECRET',
  'az://container/x?sv=1&sig=SECRET',
  's3://bucket/x?X-Amz-Algorithm=a&X-Amz-Signature=SECRET',
  'gs://bucket/x?X-Goog-Signature=SECRET',
  'abfs://c@a.dfs.core.windows.net/p?sig=SECRET',
  'https://user:SECRET@host/x',
  's3://user:SECRET@bucket/x',
])('%s is shown without what is secret', (text) => {
  expect(shownPath(text)).not.toContain('SECRET');
  expect(shownPath(text)).not.toContain('?');
});

it('keys of buckets may have question marks', () => {
  expect(parseRemoteAddress('s3://bucket/what?.txt')).toMatchObject({ path: 'what?.txt' });
  expect(() => parseRemoteAddress('s3://bucket/x?X-Amz-Signature=s')).toThrow('https:// address');
});
