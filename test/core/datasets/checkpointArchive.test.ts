/** Archives of checkpoints, and directories of copies, among the shards of a data set. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { inspect } from '../../../src/core/inspection/inspect.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { buildTar } from '../../builders/tarBuilder.js';

type Files = Record<string, Uint8Array>;

const reportOf = async (files: Files) => (await inspect(memoryTree('data', files), { path: 'data' })).report;

/** Smaller than the shards: a directory that is mostly something else is no data set. */
const save = fixtureBelow('hf/trainer-model-only');
const archive = buildTar(Object.entries(save).map(([name, data]) => ({ name, data })));
const shards = fixtureBelow('datasets/webdataset');

describe('the archive of a checkpoint', () => {
  it.each<[string, Uint8Array]>([
    ['checkpoint-2.tar', archive],
    ['checkpoint-2.tar.gz', gzipSync(archive)],
    ['model.tgz', gzipSync(archive)],
  ])('%s is no shard of the data beside it', async (name, bytes) => {
    const alone = await reportOf(shards);
    const report = await reportOf({ ...shards, [name]: bytes });
    if (alone.kind !== 'dataset' || report.kind !== 'dataset') throw new Error(`this is a ${report.kind}`);
    expect(report.layout).toBe('webdataset');
    expect(report.sampleCount).toEqual(alone.sampleCount);
    expect(report.findings).toMatchObject([{ code: 'checkpoint-archived', severity: 'note', path: name }]);
    expect(report.files.find(({ path }) => path === name)?.role).toBe('archive of a checkpoint');
  });

  it.each(['checkpoint-2.tar', 'checkpoint-2.tar.gz'])('%s alone is no data set', async (name) => {
    const report = await reportOf({ [name]: name.endsWith('gz') ? gzipSync(archive) : archive });
    expect(report).toMatchObject({ kind: 'checkpoint', resume: { verdict: 'unknown' } });
    expect(report.findings.map(({ code }) => code)).toContain('checkpoint-archived');
  });

  it('is not every archive of tensors', async () => {
    const samples = Array.from({ length: 8 }, (_, at) => `0000${at}`).flatMap((key) => [
      { name: `${key}.model.bin`, data: new Uint8Array(8) },
      { name: `${key}.features.pth`, data: new Uint8Array(8) },
    ]);
    const report = await reportOf({ 'train-000000.tar': buildTar(samples) });
    expect(report).toMatchObject({ kind: 'dataset', layout: 'webdataset' });
  });
});

describe('a directory of copies', () => {
  const parquet = fixtureBelow('datasets/parquet-text-shards');
  const [first = '', ...others] = Object.keys(parquet).filter((path) => path.endsWith('.parquet'));
  const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  const copied = (directory: string, paths: readonly string[]): Files =>
    Object.fromEntries(paths.map((path) => [`${directory}/${nameOf(path)}`, parquet[path] as Uint8Array]));

  it.each(['backup', 'data/old', 'x', 'data/2024-01-01'])(
    '%s with some of the shards does not make the others miss',
    async (directory) => {
      const alone = await reportOf(parquet);
      const report = await reportOf({ ...parquet, ...copied(directory, [first]) });
      if (alone.kind !== 'dataset' || report.kind !== 'dataset') throw new Error(`this is a ${report.kind}`);
      expect(report.findings).toMatchObject([{ code: 'shard-copied', path: `${directory}/${nameOf(first)}` }]);
      expect(report.sampleCount).toEqual(alone.sampleCount);
    },
  );

  it('with all of them counts once', async () => {
    const alone = await reportOf(parquet);
    const report = await reportOf({ ...parquet, ...copied('backup', [first, ...others]) });
    if (alone.kind !== 'dataset' || report.kind !== 'dataset') throw new Error(`this is a ${report.kind}`);
    expect(report.findings.map(({ code }) => code)).toEqual(['shard-copied']);
    expect(report.sampleCount).toEqual(alone.sampleCount);
  });

  it('a set that is spread over directories misses nothing', async () => {
    const report = await reportOf({ ...copied('a', [first]), ...copied('b', others) });
    expect(report.findings.map(({ code }) => code)).not.toContain('shard-count-differs');
    const lost = await reportOf({ ...copied('a', [first]), ...copied('b', others.slice(1)) });
    expect(lost.findings.map(({ code }) => code)).toContain('shard-count-differs');
  });
});
