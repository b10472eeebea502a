import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { limits } from '../../../../src/core/bytes/limits.js';
import type { PassSpec } from '../../../../src/core/verification/passSpec.js';
import { BlockPool } from '../../../../src/platform/verification/blockPool.js';
import { createThreadPasses } from '../../../../src/platform/verification/threadPasses.js';

const spec: PassSpec = { sizeBytes: 1_000_000, regions: [], streams: [], digests: ['sha1'], blockBytes: 400_000 };

it('passes in threads answer what passes here answer', async () => {
  const passes = createThreadPasses(path.resolve('dist/cli.js'), 1);
  const pass = await passes.begin(spec);
  for (let offset = 0; offset < spec.sizeBytes; offset += 250_000) await pass.push(new Uint8Array(250_000), offset);
  const result = await pass.end();
  // Of a million zeros, by sha1sum.
  expect(result.digests).toEqual({ sha1: 'bef3595266a65a2ff36b700a75e8ed95c68210b6' });
  expect(result.blocks).toHaveLength(3);
  await passes.close();
});

it('a file of 60 blocks takes no more than four, which come back from the thread', async () => {
  const made = vi.spyOn(BlockPool.prototype as unknown as { make(): ArrayBuffer }, 'make');
  const passes = createThreadPasses(path.resolve('dist/cli.js'), 1);
  const blockBytes = limits.verifiedReadBytes;
  const sizeBytes = 60 * blockBytes - 100;
  const pass = await passes.begin({ ...spec, sizeBytes });
  for (let offset = 0; offset < sizeBytes; offset += blockBytes)
    await pass.push(pass.block(Math.min(blockBytes, sizeBytes - offset)).fill(0), offset);
  // `head -c 251658140 /dev/zero | sha1sum`
  expect((await pass.end()).digests).toEqual({ sha1: '4ad1168b2040818378672fd95f68f76fde120dfb' });
  expect(made.mock.calls.length).toBeLessThanOrEqual(4);
  await passes.close();
});

it('a pass that waits for a place when all are ended starts no thread', async () => {
  const passes = createThreadPasses(path.resolve('dist/cli.js'), 1);
  const first = await passes.begin(spec);
  const second = passes.begin(spec);
  await passes.close();
  first.abandon();
  await expect(second).rejects.toMatchObject({ code: 'cancelled' });
});
