import { expect, it } from 'vitest';
import type { ManifestFolder } from '../../../src/app/verification/manifestFolder.js';
import { verifyPath } from '../../../src/app/verification/verifyPath.js';
import { memoryPlatform } from '../../builders/memoryPlatform.js';

it('a manifest gets its name before its list: a list alone is taken for one of somebody else', async () => {
  const finished: string[][] = [];
  const nothing = (): Promise<void> => Promise.resolve();
  const folder: ManifestFolder = {
    readPartial: () => Promise.resolve(null),
    addToPartial: nothing,
    flushPartial: nothing,
    beginPartial: nothing,
    finish: (files) => Promise.resolve(void finished.push(Object.keys(files))),
  };
  const platform = { ...memoryPlatform({ '/run/model.bin': 'bytes' }), manifestFolder: () => folder };
  await verifyPath(platform, { path: '/run', create: true });
  expect(finished).toEqual([['stowage-manifest.json', 'SHA256SUMS']]);
});
