/** A bandwidth check from its settings to its report, with a service that writes nothing. */
import { describe, expect, it, vi } from 'vitest';
import { checkBandwidth, previewOfCheck } from '../../../src/app/bandwidth/checkBandwidth.js';
import { previewBandwidth } from '../../../src/app/bandwidth/previewBandwidth.js';
import { CheckError } from '../../../src/core/bandwidth/checkError.js';
import { checkSettings, fileSystemFacts, measurement, targetFacts } from '../../builders/bandwidthCheck.js';
import { memoryPlatform } from '../../builders/memoryPlatform.js';

const files = { '/runs/checkpoint-1/a.bin': new Uint8Array(512), '/runs/checkpoint-2/a.bin': new Uint8Array(4096) };
const input = { target: '/data/runs', sizeBytes: 2 ** 30 };

describe('previewOfCheck', () => {
  it('writes nothing, and answers the request and what it means', async () => {
    const run = vi.fn(() => Promise.resolve(measurement()));
    const answer = await previewOfCheck(memoryPlatform(files, { service: { run } }), input);
    expect(answer.report).toMatchObject({ refusal: null, request: { target: '/data/runs', seconds: 30, repeats: 3 } });
    expect(answer.markdown()).toContain('/data/runs');
    expect(run).not.toHaveBeenCalled();
  });

  it('replays the files of a checkpoint', async () => {
    const { report } = await previewOfCheck(memoryPlatform(files), { target: '/data/runs', replayOf: '/runs/checkpoint-2' });
    expect(report.request?.shape).toMatchObject({ replayOf: '/runs/checkpoint-2', realBytes: 4096 });
  });

  it('asks for one of several checkpoints', async () => {
    const weights = new Uint8Array(64);
    const models = { '/models/a/model.safetensors': weights, '/models/b/model.safetensors': weights };
    await expect(previewOfCheck(memoryPlatform(models), { ...input, replayOf: '/models' })).rejects.toThrow('Name one: a, b');
  });

  it('reports the checkpoint that cannot be listed before the directory that cannot be measured', async () => {
    const facts = () => Promise.reject(new CheckError('not-found', 'no directory'));
    const platform = memoryPlatform(files, { service: { facts } });
    await expect(previewOfCheck(platform, input)).rejects.toMatchObject({ code: 'not-found' });
    await expect(previewOfCheck(platform, { ...input, replayOf: '/nowhere' })).rejects.toMatchObject({ code: 'io' });
  });
});

it('leaves the login node out where the nodes of a job write', async () => {
  const facts = () => Promise.resolve(targetFacts({ loginNode: 'its name' }));
  const platform = memoryPlatform(files);
  const here = await previewBandwidth(platform, { facts }, checkSettings());
  expect(here.warnings).toEqual([{ code: 'login-node', reason: 'its name' }]);
  const there = await previewBandwidth(platform, { facts }, checkSettings(), { nodes: 2 });
  expect(there.warnings).toEqual([]);
  expect(there.request?.shape.totalBytes).toBeLessThan(here.request?.shape.totalBytes ?? 0);
});

describe('checkBandwidth', () => {
  it('measures what the preview has shown', async () => {
    const requests: unknown[] = [];
    const run = (request: unknown) => (requests.push(request), Promise.resolve(measurement()));
    const platform = memoryPlatform(files, { service: { run } });
    const { report, markdown } = await checkBandwidth(platform, { ...input, seconds: 5, intervalSeconds: 60 });
    expect(requests).toEqual([(await previewOfCheck(platform, { ...input, seconds: 5 })).report.request]);
    expect(report).toMatchObject({
      kind: 'bandwidth',
      path: '/data/runs',
      verdict: { interval: { seconds: 60, isAssumed: false } },
    });
    expect(markdown()).toContain('2.1 GB/s');
  });

  it('throws the reason why it cannot be made, and measures nothing', async () => {
    const run = vi.fn(() => Promise.resolve(measurement()));
    const facts = () => Promise.resolve(targetFacts({ fileSystem: fileSystemFacts({ freeBytes: 2 ** 29 }) }));
    const full = memoryPlatform(files, { service: { run, facts } });
    await expect(checkBandwidth(full, { ...input, spaceBytes: 2 ** 30 })).rejects.toMatchObject({ code: 'not-enough-space' });
    await expect(checkBandwidth(full, { ...input, repeats: 0 })).rejects.toMatchObject({ code: 'bad-setting' });
    expect(run).not.toHaveBeenCalled();
  });
});
