/** Checkpoints, vocabularies and arrays among the source code of a project: what is a part, and what is not. */
import { describe, expect, it } from 'vitest';
import { inspect, type InspectOptions } from '../../../src/core/inspection/inspect.js';
import type { Report } from '../../../src/core/inspection/report.js';
import { headlineOf } from '../../../src/core/pages/checkpoint/headline.js';
import { collectionHeadlineOf, partFindings } from '../../../src/core/pages/collection/collectionPage.js';
import { utf8 } from '../../builders/byteWriter.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { memoryTree, type MemoryFile } from '../../builders/memoryTree.js';
import * as p from '../../builders/pickleBuilder.js';

type Files = Record<string, MemoryFile>;

const code: Files = { 'src/train.py': utf8('print(1)\n'.repeat(400)), 'README.md': utf8('# Project\n') };

const inspectFiles = async (files: Files, options: Partial<InspectOptions> = {}): Promise<Report> =>
  (await inspect(memoryTree('project', files), { path: 'project', ...options })).report;

const pathsOf = (report: Report): string[] | Report['kind'] =>
  report.kind === 'collection' ? report.parts.map((part) => part.path) : report.kind;

describe('a checkpoint in a directory', () => {
  it.each([
    ['misc/tf-bundle', 'test_data/ckpt'],
    ['hf/trainer-pure-bf16', 'outputs/run'],
    ['misc/keras-h5', 'models'],
  ])('%s is a part of its own', async (name, under) => {
    const files = { ...fixtureBelow(name, under), ...code };
    const report = await inspectFiles(files);
    expect(report.kind === 'collection' && report.parts.every((part) => `${under}/`.startsWith(`${part.path}/`))).toBe(true);
    const bytes = Object.values(files).reduce((sum, file) => sum + ('byteLength' in file ? file.byteLength : 0), 0);
    expect(report.totalBytes).toBe(bytes);
  });

  it('is found beside data sets among files whose names leave open what they are', async () => {
    const open = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `notes/m${at % 4}/k${at}/${at % 2 === 0 ? 'state' : 'state.dat'}`,
        utf8('text\n'.repeat(90)),
      ]),
    );
    const tokens = new Uint8Array(new Uint16Array(40_000).map((_, at) => (at * 7919) % 50_257).buffer);
    const files = {
      ...fixtureBelow('hf/qwen3-tied', 'notes/m1/model'),
      ...fixtureBelow('misc/tf-bundle', 'notes/m2/ckpts'),
      'notes/m3/tokens/train.bin': tokens,
      ...code,
    };
    const found = pathsOf(await inspectFiles(files));
    expect(found).toEqual(['notes/m3', 'notes/m1/model', 'notes/m2']);
    expect(pathsOf(await inspectFiles({ ...files, ...open }))).toEqual(found);
  });

  it('is all of it without source code', async () => {
    expect(pathsOf(await inspectFiles(fixtureBelow('misc/tf-bundle', 'ckpts')))).toBe('checkpoint');
  });
});

describe('two models in directories of their own', () => {
  const agent = fixtureBelow('stable-baselines3/ppo', 'beta');

  it.each([
    ['hf/qwen3-tied', fixtureBelow('misc/tf-bundle', 'beta')],
    ['dcp/titan-last-bf16', fixtureBelow('misc/tf-bundle', 'beta')],
    ['orbax/prng-keys', fixtureBelow('misc/tf-bundle', 'beta')],
    ['hf/old-bin', fixtureBelow('misc/tf-bundle', 'beta')],
    ['hf/qwen3-tied', agent],
    ['misc/tf-bundle', agent],
    ['hf/trainer-pure-bf16', agent],
    ['orbax/prng-keys', agent],
  ])('%s hides no other', async (name, other) => {
    const report = await inspectFiles({ ...fixtureBelow(name, 'alpha'), ...other });
    const tops = report.kind === 'collection' ? report.parts.map(({ path }) => path.split('/')[0]).sort() : report.kind;
    expect(tops).toEqual(['alpha', 'beta']);
  });
});

it('a checkpoint in one split does not hide the data', async () => {
  const data = fixtureBelow('datasets/mds-tokens', '.');
  const saved = Object.entries(fixtureBelow('hf/trainer-pure-bf16', '.')).map(([path, bytes]) => [`train/${path}`, bytes]);
  const report = await inspectFiles({ ...data, ...(Object.fromEntries(saved) as Files) });
  expect(report.kind === 'collection' && report.parts.map(({ kind, layout }) => [kind, layout])).toEqual(
    expect.arrayContaining([['dataset', 'mds']]),
  );
  const alone = await inspectFiles(data);
  const parts = report.kind === 'collection' ? report.parts : [];
  const counted = parts.reduce((sum, part) => sum + (part.kind === 'dataset' ? (part.tokens?.count ?? 0) : 0), 0);
  expect(alone.kind === 'dataset' && alone.tokens?.count).toBe(counted);
  expect(counted).toBeGreaterThan(0);
});

describe('a model below a checkpoint of a trainer', () => {
  const model = (under: string): Files => fixtureBelow('hf/llama-sharded-bf16', under);
  const save: Files = Object.fromEntries(
    Object.entries(fixtureBelow('hf/trainer-pure-bf16', 'all'))
      .filter(([path]) => /checkpoint-\d+\//.test(path))
      .map(([path, bytes]) => [path.replace(/^.*checkpoint-\d+\//, ''), bytes]),
  );

  it.each<[string, Files]>([
    ['Trainer', save],
    ['torch.distributed.checkpoint', fixtureBelow('dcp/zstd-2r', '')],
    ['Orbax', fixtureBelow('orbax/ts-ocdbt-numbered', '')],
    ['DeepSpeed', fixtureBelow('deepspeed/zero1-bf16-w2', '')],
    ['Accelerate', fixtureBelow('accelerate/single-stateful-dataloader-ema', '')],
  ])('%s is not added to it', async (_, files) => {
    const alone = await inspectFiles(files);
    const report = await inspectFiles({ ...files, ...model('merged') });
    const parameters =
      report.kind === 'collection' ? report.parts.map((part) => (part.kind === 'checkpoint' ? part.parameters : 0)) : [];
    expect(parameters).toContain(26_784);
    expect(report.kind === 'collection' && report.parts.length).toBe(alone.kind === 'collection' ? alone.parts.length + 1 : 2);
  });

  it('does not stand in for weights that are lost', async () => {
    const { 'model.safetensors': lost, ...left } = save;
    expect(lost).toBeDefined();
    const report = await inspectFiles({ ...left, ...model('merged') });
    expect(report.kind === 'collection' && report.parts.map(({ path, verdict }) => [path, verdict])).toEqual(
      expect.arrayContaining([['merged', 'weights-only']]),
    );
    expect(report.kind === 'collection' && report.parts.every(({ verdict }) => verdict !== 'complete')).toBe(true);
  });
});

describe('a model in a directory beside data', () => {
  it.each(['misc/onnx-external', 'orbax/ts-ocdbt-interior', 'dcp/zstd-2r', 'misc/tf-bundle', 'hf/qwen3-tied'])(
    '%s is not hidden by them',
    async (name) => {
      const report = await inspectFiles({ ...fixtureBelow('datasets/array-record', 'alpha'), ...fixtureBelow(name, 'beta') });
      const parts = report.kind === 'collection' ? report.parts.map(({ path, kind }) => [path.split('/')[0], kind]) : report.kind;
      expect(parts).toEqual([
        ['alpha', 'dataset'],
        ['beta', 'checkpoint'],
      ]);
    },
  );
});

describe('what holds nothing', () => {
  const settings = p.pickle(p.dict([p.str('train'), p.list(p.int(1))]));

  it('is no row beside a model', async () => {
    const report = await inspectFiles({ ...fixtureBelow('hf/qwen3-tied', 'model'), ...code, 'tests/data/splits.pkl': settings });
    expect(pathsOf(report)).toEqual(['model']);
    expect(report.kind === 'collection' && report.other.files).toBe(3);
  });

  it('is no collection alone', async () => {
    const report = await inspectFiles({ ...code, 'tests/data/splits.pkl': settings });
    expect(report).toMatchObject({ kind: 'checkpoint', resume: { verdict: 'none' } });
  });

  it('is a row where there is something to report', async () => {
    const harmful = p.pickle(p.reduce(p.global('os', 'system'), p.tuple(p.str('true'))));
    const report = await inspectFiles({ ...fixtureBelow('hf/qwen3-tied', 'model'), ...code, 'tests/data/splits.pt': harmful });
    expect(pathsOf(report)).toContain('tests/data');
    expect(report.checks.notDone).toEqual(['what is in 2 other files (3.61 kB)']);
  });

  it('is a vocabulary without tensors', async () => {
    const report = await inspectFiles({ ...fixtureBelow('gguf/vocab-only', 'models'), ...code });
    expect(report).toMatchObject({ kind: 'checkpoint', resume: { verdict: 'none' } });
  });

  it('is a few arrays beside other files', async () => {
    const arrays = Object.fromEntries(
      Object.entries(fixtureBelow('misc/npz-optimizer', 'assets')).map(([, bytes], at) => [`assets/filters${at}.npz`, bytes]),
    );
    const report = await inspectFiles({ ...arrays, ...code });
    if (report.kind !== 'checkpoint') throw new Error(report.kind);
    expect(report.resume.verdict).toBe('none');
    expect(report.bytesPerParameter).toBeNull();
    expect(headlineOf(report).resume).toMatch(/^No checkpoint: \d+ arrays beside other files\.$/);
  });
});

it('a part that is all of its directory is also read by its name', async () => {
  const files = fixtureBelow('hf/qwen3-tied', 'model');
  expect((await inspectFiles(files, { part: 'checkpoint' })).kind).toBe('checkpoint');
  await expect(inspectFiles(files, { part: 'parquet' })).rejects.toThrow(/takes the name of one of several things/);
});

it('says in how many parts there are findings', async () => {
  const pointer = utf8(`version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 123456\n`);
  const models = Object.fromEntries(['a', 'b', 'c'].map((name) => [`${name}/model.onnx`, pointer]));
  const report = await inspectFiles({ ...models, ...code });
  if (report.kind !== 'collection') throw new Error(report.kind);
  expect(partFindings(report)).toBe('3 errors in 3 of 3 parts: their own reports list them.');
  expect(collectionHeadlineOf(report).what).toBe('3 checkpoints. Each has a report of its own.');
});

it('a model whose weights are a link to those of another is known by its names', async () => {
  const base = fixtureBelow('hf/qwen3-tied', 'base');
  const linked = { entry: { sizeBytes: 0, link: { target: '../base/model.safetensors', inside: true } } };
  const config = base['base/config.json'] as MemoryFile;
  const report = await inspectFiles({ ...base, 'exp/config.json': config, 'exp/model.safetensors': linked });
  expect(report.kind === 'collection' && report.parts.find((part) => part.path === 'exp')).toMatchObject({
    verdict: 'weights-only',
    findings: {},
  });
});
