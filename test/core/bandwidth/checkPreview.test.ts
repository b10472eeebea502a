import { describe, expect, it } from 'vitest';
import { blockSlots } from '../../../src/core/bandwidth/blockMemory.js';
import { previewCheck, type CheckPreview } from '../../../src/core/bandwidth/checkPreview.js';
import { mostBytesAtOnce, mostSecondsOf } from '../../../src/core/bandwidth/requestBounds.js';
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

  it('has a sweep in order, and a sustained rate in two files of each stream, within the space', () => {
    const { request } = previewCheck(
      checkSettings({
        sizeBytes: 1e9,
        streams: 4,
        spaceBytes: 2 * GiB,
        sweepStreams: [8, 1, 2, 2],
        isSustained: true,
        seconds: 20,
      }),
      targetFacts(),
      null,
    );
    expect(request).toMatchObject({
      sweep: { streams: [1, 2, 8], repeats: 3, seconds: 20, spaceBytes: 2 * GiB },
      sustained: { streams: 4, fileBytes: GiB / 4, mostBytes: 300e9, mostSeconds: 300 },
    });
    expect(request && mostBytesAtOnce(request)).toBe(2 * GiB);
    expect(request && mostSecondsOf(request)).toBe(20 + 20 + 300);
  });

  it('takes bounds of the sustained rate above the free space, as the room is used again, and no room above it', () => {
    const asked = checkSettings({ isSustained: true, sustainedBytes: 5e12, sustainedSeconds: 3600 });
    const { request } = previewCheck(asked, on({ freeBytes: 200e9 }), null);
    expect(request?.sustained).toMatchObject({ mostBytes: 5e12, mostSeconds: 3600 });
    expect(request && mostBytesAtOnce(request)).toBeLessThanOrEqual(4 * GiB);
    const roomy = { ...asked, sizeBytes: 1e6, spaceBytes: 100e9 };
    expect(previewCheck(roomy, on({ freeBytes: 200e9 }), null).refusal).toEqual({
      code: 'not-enough-space',
      detail: '200 GB free, 300 GB needed',
    });
    const swept = { ...checkSettings({ sweepStreams: [1, 2] }), sizeBytes: 1e6, spaceBytes: 100e9 };
    expect(previewCheck(swept, on({ freeBytes: 200e9 }), null).refusal?.code).toBe('not-enough-space');
  });

  it.each([
    [{ sweepStreams: [1, 2] }, 'a sweep'],
    [{ isSustained: true }, 'a sustained rate'],
  ])('refuses %j of an object store, and on several nodes', (change, words) => {
    const store = previewCheck(checkSettings(change), on({ type: 's3', freeBytes: null, freeFiles: null }), null);
    expect(store.refusal).toMatchObject({
      code: 'bad-setting',
      detail: expect.stringContaining(`${words} needs a directory`) as string,
    });
    expect(previewCheck(checkSettings(change), targetFacts(), null, 2).refusal?.detail).toContain('on one node');
    expect(previewCheck(checkSettings(change), targetFacts(), null).refusal).toBeNull();
  });

  it('refuses a sweep or a sustained rate for which there is no room or no memory', () => {
    const tight = checkSettings({ spaceBytes: 4 * 4096, streams: 1, blockBytes: 4096 });
    const refusalOf = (change: object): string | undefined =>
      previewCheck({ ...tight, ...change }, targetFacts(), null).refusal?.detail;
    expect(refusalOf({ sweepStreams: [1, 4] })).toBeUndefined();
    expect(refusalOf({ sweepStreams: [1, 5] })).toBe('the space holds no 4096 bytes for each of 5 streams');
    expect(refusalOf({ isSustained: true })).toBeUndefined();
    expect(refusalOf({ isSustained: true, streams: 4 })).toBe('the space holds no two files of 4096 bytes for each stream');
    const large = checkSettings({ sweepStreams: [1, 128], blockBytes: limits.checkBlockBytes / 8 });
    expect(previewCheck(large, targetFacts(), null).refusal?.detail).toContain('128 streams with blocks of');
  });

  it.each([
    { sweepStreams: [] },
    { sweepStreams: [3] },
    { sweepStreams: [0, 1] },
    { sweepStreams: [1, 1.5] },
    { sweepStreams: [1, limits.checkStreams + 1] },
    { sweepStreams: Array.from({ length: 1000 }, (_, index) => index) },
    { isSustained: true, sustainedBytes: 0 },
    { isSustained: true, sustainedBytes: 1.5e10 + 0.5 },
    { isSustained: true, sustainedSeconds: 0 },
    { isSustained: true, sustainedSeconds: NaN },
    { isSustained: true, sustainedSeconds: limits.sustainedSeconds + 1 },
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
