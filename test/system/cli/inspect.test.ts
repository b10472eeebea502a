/** The built command line as its users run it: exit codes and forms are the contract. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stowage } from './stowage.js';

const checkpoint = 'samples/llama-tiny-trainer/checkpoint-30';
const damaged = 'samples/damaged-model';
/** Weights without an optimizer: warnings, and no error. */
const incomplete = 'test/fixtures/frameworks/hf/trainer-model-only/data';
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'stowage-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('exit codes', () => {
  it.each([
    ['0 when a report was made', ['inspect', checkpoint], 0],
    ['0 for a damaged one without --fail-on', ['inspect', damaged], 0],
    ['1 for a damaged one with --fail-on error', ['inspect', damaged, '--fail-on', 'error'], 1],
    ['0 for an intact one with --fail-on warning', ['inspect', checkpoint, '--fail-on', 'warning'], 0],
    ['0 for one with warnings and --fail-on error', ['inspect', incomplete, '--fail-on', 'error'], 0],
    ['1 for one with warnings and --fail-on warning', ['inspect', incomplete, '--fail-on', 'warning'], 1],
    ['2 without a command', [], 2],
    ['2 for an unknown command', ['explode'], 2],
    ['2 for an unknown flag', ['inspect', checkpoint, '--yaml'], 2],
    ['0 for two paths', ['inspect', checkpoint, incomplete], 0],
    ['1 for two paths of which one is damaged', ['inspect', checkpoint, damaged, '--fail-on', 'error'], 1],
    ['3 for two paths of which one is not there', ['inspect', checkpoint, 'samples/no such thing'], 3],
    ['2 without a path', ['inspect'], 2],
    ['1 for a code that was found', ['inspect', incomplete, '--fail-on-code', 'file-truncated,optimizer-missing'], 1],
    ['0 for codes that were not', ['inspect', incomplete, '--fail-on-code', 'file-truncated,pickle-import-unexpected'], 0],
    ['2 for a code that there is not', ['inspect', incomplete, '--fail-on-code', 'nothing'], 2],
    ['1 for a part with an error', ['inspect', 'samples', '--fail-on', 'error'], 1],
    ['2 for a part that has no name', ['inspect', checkpoint, '--part', 'nothing'], 2],
    ['2 for a part without its name', ['inspect', checkpoint, '--part'], 2],
    ['2 for a wrong severity', ['inspect', checkpoint, '--fail-on', 'note'], 2],
    ['2 for a seed that is none', ['inspect', checkpoint, '--seed', '1.5'], 2],
    ['2 for no time to sample in', ['inspect', checkpoint, '--sample-seconds', '0'], 2],
    ['2 for a tokenizer that is not there', ['inspect', checkpoint, '--tokenizer', 'no such file'], 2],
    ['2 for a tokenizer that is none', ['inspect', checkpoint, '--tokenizer', 'package.json'], 2],
    ['2 for a folder as tokenizer', ['inspect', checkpoint, '--tokenizer', 'samples'], 2],
    ['3 for a path that is not there', ['inspect', 'samples/no such thing'], 3],
    ['0 for --help', ['--help'], 0],
    ['0 for --version', ['--version'], 0],
  ])('%s', (_, args, status) => {
    expect(stowage(...args).status).toBe(status);
  });
});

it('is executable, as npx needs it', () => {
  expect(() => accessSync('dist/cli.js', constants.X_OK)).not.toThrow();
  expect(spawnSync('dist/cli.js', ['--version'], { encoding: 'utf8' }).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it('takes the index file of a dataset for the folder around it, and no other file of its name', () => {
  const dataset = 'test/fixtures/frameworks/datasets/arrow-lists/data/tokenized';
  const { path: shown, layout } = JSON.parse(stowage('inspect', `${dataset}/state.json`, '--json').stdout) as Record<
    string,
    unknown
  >;
  expect([shown, layout]).toEqual([dataset, 'huggingface-dataset']);
  const other = path.join(folder, 'index.json');
  writeFileSync(other, '{"name": "web"}');
  expect(JSON.parse(stowage('inspect', other, '--json').stdout)).toMatchObject({ totalBytes: 15 });
  rmSync(other);
});

describe('forms', () => {
  it('--json is one object, with tensors only when asked for', () => {
    const plain = JSON.parse(stowage('inspect', checkpoint, '--json').stdout) as { tensors?: unknown; totalBytes: number };
    expect(plain.tensors).toBeUndefined();
    const whole = JSON.parse(stowage('inspect', checkpoint, '--json', '--tensors').stdout) as {
      tensors: unknown[];
      tensorCount: number;
    };
    expect(whole.tensors).toHaveLength(whole.tensorCount);
  });

  it('the summary has the sentence, the components and what was read', () => {
    const { stdout } = stowage('inspect', checkpoint);
    expect(stdout).toMatch(/first and second moments/);
    expect(stdout).toMatch(/bytes per parameter = /);
    expect(stdout).toMatch(/nothing was executed/);
    // oxlint-disable-next-line no-control-regex -- a pipe gets no colours
    expect(stdout).not.toMatch(/\u001b/);
  });

  it('--markdown is a table that can be pasted', () => {
    expect(stowage('inspect', checkpoint, '--markdown').stdout).toMatch(/\| component \| bytes \| size \|/);
  });

  it('a file by itself is a report too', () => {
    const { stdout, status } = stowage('inspect', `${checkpoint}/model.safetensors`, '--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ layout: 'safetensors-file', components: { weights: {} } });
  });

  it('a shard and an adapter by themselves are read with what lies beside them, and miss only what does not', () => {
    const codesOf = (file: string): string[] =>
      (JSON.parse(stowage('inspect', file, '--json').stdout) as { findings: { code: string }[] }).findings.map(
        ({ code }) => code,
      );
    const shard = 'model-00001-of-00003.safetensors';
    expect(codesOf(`samples/llama-tiny-sharded/${shard}`)).toEqual([]);
    expect(codesOf('samples/llama-tiny-lora/adapter_model.safetensors')).toEqual(['base-model-elsewhere']);
    const lone = path.join(folder, 'lone');
    mkdirSync(lone);
    copyFileSync(`samples/llama-tiny-sharded/${shard}`, path.join(lone, shard));
    const codes = codesOf(path.join(lone, shard));
    rmSync(lone, { recursive: true });
    expect(codes.length).toBeGreaterThan(0);
  });

  it('a folder without a checkpoint is reported as such', () => {
    writeFileSync(path.join(folder, 'notes.xyz'), 'hello');
    const report = JSON.parse(stowage('inspect', folder, '--json').stdout) as {
      findings: { code: string }[];
      components: object;
    };
    expect(report.findings.map(({ code }) => code)).toContain('layout-unknown');
    expect(report.components).toEqual({ unexplained: { tensorBytes: 0, otherBytes: 5, logicalBytes: 0, tensors: 0, files: 1 } });
  });
});

describe('raw text', () => {
  const tokenizer = 'test/fixtures/frameworks/datasets/jsonl/data/tokenizer.json';
  const words = Array.from({ length: 2000 }, (_, index) => `word ${index * index} of ${index} `.repeat(1 + (index % 40)));
  const estimateOf = (...flags: string[]) => {
    const file = path.join(folder, 'raw.txt');
    writeFileSync(file, `${words.join('\n').repeat(8)}\n`);
    const { stdout } = stowage('inspect', file, '--json', ...flags);
    return (JSON.parse(stdout) as { tokens: { count: number; confidence: number | null } }).tokens;
  };

  it('is tokenized with the file that --tokenizer names, at the places that --seed draws', () => {
    expect(estimateOf().confidence).toBeNull();
    const [one, two] = ['1', '2'].map((seed) => estimateOf('--tokenizer', tokenizer, '--seed', seed));
    expect(one?.confidence).toBe(0.95);
    expect(two?.count).not.toBe(one?.count);
  });

  it('says which flag tells more', () => {
    const file = path.join(folder, 'short.txt');
    writeFileSync(file, 'some words\n'.repeat(100));
    expect(stowage('inspect', file).stdout).toContain('--tokenizer FILE tokenizes samples');
    expect(stowage('inspect', file, '--tokenizer', tokenizer).stdout).not.toContain('--tokenizer FILE');
  });
});
