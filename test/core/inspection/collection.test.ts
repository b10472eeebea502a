/** A directory of several things has a row for each, and the rows add up. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CollectionPart, CollectionReport } from '../../../src/core/inspection/collection/collectionReport.js';
import { inspect, type InspectOptions } from '../../../src/core/inspection/inspect.js';
import type { Report } from '../../../src/core/inspection/report.js';
import { renderMarkdown } from '../../../src/core/pages/reportMarkdown.js';
import { renderTerminal } from '../../../src/core/pages/reportTerminal.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { memoryTree, type MemoryFile } from '../../builders/memoryTree.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { json } from '../../builders/torchDirectory.js';
import { torchState } from '../../builders/torchStateBuilder.js';
import { compileSchemaFile, schemaErrors } from '../../builders/schemaErrors.js';

type Files = Record<string, Uint8Array>;

async function reportOf(files: Files, options: Partial<InspectOptions> = {}): Promise<Report> {
  return (await inspect(memoryTree('share', files), { path: 'share', ...options })).report;
}

const validate = compileSchemaFile('docs/collection-report.schema.json');

/** The report, which has to be of several things; its numbers add up, and its parts inspected alone say the same. */
async function collectionOf(files: Files): Promise<CollectionReport> {
  const report = await reportOf(files);
  if (report.kind !== 'collection') throw new Error(`this is a ${report.kind}: ${report.layout}`);
  expect(schemaErrors(validate, JSON.parse(JSON.stringify(report)))).toEqual([]);
  const bytes = Object.values(files).reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(report.totalBytes).toBe(bytes);
  expect(report.parts.reduce((sum, { totalBytes }) => sum + totalBytes, report.other.bytes)).toBe(bytes);
  expect(report.parts.reduce((sum, part) => sum + part.files, report.other.files)).toBe(Object.keys(files).length);
  return report;
}

const rows = ({ parts }: CollectionReport): string[] =>
  parts.map(({ path: part, kind, layout }) => `${part} ${kind} ${layout}`).sort();

const checkpoint = 'hf/trainer-ddp-2r';
/** Two checkpoints of one run. */
const run = (under = ''): Files => ({
  ...fixtureBelow(checkpoint, under),
  ...Object.fromEntries(
    Object.entries(fixtureBelow(checkpoint, under)).map(([file, bytes]) => [file.replace('checkpoint-2', 'checkpoint-4'), bytes]),
  ),
});

describe('a directory of runs', () => {
  it('is a run for each user', async () => {
    const report = await collectionOf({
      ...run('alice'),
      ...run('bob'),
      ...run('carol'),
    });
    expect(rows(report)).toEqual(['alice checkpoint run', 'bob checkpoint run', 'carol checkpoint run']);
    const alone = await reportOf(run());
    expect(report.parts[0]).toMatchObject({ totalBytes: alone.totalBytes });
  });

  it('does not hide a distributed save beside it', async () => {
    const report = await collectionOf({ ...run('bob/trainer'), ...fixtureBelow('dcp/zstd-2r', 'bob/titan') });
    expect(report.parts.map((part) => part.path).sort()).toEqual(['bob/titan', 'bob/trainer']);
  });

  it('of one user is that run', async () => {
    expect(await reportOf(run('alice'))).toMatchObject({ kind: 'checkpoint', layout: 'run' });
  });
});

describe('data sets of several layouts', () => {
  const mixed = {
    ...fixtureBelow('datasets/mds-tokens', 'mds'),
    ...fixtureBelow('datasets/parquet-tokenized'),
    ...fixtureBelow('datasets/jsonl'),
  };

  it('have a row each, and none hides the tokens of another', async () => {
    const report = await collectionOf(mixed);
    expect(rows(report)).toEqual([' dataset jsonl', 'mds dataset mds', 'tokenized.parquet dataset parquet']);
    const tokens = report.parts.map((part) => (part.kind === 'dataset' ? part.tokens?.count : 0));
    expect(tokens.every((count) => (count ?? 0) > 0)).toBe(true);
  });

  it('keep the tokenizer of a text with the text', async () => {
    const report = await collectionOf(mixed);
    expect(report.other).toEqual({ bytes: 0, files: 0 });
    const text = report.parts.find(({ layout }) => layout === 'jsonl');
    expect(text?.kind === 'dataset' ? text.tokens?.method : '').toMatch(/token/i);
  });

  it('in one directory are distinguished by their layout', async () => {
    const report = await reportOf(mixed, { part: 'jsonl' });
    expect(report).toMatchObject({ kind: 'dataset', layout: 'jsonl' });
    await expect(reportOf(mixed, { part: 'tfrecord' })).rejects.toThrow('takes jsonl here, not tfrecord');
  });
});

it('a checkpoint and a data set lie beside each other', async () => {
  const report = await collectionOf({ ...run('run'), ...fixtureBelow('datasets/mds-tokens', 'data') });
  expect(rows(report)).toEqual(['data dataset mds', 'run checkpoint run']);
});

it('a table beside a model does not make the model unrecognised', async () => {
  const model = fixtureBelow('torch/state-dict')['model.pt'];
  const csv = new TextEncoder().encode('text,label\n'.padEnd(2_000_000, 'some words of text,1\n'));
  const report = await collectionOf({ 'net.pt': model as Uint8Array, 'data.csv': csv });
  expect(rows(report).map((row) => row.split(' ').slice(1).join(' '))).toContain('dataset text');
  expect(report.parts.find(({ kind }) => kind === 'checkpoint')).toBeDefined();
});

it('GGUF models in one directory are a model each, and shards of one name one', async () => {
  const report = await collectionOf({
    ...fixtureBelow('gguf/big-endian'),
    ...fixtureBelow('gguf/alignment'),
    ...fixtureBelow('gguf/split'),
  });
  expect(report.parts).toHaveLength(3);
  expect(report.parts.every(({ layout }) => layout === 'gguf')).toBe(true);
});

it('GGUF models do not hide what lies in directories beside them', async () => {
  const beside = fixtureBelow(checkpoint, 'run');
  const report = await collectionOf({ ...fixtureBelow('gguf/big-endian'), ...fixtureBelow('gguf/alignment'), ...beside });
  expect(report.parts).toHaveLength(3);
  expect(report.other).toEqual({ bytes: 0, files: 0 });
});

it('links of a collection are noted, also where there is nothing else to note', async () => {
  const report = await collectionOf({ ...run('run'), ...fixtureBelow('datasets/mds-tokens', 'data') });
  expect(report.findings).toEqual([]);
  const linked = memoryTree('share', {
    ...run('run'),
    ...fixtureBelow('datasets/mds-tokens', 'data'),
    other: { entry: { link: { target: '/elsewhere', inside: false, isDirectory: true } } },
    'a.log': { entry: { fileId: '1:2' }, bytes: new Uint8Array(8) },
    'b.log': { entry: { fileId: '1:2' }, bytes: new Uint8Array(8) },
  });
  const { report: withLinks } = await inspect(linked, { path: 'share' });
  expect(withLinks.findings.map(({ code, severity }) => [code, severity])).toEqual([
    ['link-not-followed', 'note'],
    ['hard-link', 'note'],
  ]);
  expect(renderTerminal(withLinks, { width: 100, color: false })).toContain('Findings: 2 notes');
});

it('rows of the files of a directory itself have the name of their part', async () => {
  const report = await collectionOf({ ...fixtureBelow('datasets/jsonl'), ...fixtureBelow('datasets/mds-tokens', 'mds') });
  expect(renderTerminal(report, { width: 100, color: false })).toMatch(/^ {2}\. \(jsonl\)/m);
  expect(renderMarkdown(report)).toContain('| `. (jsonl)` |');
});

it('says which links to directories beside the parts are not followed', async () => {
  const link = { target: '/scratch/runs', inside: false, isDirectory: true };
  const files = { ...run('alice'), ...run('bob'), old: { entry: { link, sizeBytes: 0 } } };
  const { report } = await inspect(memoryTree('share', files), { path: 'share' });
  expect(report).toMatchObject({ kind: 'collection', findings: [{ code: 'link-not-followed', path: 'old' }] });
});

it('a tree of sources is no corpus', async () => {
  const source = new TextEncoder().encode('print("hello")\n');
  const files = Object.fromEntries(
    Array.from({ length: 200 }, (_, at) => [`src/file${at}.${['py', 'js', 'txt', 'ts'][at % 4] ?? ''}`, source]),
  );
  expect(await reportOf(files)).toMatchObject({ kind: 'checkpoint', layout: 'unknown' });
});

it('says what lies there, in a terminal and in Markdown', async () => {
  const report = await collectionOf({
    ...run('run'),
    ...fixtureBelow('datasets/mds-tokens', 'data'),
    'notes.md': new Uint8Array(100),
  });
  const text = renderTerminal(report, { width: 100, color: false });
  expect(text).toContain('1 run and 1 data set. Each has a report of its own.\n1 other file, 100 B.');
  expect(text).toMatch(/^ {2}run +run of \d+ checkpoints/m);
  expect(renderMarkdown(report)).toMatch(/\| `data` \| MosaicML streaming/);
  expect(text).toContain('1 warning in 1 of 2 parts: their own reports list them.');
});

it('says of each model whether it loads', async () => {
  const model = {
    model_type: 'gpt2',
    architectures: ['GPT2Model'],
    n_layer: 0,
    n_embd: 4,
    n_head: 1,
    n_positions: 8,
    vocab_size: 16,
  };
  const shapes = { 'wte.weight': [16, 4], 'wpe.weight': [8, 4], 'ln_f.weight': [4], 'ln_f.bias': [4] };
  const weights = (of: Record<string, number[]>): Uint8Array =>
    buildSafetensors({
      tensors: Object.fromEntries(Object.entries(of).map(([name, shape]) => [name, { dtype: 'F32', shape }])),
    });
  const report = await collectionOf({
    'config.json': json({ ...model, bos_token_id: 0, eos_token_id: 0 }),
    'model.safetensors': weights(shapes),
    'original/consolidated.00.pth': torchState((tensor) => ({ 'tok_embeddings.weight': tensor([32, 8]) })),
  });
  const loads = report.parts.map((part) => [part.path, part.kind === 'checkpoint' ? part.load?.verdict : undefined]);
  expect(loads).toContainEqual(['', 'loads']);
  const line = 'Loading of .: Loads in transformers as GPT2Model.';
  expect(renderTerminal(report, { width: 100, color: false })).toContain(line);
  expect(renderMarkdown(report)).toContain(line);
});

describe('data sets of one layout in directories of their own', () => {
  it.each([
    ['cached', 'hub/datasets', 'arrow-map-cache/data/cache/generator', 'huggingface-dataset', ['a___one', 'b___two']],
    ['saved to disk', '', 'arrow-lists/data/tokenized', 'huggingface-dataset', ['wiki', 'code']],
    ['with an index each', '', 'litdata-tokens/data/tokens', 'litdata', ['wiki', 'code']],
    ['of Streaming', '', 'mds-bytes-zstd/data/data', 'mds', ['wiki', 'code']],
  ])('are a row each: %s', async (_, under, source, layout, names) => {
    const [name = ''] = source.split('/');
    const files = fixtureBelow(`datasets/${name}`);
    const inside = source.slice(`${name}/data/`.length);
    const below = (directory: string): Files =>
      Object.fromEntries(
        Object.entries(files)
          .filter(([file]) => file.startsWith(`${inside}/`))
          .map(([file, bytes]) => [path.posix.join(under, directory, file.slice(inside.length + 1)), bytes]),
      );
    const [first = '', second = ''] = names;
    const report = await collectionOf({ ...below(first), ...below(second) });
    expect(rows(report)).toEqual([first, second].map((each) => `${path.posix.join(under, each)} dataset ${layout}`).sort());
    // Splits, and shards of one save, are one data set.
    expect((await reportOf({ ...below('train'), ...below('validation') })).kind).toBe('dataset');
    expect((await reportOf({ ...below('shard_0'), ...below('shard_1') })).kind).toBe('dataset');
  });

  it('are a row each: pairs of Megatron', async () => {
    const pairs = {
      ...fixtureBelow('megatron-indexed/u16-multidoc', 'wiki'),
      ...fixtureBelow('megatron-indexed/u16-multidoc', 'code'),
    };
    expect(rows(await collectionOf(pairs))).toEqual(['code dataset megatron-indexed', 'wiki dataset megatron-indexed']);
  });

  it('are one where a directory has no index, or the layout has none', async () => {
    const { 'code/index.json': _, ...files } = { ...mdsBelow('wiki'), ...mdsBelow('code') };
    expect((await reportOf(files)).kind).toBe('dataset');
    const text = new TextEncoder().encode('{"text": "a line of text"}\n'.repeat(400));
    expect((await reportOf({ 'wiki/a.jsonl': text, 'code/a.jsonl': text })).kind).toBe('dataset');
  });
});

const mdsBelow = (directory: string): Files =>
  Object.fromEntries(
    Object.entries(fixtureBelow('datasets/mds-bytes-zstd')).map(([file, bytes]) => [
      file.replace(/^data\//, `${directory}/`),
      bytes,
    ]),
  );

describe('a part whose weights are a link to those of another', () => {
  it('has their parameters, and none of their bytes', async () => {
    const other = 'hf/qwen3-tied';
    const files: Record<string, MemoryFile> = {
      ...fixtureBelow('hf/gpt2-tied', 'base'),
      ...fixtureBelow(other, 'other'),
      'linked/config.json': fixtureBelow('hf/gpt2-tied')['config.json'] as Uint8Array,
      'linked/model.safetensors': {
        entry: { link: { target: '../base/model.safetensors', inside: true, entry: 'base/model.safetensors' } },
      },
    };
    const { report } = await inspect(memoryTree('share', files), { path: 'share' });
    if (report.kind !== 'collection') throw new Error('it is a collection');
    const rowOf = (name: string): CollectionPart | undefined => report.parts.find((part) => part.path === name);
    const [base, linked] = [rowOf('base'), rowOf('linked')];
    if (base?.kind !== 'checkpoint' || linked?.kind !== 'checkpoint') throw new Error('both are checkpoints');
    expect(linked.parameters).toBe(base.parameters);
    expect(linked.parameters).toBeGreaterThan(0);
    expect(linked.totalBytes).toBe((files['linked/config.json'] as Uint8Array).byteLength);
    expect(linked.findingCodes).toEqual(['link-outside']);
  });
});
