import { expect, it } from 'vitest';
import { memorySource } from '../../../src/core/bytes/memorySource.js';
import { readWhole } from '../../../src/core/bytes/readWhole.js';

const bytes = Uint8Array.of(1, 2, 3);

it('reads all bytes up to the limit', async () => {
  expect(await readWhole(memorySource('a.json', bytes), 3, 'JSON', undefined)).toEqual(bytes);
  expect(await readWhole(memorySource('a.json', new Uint8Array(0)), 0, 'JSON', undefined)).toHaveLength(0);
});

it('reads nothing of what is larger', async () => {
  const source = memorySource('a.json', bytes);
  source.read = () => Promise.reject(new Error('read'));
  await expect(readWhole(source, 2, 'JSON', undefined)).rejects.toMatchObject({
    code: 'limit-exceeded',
    detail: '3 bytes of JSON',
  });
});
