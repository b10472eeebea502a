import path from 'node:path';
import { expect, it } from 'vitest';
import type { PassSpec } from '../../../../src/core/verification/passSpec.js';
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

it('a pass that waits for a place when all are ended starts no thread', async () => {
  const passes = createThreadPasses(path.resolve('dist/cli.js'), 1);
  const first = await passes.begin(spec);
  const second = passes.begin(spec);
  await passes.close();
  first.abandon();
  await expect(second).rejects.toMatchObject({ code: 'cancelled' });
});
