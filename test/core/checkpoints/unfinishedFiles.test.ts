/** What was not written, copied or downloaded whole, and what is said of it. */
import { describe, expect, it } from 'vitest';
import { utf8 } from '../../builders/byteWriter.js';
import { memoryTree, type MemoryFile } from '../../builders/memoryTree.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { json } from '../../builders/torchDirectory.js';
import { torchState } from '../../builders/torchStateBuilder.js';
import { buildZip } from '../../builders/torchZipBuilder.js';
import { inspectHostile } from '../../hostile/accountable.js';

type Files = Record<string, MemoryFile>;
const weights = buildSafetensors({ tensors: { 'a.weight': { dtype: 'F32', shape: [64, 8] } } });
const model: Files = { 'config.json': json({ model_type: 'llama' }), 'model.safetensors': weights };

async function findingsOf(files: Files) {
  const report = await inspectHostile(memoryTree('here', files));
  return { report, codes: report.findings.map(({ code, path }) => `${code} ${path ?? ''}`) };
}

describe('an interrupted hf download --local-dir', () => {
  const begun = '.cache/huggingface/download/sub/abcDEF123_-=.5c1e.incomplete';

  it('is a finding, and its bytes are those of an interrupted download', async () => {
    const { report, codes } = await findingsOf({ ...model, [begun]: new Uint8Array(50_000).fill(7) });
    expect(codes).toEqual([`download-incomplete ${begun}`]);
    expect(report.findings[0]).toMatchObject({ severity: 'warning', advice: expect.stringContaining('--local-dir') as string });
    expect(report.files.find(({ path }) => path === begun)).toMatchObject({ components: { unexplained: 50_000 } });
    expect(report.resume.verdict).toBe('weights-only');
  });
});

describe('files of a tokenizer', () => {
  it('that are empty are errors', async () => {
    const empty = new Uint8Array(0);
    const { codes } = await findingsOf({ ...model, 'tokenizer.json': empty, 'added_tokens.json': empty });
    expect(codes).toEqual(['file-empty added_tokens.json', 'file-empty tokenizer.json']);
  });

  it('that are cut are no valid JSON', async () => {
    const { codes } = await findingsOf({ ...model, 'tokenizer_config.json': utf8('{"a": "b", "chat_te') });
    expect(codes).toContain('json-corrupt tokenizer_config.json');
  });
});

it('a zip of a model is an archive of a checkpoint, and whether it resumes is not known', async () => {
  const zip = buildZip([
    { name: 'config.json', data: utf8('{}') },
    { name: 'model.safetensors', data: weights },
  ]);
  const { report, codes } = await findingsOf({ 'm.zip': zip });
  expect(codes).toContain('checkpoint-archived m.zip');
  expect(report.resume.verdict).toBe('unknown');
  expect((await findingsOf({ 'm.zip': buildZip([{ name: 'a.txt', data: utf8('words') }]) })).codes).not.toContain(
    'checkpoint-archived m.zip',
  );
});

describe('a cut torch file', () => {
  const state = torchState((tensor) => ({
    state: Object.fromEntries(Array.from({ length: 30 }, (_, at) => [String(at), { exp_avg: tensor([16, 8]) }])),
  }));

  it('has one finding, however many storages it lost', async () => {
    const { report } = await findingsOf({
      ...model,
      'trainer_state.json': json({ global_step: 1 }),
      'optimizer.pt': state.subarray(0, state.byteLength / 2),
    });
    expect(report.findings.filter(({ path }) => path === 'optimizer.pt').map(({ code }) => code)).toEqual([
      'zip-directory-missing',
    ]);
  });
});

describe('names and contents', () => {
  it('text under the name of safetensors is called text', async () => {
    const { report } = await findingsOf({
      'config.json': json({}),
      'model.safetensors': utf8('Traceback (most recent call last):\n'),
    });
    const [finding] = report.findings.filter(({ path }) => path === 'model.safetensors');
    expect(finding).toMatchObject({ code: 'file-not-its-format', message: expect.stringContaining('text') as string });
  });

  it('.tmp_model.safetensors is left over from a save', async () => {
    const { report, codes } = await findingsOf({ ...model, '.tmp_model.safetensors': weights.subarray(0, 100) });
    expect(codes).toEqual(['leftover-file .tmp_model.safetensors']);
    expect(report.resume.verdict).toBe('weights-only');
  });

  it('a part of the very shard that is missing is not to be deleted', async () => {
    const index = json({ weight_map: { 'a.weight': 'model-00001-of-00002.safetensors', b: 'model-00002-of-00002.safetensors' } });
    const { report } = await findingsOf({
      'config.json': json({}),
      'model.safetensors.index.json': index,
      'model-00001-of-00002.safetensors': weights,
      'model-00002-of-00002.safetensors.part': weights.subarray(0, 900),
    });
    const finding = report.findings.find(({ code }) => code === 'leftover-file');
    expect(finding?.message).toContain('model-00002-of-00002.safetensors itself is missing');
    expect(finding?.advice).toMatch(/^Finish the copy or download/);
  });
});
