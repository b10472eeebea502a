/** One inspection, as the command line and other faces ask for it. */
import { describe, expect, it } from 'vitest';
import { inspectPath } from '../../../src/app/inspection/inspectPath.js';
import { InputError, PathError } from '../../../src/app/useCaseError.js';
import type { Report } from '../../../src/core/inspection/report.js';
import { mdsIndex, mdsShard } from '../../builders/mdsBuilder.js';
import { memoryPlatform } from '../../builders/memoryPlatform.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';

const weights = buildSafetensors({ tensors: { 'layer.weight': { dtype: 'BF16', shape: [2, 3] } } });
const shard = mdsShard('shard.00000.mds', [{ name: 'x', encoding: 'bytes', size: null }], [[new Uint8Array(4)]]);
const text = '{"text": "one two three"}\n'.repeat(50);
const platform = memoryPlatform({
  '/m/model.safetensors': weights,
  '/d/index.json': mdsIndex(shard.entry),
  '/d/shard.00000.mds': shard.bytes,
  '/web/index.json': '{"name": "a project"}',
  '/web/app.js': 'x',
  '/t/train.jsonl': text,
  '/no-tokenizer.json': '{}',
  '/share/run/model.safetensors': weights,
  '/share/data/index.json': mdsIndex(shard.entry),
  '/share/data/shard.00000.mds': shard.bytes,
});

function datasetOf(report: Report) {
  if (report.kind !== 'dataset') throw new Error(`this is a ${report.kind}`);
  return report;
}

describe('inspectPath', () => {
  it('answers a report in every form', async () => {
    const answer = await inspectPath(platform, { path: '/m' });
    expect(answer.report).toMatchObject({ kind: 'checkpoint', path: '/m', parameters: { unique: 6 } });
    expect(JSON.parse(answer.json())).toEqual(JSON.parse(JSON.stringify(answer.report)));
    expect(answer.json()).toMatch(/\}\n$/);
    expect(answer.markdown()).toContain('6 parameters');
    expect(answer.terminal({ width: 80, color: false })).not.toContain('layer.weight');
  });

  it('says of several things which answers only one of them has', async () => {
    const answer = await inspectPath(platform, { path: '/share', tensors: true, trainTokens: 1e9, ranks: 8 });
    expect(answer.report).toMatchObject({ kind: 'collection' });
    expect(answer.report.checks.notDone).toEqual([
      'the list of tensors: inspect a part for it',
      'what a training run reads: inspect a data set for it',
      'whether a job of other sizes can resume: inspect a checkpoint for it',
    ]);
    expect(answer.terminal({ width: 80, color: false })).toContain('Not done: the list of tensors: inspect a part for it.');
    expect(answer.markdown()).toContain('Not done: the list of tensors');
    await expect(inspectPath(platform, { path: '/share' })).resolves.toMatchObject({ report: { checks: { notDone: [] } } });
  });

  it('says what a part may be where it is none of those', async () => {
    const wrong = inspectPath(platform, { path: '/m', part: 'parquet' });
    await expect(wrong).rejects.toThrow(InputError);
    await expect(wrong).rejects.toThrow('part takes the name of one of several things in a directory, and here is one');
  });

  it('lists tensors only where they are asked for', async () => {
    expect((await inspectPath(platform, { path: '/m' })).report).not.toHaveProperty('tensors');
    const answer = await inspectPath(platform, { path: '/m', tensors: true });
    expect(answer.report).toMatchObject({ tensors: [{ name: 'layer.weight', shape: [2, 3], files: ['model.safetensors'] }] });
    expect(answer.terminal({ width: 80, color: false })).toContain('layer.weight\tbf16\t[2, 3]\t12 B');
  });

  it('states what a data set has no answer for', async () => {
    const { report } = await inspectPath(platform, { path: '/d', ranks: 8, tensors: true });
    expect(datasetOf(report).checks.notDone).toEqual(
      expect.arrayContaining([
        'the list of tensors: a data set has none',
        'whether a job of other sizes can resume: a data set is no checkpoint',
      ]),
    );
  });

  it('takes the folder around the index file of a dataset', async () => {
    const { report } = await inspectPath(platform, { path: '/d/index.json' });
    expect(report).toMatchObject({ kind: 'dataset', layout: 'mds', path: '/d' });
  });

  it('takes another file of that name as it is', async () => {
    const { report } = await inspectPath(platform, { path: '/web/index.json' });
    expect(report.path).toBe('/web/index.json');
  });

  it('reports what a training run reads, with standards for what is not given', async () => {
    expect(datasetOf((await inspectPath(platform, { path: '/t' })).report).demand).toBeUndefined();
    const { report } = await inspectPath(platform, { path: '/t', tokensPerSecond: 500 });
    expect(datasetOf(report).demand).toMatchObject({ tokensPerSecond: 500, sequenceLength: 4096 });
  });

  it('passes progress on and can be cancelled', async () => {
    const files: string[] = [];
    await inspectPath(platform, { path: '/m' }, { onProgress: ({ file }) => files.push(file) });
    expect(files).toContain('model.safetensors');
    const abort = new AbortController();
    abort.abort();
    await expect(inspectPath(platform, { path: '/m' }, { signal: abort.signal })).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('names the path that cannot be read', async () => {
    const failed = inspectPath(platform, { path: '/nowhere' });
    await expect(failed).rejects.toThrow(PathError);
    await expect(failed).rejects.toThrow('/nowhere cannot be read: it does not exist');
  });

  it.each([
    [{ seed: -1 }, 'seed takes a whole number from 0 to 4294967295'],
    [{ seed: 1.5 }, 'seed takes'],
    [{ seed: NaN }, 'seed takes'],
    [{ sampleSeconds: 0 }, 'sampleSeconds takes a number of seconds above 0 and up to 86400'],
    [{ sampleSeconds: NaN }, 'sampleSeconds takes'],
    [{ tokensPerSecond: 0 }, 'tokensPerSecond takes a number above 0'],
    [{ trainTokens: Infinity }, 'trainTokens takes a number above 0'],
    [{ tokenizer: '/nowhere' }, 'tokenizer /nowhere: it does not exist'],
    [{ tokenizer: '/no-tokenizer.json' }, 'it has no vocabulary'],
  ])('refuses %o before it reads the path', async (input, message) => {
    const failed = inspectPath(platform, { path: '/nowhere', ...input });
    await expect(failed).rejects.toThrow(InputError);
    await expect(failed).rejects.toThrow(message);
  });
});
