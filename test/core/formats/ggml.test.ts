/** Files of ggml before GGUF, beyond what the fixtures have: other models, damage, and lengths that lie. */
import { describe, expect, it } from 'vitest';
import { listTensors } from '../../../src/core/inspection/reportJson.js';
import { concat, u32, utf8 } from '../../builders/byteWriter.js';
import {
  buildGgml,
  llamaHyperparameters,
  whisperFilters,
  whisperHyperparameters,
  type GgmlFile,
  type GgmlTensor,
} from '../../builders/ggmlBuilder.js';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { inspectHostile } from '../../hostile/accountable.js';

const tokens = ['<unk>', 'a', 'bc'];
const norm: GgmlTensor = { name: 'norm.weight', dimensions: [32], type: 0, data: new Uint8Array(128) };
const output: GgmlTensor = { name: 'output.weight', dimensions: [32, 3], type: 1, data: new Uint8Array(192) };
const llama: GgmlFile = { hyperparameters: llamaHyperparameters(3), tokens, tensors: [norm, output] };
const whisper: GgmlFile = {
  hyperparameters: whisperHyperparameters(5),
  filters: whisperFilters(3),
  tokens,
  tensors: [{ name: 'encoder.conv1.weight', dimensions: [3, 4, 2], type: 1, data: new Uint8Array(48) }],
};

const read = (bytes: Uint8Array, name = 'ggml-model.bin') => inspectHostile(memoryTree(name, { [name]: bytes }));

async function tensorsOf(file: GgmlFile) {
  const bytes = buildGgml(file);
  const { report, tensors } = await inspectCheckpoint(memoryTree('m.bin', { 'm.bin': bytes }), { path: 'm.bin' });
  expect(report.findings).toEqual([]);
  return listTensors(tensors, report.files);
}

describe('containers', () => {
  it.each([
    ['ggml', 0, null],
    ['ggmf', 1, '1'],
    ['ggjt', 1, '1'],
    ['ggjt', 2, '2'],
    ['ggjt', 3, '3'],
  ] as const)('%s version %i', async (container, version, shown) => {
    const report = await read(buildGgml({ ...llama, container, version }));
    expect(report.findings).toEqual([]);
    expect(report).toMatchObject({ layout: 'unknown', framework: { name: container, version: shown } });
    expect(report.files[0]).toMatchObject({ format: container, role: 'model weights' });
    expect(report.components.weights?.tensorBytes).toBe(320);
    expect(report.parameters.unique).toBe(32 + 96);
  });

  it('data of ggjt begin at multiples of 32, those of the others behind the name', async () => {
    const offsets = async (container: 'ggmf' | 'ggjt') => {
      const file = buildGgml({ ...llama, container });
      const { tensors } = await inspectCheckpoint(memoryTree('m.bin', { 'm.bin': file }), { path: 'm.bin' });
      return [0, 1].map((piece) => tensors.pieceOffset(piece));
    };
    const first = 8 + 28 + (3 * 8 + 8) + (12 + 4 + 11);
    expect(await offsets('ggmf')).toEqual([first, first + 128 + 12 + 8 + 13]);
    expect(await offsets('ggjt')).toEqual([96, 96 + 128 + 64]);
  });

  it.each(['ggml-model.bin', 'ggml-model-q4_0.bin.1', 'model.ggml', 'model.pt', 'model'])('is read as %s', async (name) => {
    const report = await read(buildGgml(llama), name);
    expect(report.findings.map(({ code }) => code)).toEqual(name === 'model.pt' ? ['name-of-another-format'] : []);
    expect(report.files[0]?.format).toBe('ggml');
  });

  it.each([
    ['ggmf', 2],
    ['ggjt', 4],
    ['ggjt', 0],
  ] as const)('%s version %i is not read', async (container, version) => {
    const report = await read(buildGgml({ ...llama, container, version }));
    expect(report.findings.map(({ code }) => code)).toEqual(['unsupported-version']);
  });
});

describe('models', () => {
  it('LLaMA: hyperparameters and tokens are shown', async () => {
    const report = await read(buildGgml({ ...llama, container: 'ggjt', version: 3 }));
    const children = report.objects[0]?.root.children ?? [];
    expect(Object.fromEntries(children.map(({ key, text }) => [key, text]))).toMatchObject({
      model: 'LLaMA',
      n_vocab: '3',
      n_head: '4',
      vocabulary: '3 entries',
    });
  });

  it('Whisper: filters, and fewer tokens than the model has', async () => {
    expect(await tensorsOf(whisper)).toMatchObject([{ name: 'encoder.conv1.weight', dtype: 'f16', shape: [2, 4, 3], bytes: 48 }]);
    const report = await read(buildGgml(whisper));
    expect(report.objects[0]?.root.children?.find(({ key }) => key === 'model')?.text).toBe('Whisper');
  });

  it('a vocabulary alone', async () => {
    const hyperparameters = [3, 0, 0, 1, 0, 0, 0];
    const report = await read(buildGgml({ hyperparameters, tokens, container: 'ggjt' }));
    expect(report.findings).toEqual([]);
    expect(report.components.weights).toMatchObject({ tensorBytes: 0 });
  });

  const count = (value: number) => u32(value);
  it.each<[string, GgmlFile]>([
    ['GPT-2', { hyperparameters: [50_257, 1024, 32, 2, 1, 1], filters: count(3), tokens, tensors: [norm] }],
    ['GPT-J', { hyperparameters: [50_400, 2048, 32, 2, 1, 8, 1], filters: count(50_400), tokens, tensors: [norm] }],
    ['GPT-NeoX', { hyperparameters: [3, 2048, 32, 2, 1, 8, 1, 1], tokens, tensors: [norm] }],
    ['BLOOM', { hyperparameters: [3, 32, 1, 2, 1, 1], tokens, tensors: [norm] }],
    ['LLaMA with values that are none', { ...llama, hyperparameters: [3, -1, 32, 4, 1, 8, 0] }],
    ['Whisper with the filters of another', { ...whisper, filters: concat(u32(9), u32(3), new Uint8Array(108), u32(3)) }],
    ['LLaMA in a damaged vocabulary', { ...llama, tokens: ['x'.repeat(2000), 'a', 'b'] }],
    ['LLaMA without any tensor behind it', { ...llama, tensors: [{ ...norm, rank: 77 }] }],
  ])('%s is not guessed at: all behind the magic is unexplained', async (_, file) => {
    const bytes = buildGgml(file);
    const report = await read(bytes);
    expect(report.findings.map(({ code }) => code)).toEqual(['unsupported-version']);
    expect(report.components.unexplained?.otherBytes).toBe(bytes.byteLength - 4);
    expect(report.objects).toEqual([]);
    expect(report.parameters.unique).toBe(0);
  });
});

describe('blocks', () => {
  const block = (type: number, bytes: number): GgmlTensor => ({ name: 'w', dimensions: [64], type, data: new Uint8Array(bytes) });
  it.each([
    ['q4_0', 2, 40, 36],
    ['q4_1', 3, 48, 40],
    ['q5_0', 6, 44, 44],
    ['q5_1', 7, 48, 48],
    ['q8_0', 8, 72, 68],
  ])('%s before and after May 2023', async (dtype, type, before, after) => {
    const model = (tensor: GgmlTensor, change: Partial<GgmlFile>) => tensorsOf({ ...llama, tensors: [tensor, norm], ...change });
    const late = [{ dtype, bytes: after }, { name: 'norm.weight' }];
    const early = [{ dtype, bytes: before }, { name: 'norm.weight' }];
    expect(await model(block(type, before), { container: 'ggml' })).toMatchObject(early);
    expect(await model(block(type, before), { container: 'ggmf' })).toMatchObject(early);
    expect(await model(block(type, before), { container: 'ggjt', version: 2 })).toMatchObject(early);
    expect(await model(block(type, after), { container: 'ggjt', version: 3 })).toMatchObject(late);
    for (const [fileType, blocks, expected] of [
      [2, before, early],
      [1002, before, early],
      [2002, after, late],
    ] as const)
      expect(
        await tensorsOf({
          ...whisper,
          hyperparameters: whisperHyperparameters(5, fileType),
          tensors: [block(type, blocks), norm],
        }),
      ).toMatchObject(expected);
  });

  it.each([
    ['q4_2', 4, 40],
    ['q4_3', 5, 48],
  ])('%s was removed before version 3', async (dtype, type, bytes) => {
    expect(await tensorsOf({ ...llama, container: 'ggjt', tensors: [block(type, bytes)] })).toMatchObject([{ dtype, bytes }]);
    const report = await read(buildGgml({ ...llama, container: 'ggjt', version: 3, tensors: [norm, block(type, bytes)] }));
    expect(report.findings.map(({ code }) => code)).toEqual(['header-corrupt']);
  });
});

describe('damage', () => {
  const whole = buildGgml({ ...llama, container: 'ggjt', version: 3 });
  it.each([
    ['in the vocabulary', 40, 'file-truncated'],
    ['in the head of a tensor', whole.byteLength - 192 - 40, 'header-corrupt'],
    ['in the data', whole.byteLength - 1, 'file-truncated'],
  ])('a file that ends %s', async (_, length, code) => {
    const report = await read(whole.subarray(0, length));
    expect(report.findings.map((finding) => finding.code)).toEqual([code]);
  });

  it('bytes behind the last tensor', async () => {
    const report = await read(concat(whole, new Uint8Array(20)));
    expect(report.findings.map(({ code }) => code)).toEqual(['header-corrupt']);
    expect(report.components.unexplained?.otherBytes).toBe(20);
    expect(report.parameters.unique).toBe(128);
  });

  it.each<[string, Partial<GgmlTensor>]>([
    ['a name of 4 GB', { nameLength: 0xffffffff }],
    ['a name without characters', { nameLength: 0 }],
    ['no dimensions', { rank: 0 }],
    ['five dimensions', { rank: 5 }],
    ['more elements than a number holds', { dimensions: [0xffffffff, 0xffffffff, 0xffffffff] }],
    ['a type that files of that time do not have', { type: 16 }],
  ])('%s', async (_, change) => {
    const report = await read(buildGgml({ ...llama, tensors: [norm, { ...output, ...change }] }));
    expect(report.findings.map(({ code }) => code)).toEqual(['header-corrupt']);
    expect(report.findings[0]?.offset).toBe(report.totalBytes - (report.components.unexplained?.otherBytes ?? 0));
    expect(report.components.weights?.tensorBytes).toBe(128);
  });

  it('a vocabulary of 16 million tokens is not read for a small file', async () => {
    const report = await read(buildGgml({ ...llama, hyperparameters: llamaHyperparameters(2 ** 24) }));
    expect(report.findings.map(({ severity }) => severity)).toContain('warning');
    expect(report.io.reads).toBeLessThan(10);
  });

  it('filters of 2^62 bytes', async () => {
    const filters = concat(u32(4), u32(2 ** 30), utf8('....'));
    expect((await read(buildGgml({ ...whisper, filters }))).findings.map(({ code }) => code)).toEqual(['file-truncated']);
  });
});

it('a large tensor costs one small read', async () => {
  const large = (name: string): GgmlTensor => ({ name, dimensions: [2 ** 20], type: 0, data: new Uint8Array(2 ** 22) });
  const report = await read(buildGgml({ ...llama, tensors: ['a', 'b', 'c', 'd'].map(large) }), 'm.ggml');
  expect(report.findings).toEqual([]);
  expect(report.io.reads).toBeLessThanOrEqual(5);
  expect(report.io.bytesRead).toBeLessThan(200_000);
});
