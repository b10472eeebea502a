import { describe, expect, it } from 'vitest';
import { blockSlots } from '../../../src/core/bandwidth/blockMemory.js';
import { previewCheck, type CheckPreview } from '../../../src/core/bandwidth/checkPreview.js';
import { problemOfSettings } from '../../../src/core/bandwidth/settingsProblem.js';
import { limits } from '../../../src/core/bytes/limits.js';
import { checkSettings, fileSystemFacts, savedFiles, targetFacts } from '../../builders/bandwidthCheck.js';

const GiB = 2 ** 30;
const on = (changes: Parameters<typeof fileSystemFacts>[0]) => targetFacts({ fileSystem: fileSystemFacts(changes) });

describe('the preview of a check', () => {
  it('takes the smaller of 4 GiB and a twentieth of what is free', () => {
    expect(previewCheck(checkSettings(), targetFacts(), null)).toMatchObject({
      space: { bytes: 4 * GiB, boundBy: 'standard' },
      request: { shape: { totalBytes: 4 * GiB, streams: 8, blockBytes: 4 * 2 ** 20 }, smallFiles: 1000, repeats: 3 },
      refusal: null,
    });
    expect(previewCheck(checkSettings(), on({ freeBytes: 20e9 }), null).space).toEqual({ bytes: 1e9, boundBy: 'free-space' });
  });

  it('counts what a quota leaves as free', () => {
    const facts = on({ quota: { usedBytes: 90e9, limitBytes: 100e9 } });
    expect(previewCheck(checkSettings(), facts, null).space).toEqual({ bytes: 5e8, boundBy: 'free-space' });
    const over = on({ quota: { usedBytes: 120e9, limitBytes: 100e9 } });
    expect(previewCheck(checkSettings(), over, null)).toMatchObject({ request: null, refusal: { code: 'not-enough-space' } });
  });

  it('refuses to take more than a third of the free space, whatever is given', () => {
    const given = checkSettings({ sizeBytes: 10e9, spaceBytes: 10e9 });
    expect(previewCheck(given, on({ freeBytes: 29e9 }), null)).toMatchObject({
      request: null,
      refusal: { code: 'not-enough-space', detail: '29 GB free, 30 GB needed' },
    });
    expect(previewCheck(given, on({ freeBytes: 31e9 }), null).request?.shape.totalBytes).toBeGreaterThan(9.9e9);
  });

  it('refuses where too few files can be made, and makes fewer small ones where there are few', () => {
    expect(previewCheck(checkSettings(), on({ freeFiles: 20 }), null).refusal?.code).toBe('not-enough-files');
    expect(previewCheck(checkSettings(), on({ freeFiles: 2000 }), null).request?.smallFiles).toBe(100);
    expect(previewCheck(checkSettings(), on({ freeFiles: null }), null).request?.smallFiles).toBe(1000);
  });

  it('shares the space among nodes', () => {
    const preview = previewCheck(checkSettings(), targetFacts(), null, 4);
    expect(preview.space.bytes).toBe(4 * GiB);
    expect(preview.request?.shape.totalBytes).toBe(GiB);
  });

  it('replays the files of a checkpoint', () => {
    const { request } = previewCheck(checkSettings({ replayOf: '/data/runs/step-10' }), targetFacts(), {
      replayOf: '/data/runs/step-10',
      files: savedFiles,
    });
    expect(request?.shape).toMatchObject({ replayOf: '/data/runs/step-10', realBytes: 112e9 + 13, realFiles: 10 });
  });

  it('has no words of nothing: an empty checkpoint is refused', () => {
    const preview = previewCheck(checkSettings({ replayOf: 'x' }), targetFacts(), {
      replayOf: 'x',
      files: [{ name: 'empty', sizeBytes: 0 }],
    });
    expect(preview).toMatchObject({ request: null, refusal: { code: 'bad-setting' } });
  });

  it('asks twice on login nodes and on shared file systems', () => {
    expect(previewCheck(checkSettings(), targetFacts(), null).warnings).toEqual([]);
    const facts = targetFacts({ loginNode: 'its name', fileSystem: fileSystemFacts({ type: 'lustre' }) });
    expect(previewCheck(checkSettings(), facts, null).warnings).toEqual([
      { code: 'login-node', reason: 'its name' },
      { code: 'shared-file-system', name: 'Lustre' },
    ]);
  });

  it('refuses blocks that take more memory than a check may, and makes fewer ahead before that', () => {
    const most = limits.checkBufferBytes;
    const blocksOf = (streams: number, blockBytes: number) =>
      previewCheck(checkSettings({ streams, blockBytes }), targetFacts(), null);
    const slotsOf = ({ request }: CheckPreview) => request && blockSlots(request.shape.streams, request.shape.blockBytes);
    expect(slotsOf(blocksOf(8, most / 64))).toBe(4);
    expect(slotsOf(blocksOf(8, most / 32))).toBe(2);
    expect(blocksOf(8, most / 16)).toMatchObject({
      request: null,
      refusal: { code: 'bad-setting', detail: `8 streams with blocks of ${most / 16} bytes take too much memory` },
    });
  });

  it('asks for no memory for streams that have no file, and leaves the parts of a store to its own rule', () => {
    const large = checkSettings({ replayOf: 'x', streams: 128, blockBytes: limits.checkBlockBytes });
    expect(previewCheck(large, targetFacts(), { replayOf: 'x', files: savedFiles.slice(0, 1) }).refusal).toBeNull();
    const store = checkSettings({ streams: 16, blockBytes: limits.checkBlockBytes / 4 });
    expect(previewCheck(store, on({ type: 's3' }), null).refusal).toBeNull();
  });

  it.each([
    { sizeBytes: 0 },
    { sizeBytes: 1.5 },
    { sizeBytes: NaN },
    { spaceBytes: 4095 },
    { streams: 0 },
    { streams: limits.checkStreams + 1 },
    { blockBytes: 5000 },
    { blockBytes: 0 },
    { blockBytes: limits.checkBlockBytes * 2 },
    { repeats: 0 },
    { repeats: limits.checkRepeats + 1 },
    { seconds: 0 },
    { seconds: Infinity },
    { intervalSeconds: -1 },
    { intervalSeconds: NaN },
  ])('refuses %j', (change) => {
    const settings = checkSettings(change);
    expect(problemOfSettings(settings)).not.toBeNull();
    expect(previewCheck(settings, targetFacts(), null)).toMatchObject({ request: null, refusal: { code: 'bad-setting' } });
  });
});
