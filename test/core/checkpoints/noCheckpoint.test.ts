/** Files and directories that are no checkpoint, or hold one beside other things: what is said of them. */
import { describe, expect, it } from 'vitest';
import { headlineOf } from '../../../src/core/pages/checkpoint/headline.js';
import { fileRoles } from '../../../src/core/frameworks/layouts.js';
import type { CheckpointReport } from '../../../src/core/checkpoints/checkpointReport.js';
import { patternBytes, utf8 } from '../../builders/byteWriter.js';
import { memoryTree, type MemoryFile } from '../../builders/memoryTree.js';
import * as p from '../../builders/pickleBuilder.js';
import { torchState } from '../../builders/torchStateBuilder.js';
import { inspectHostile } from '../../hostile/accountable.js';

const inspectFiles = (files: Record<string, MemoryFile>, rootName = 'here'): Promise<CheckpointReport> =>
  inspectHostile(memoryTree(rootName, files));
const codes = (report: CheckpointReport): string[] => report.findings.map(({ code }) => code);
const splits = p.pickle(p.dict([p.str('train'), p.list(p.int(1), p.int(2))]));

describe('a pickle without a tensor', () => {
  it.each([
    ['meta.pkl', splits],
    ['splits.pt', torchState(() => ({ train: [1, 2] }))],
    ['model.pt', torchState(() => ({ model: { layers: 2 } }))],
    ['model.bin', p.pickle(p.reduce(p.global('os', 'system'), p.tuple(p.str('true'))))],
  ])('%s is no weights', async (name, file) => {
    const report = await inspectFiles({ [name]: file }, name);
    expect(report.resume).toMatchObject({ verdict: 'none', present: ['trainerState'] });
    expect(Object.keys(report.components)).toEqual(['trainerState']);
    expect(report.files).toMatchObject([{ role: 'pickled object' }]);
    const { why, resume } = headlineOf(report);
    expect(why).toBe('1 file: 100.0 % pickled object.');
    expect(resume).toBe('No checkpoint: no tensors and no training state found.');
  });

  it('under the name of a model leaves it without weights', async () => {
    const report = await inspectFiles({ 'pytorch_model.bin': splits, 'config.json': utf8('{"model_type":"llama"}') });
    expect(report.resume.verdict).toBe('broken');
    expect(report.components.weights).toBeUndefined();
  });

  it('beside tensors changes nothing of them', async () => {
    const model = torchState((tensor) => ({ 'a.weight': tensor([4, 8]) }));
    const report = await inspectFiles({ 'model.pt': model, 'meta.pkl': splits });
    expect(report.resume.verdict).toBe('weights-only');
    expect(report.components.weights?.files).toBe(1);
  });
});

describe('a binary file that is not torch’s', () => {
  it.each(['weights.bin', 'tokenizer.bin'])('%s is a note', async (name) => {
    const report = await inspectFiles({ [name]: patternBytes(300) });
    expect(report.findings).toMatchObject([{ code: 'binary-not-recognised', severity: 'note' }]);
    expect(report.resume).toMatchObject({ verdict: 'none', blockedBy: [] });
    expect(report.components).toMatchObject({ unexplained: { otherBytes: 300 } });
  });

  it('is an error under the name of a model, and a pointer is one under any name', async () => {
    const pointer = utf8('version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 99\n');
    expect(codes(await inspectFiles({ 'pytorch_model.bin': patternBytes(300) }))).toContain('file-not-its-format');
    expect(codes(await inspectFiles({ 'weights.bin': pointer }))).toContain('file-is-lfs-pointer');
  });
});

describe('a repository', () => {
  const repository = {
    'README.md': utf8('# Title'),
    'uv.lock': utf8('version = 1\n'),
    'web/yarn.lock': utf8('# yarn\n'),
    'Cargo.lock': utf8('# cargo\n'),
    'poetry.lock': utf8('# poetry\n'),
    'src/train.py': utf8('import torch\n'.repeat(400)),
    'src/kernel.cu': utf8('// kernel\n'),
    'font.bin': patternBytes(64),
  };

  it('has no checkpoint, and its files are what they are', async () => {
    const report = await inspectFiles(repository);
    expect(report.resume.verdict).toBe('none');
    expect(report.layout).toBe('unknown');
    expect(codes(report).filter((code) => code !== 'layout-unknown')).toEqual(['binary-not-recognised']);
    expect(report.bytesPerParameter).toBeNull();
    expect(headlineOf(report).why).toMatch(/^8 files: 9\d\.\d % source code/);
    const roles = Object.fromEntries(report.files.map(({ path, role }) => [path, role]));
    expect(roles).toMatchObject({
      'uv.lock': 'lock file of a package manager',
      'src/train.py': 'source code',
      'src/kernel.cu': 'source code',
    });
    expect(report.components.config?.otherBytes).toBe(repository['README.md'].byteLength);
    expect(report.components.trainerState).toBeUndefined();
  });

  it('a table is no trainer state, unless it is a log', () => {
    expect(fileRoles.of('iris.csv')).toMatchObject({ role: 'table', component: 'unexplained' });
    expect(fileRoles.of('metrics.csv')).toMatchObject({ role: 'log', component: 'trainerState' });
  });

  it('the code of a model is its configuration', () => {
    for (const name of ['modeling_llama.py', 'configuration_llama.py', 'my_config.py'])
      expect(fileRoles.of(name).component).toBe('config');
  });

  const tensor = torchState((make) => ({ expected: make([2]) }));
  it('with an array of a test gives no bytes per parameter', async () => {
    const report = await inspectFiles({ ...repository, 'expected.pt': tensor, 'src/more.py': new Uint8Array(99_999) });
    expect(report.parameters.unique).toBe(2);
    expect(report.bytesPerParameter).toBeNull();
  });

  it('a lock of a file that is being written is left over', async () => {
    expect(codes(await inspectFiles({ 'model.safetensors.lock': utf8('') }))).toContain('leftover-file');
  });
});
