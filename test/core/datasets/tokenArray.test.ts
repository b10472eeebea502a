/** Arrays of tokens: NumPy, llm.c, and bare tokens whose width nothing states. */
import { gzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { renderDatasetTerminal } from '../../../src/core/pages/dataset/datasetTerminal.js';
import { inspect } from '../../../src/core/inspection/inspect.js';
import { concat, integerLE, patternBytes, u32, utf8 } from '../../builders/byteWriter.js';
import { codesOf, inspectDataset } from '../../builders/inspectDataset.js';
import { memoryTree, type MemoryFile, type ReadLog } from '../../builders/memoryTree.js';
import { buildNpy } from '../../builders/npyBuilder.js';
import { buildZip } from '../../builders/torchZipBuilder.js';

/** Ids as a vocabulary gives them: most are small, and neighbours differ. */
const ids = (count: number, vocabulary = 50_257): number[] =>
  Array.from({ length: count }, (_, at) => Math.floor((((at * 2654435761) % 4294967296) / 4294967296) * vocabulary));
const u16s = (count: number, vocabulary?: number): Uint8Array => new Uint8Array(Uint16Array.from(ids(count, vocabulary)).buffer);
const u32s = (count: number, vocabulary?: number): Uint8Array => new Uint8Array(Uint32Array.from(ids(count, vocabulary)).buffer);
const i64s = (count: number): Uint8Array => new Uint8Array(BigInt64Array.from(ids(count).map(BigInt)).buffer);

/** nanoGPT's meta.pkl with the size of the vocabulary alone. */
const metaPickle = (size: number): Uint8Array =>
  concat(
    Uint8Array.of(0x80, 4, 0x7d, 0x8c, 10),
    utf8('vocab_size'),
    Uint8Array.of(0x4a),
    integerLE(size, 4),
    Uint8Array.of(0x73, 0x2e),
  );

/** About normal numbers of both signs, as upper halves of f32 (bf16) or as f16. */
const normal = (count: number): number[] =>
  Array.from({ length: count }, (_, at) => [1, 7, 13, 29].reduce((sum, factor) => sum + Math.sin(at * factor * 1.618), 0));
const bf16s = (count: number): Uint8Array =>
  new Uint8Array(Uint16Array.from(new Uint32Array(Float32Array.from(normal(count)).buffer), (bits) => bits >>> 16).buffer);
const f16s = (count: number): Uint8Array =>
  new Uint8Array(
    Uint16Array.from(normal(count), (value) => {
      const [bits = 0] = new Uint32Array(Float32Array.of(value).buffer);
      return ((bits >>> 16) & 0x8000) | (Math.max(0, ((bits >>> 23) & 0xff) - 112) << 10) | ((bits >>> 13) & 0x3ff);
    }).buffer,
  );

function llmc(magic: number, version: number, tokens: number, data: Uint8Array): Uint8Array {
  return concat(u32(magic), u32(version), u32(tokens), new Uint8Array(1024 - 12), data);
}

describe('NumPy', () => {
  it('takes rows of a matrix as samples', async () => {
    const report = await inspectDataset({ 'train.npy': buildNpy({ descr: '<u2', shape: [10, 64], data: u16s(640) }) });
    expect(report).toMatchObject({ layout: 'token-array', samples: 10, tokens: { count: 640, exact: true }, tokenDtype: 'u16' });
  });

  it('adds shards up to one column, and keeps the names that arrays have', async () => {
    const shard = buildNpy({ descr: '<u2', shape: [100], data: u16s(100) });
    const one = await inspectDataset({ 'web_train_000001.npy': shard, 'web_train_000002.npy': shard, 'val.npy': shard });
    expect(one.columns).toMatchObject([{ name: 'tokens', type: 'array<u16>', values: 300 }]);
    const named = await inspectDataset({ 'input_ids.npy': shard });
    expect(named.columns).toMatchObject([{ name: 'input_ids', values: 100 }]);
  });

  it('takes arrays that lead to others as index', async () => {
    const files = {
      'tokens.npy': buildNpy({ descr: '<u4', shape: [500], data: u32s(500) }),
      'doc_offsets.npy': buildNpy({ descr: '<i8', shape: [20], data: i64s(20) }),
    };
    const report = await inspectDataset(files);
    expect(report).toMatchObject({ tokens: { count: 500 }, tokenDtype: 'u32', bytes: { index: 160, tokens: 2000 } });
  });

  it('leaves floating-point arrays to the checkpoints', async () => {
    const { report } = await inspect(
      memoryTree('d', { 'a.npy': buildNpy({ descr: '<f4', shape: [4], data: patternBytes(16) }) }),
      { path: 'd' },
    );
    expect(report).toMatchObject({ kind: 'checkpoint', layout: 'numpy' });
  });

  it('leaves archives of integers that no name, dtype or shape makes tokens to the checkpoints', async () => {
    const archiveOf = (name: string, shape: readonly number[]): Uint8Array =>
      buildZip([{ name: `${name}.npy`, data: buildNpy({ descr: '<i8', shape, data: i64s(shape.reduce((a, b) => a * b, 1)) }) }], {
        prefix: '',
        alignment: 1,
        dataDescriptors: false,
      });
    for (const [name, shape] of [
      ['arr_0', [100]],
      ['edges', [50, 2]],
    ] as const) {
      const { report } = await inspect(memoryTree('a.npz', { 'a.npz': archiveOf(name, shape) }), { path: 'a.npz' });
      expect(report).toMatchObject({ kind: 'checkpoint', layout: 'numpy', resume: { verdict: 'none' } });
    }
    const named = await inspectDataset({ 'a.npz': archiveOf('input_ids', [100]) });
    expect(named.tokens).toMatchObject({ count: 100, basis: 'header' });
    const packed = await inspectDataset({ 'a.npz': archiveOf('a', [4, 128]) });
    expect(packed.tokens).toMatchObject({
      count: 512,
      basis: 'names',
      method: expect.stringContaining('a taken for tokens') as string,
    });
    const labels = await inspectDataset({ 'a.npz': archiveOf('labels', [100]) });
    expect(labels.tokens).toBeNull();
    expect(labels.checks.notDone).toContain('tokens of a.npz: no array is one by its name, dtype and shape');
  });

  it('says that an array is cut', async () => {
    const bytes = buildNpy({ descr: '<u2', shape: [1000], data: u16s(1000) });
    const report = await inspectDataset({ 'train.npy': bytes.subarray(0, 1500) });
    expect(codesOf(report)).toEqual(['shard-truncated']);
  });
});

describe('integers that are no tokens', () => {
  it.each([
    ['boxes.npy', '<i8', [120, 4], 'value'],
    ['labels.npy', '<i8', [960], 'labels'],
    ['train_labels_003.npy', '<i4', [480], 'value'],
    ['user_ids.npy', '<i8', [960], 'value'],
    ['images.npy', '|u1', [4, 784], 'value'],
  ] as const)('do not count beside tokens: %s', async (name, descr, shape, role) => {
    const length = shape.reduce((product, size) => product * size, Number(descr.slice(-1)));
    const other = buildNpy({ descr, shape: [...shape], data: patternBytes(length) });
    const tokens = buildNpy({ descr: '<u2', shape: [500], data: u16s(500) });
    const report = await inspectDataset({ 'tokens.npy': tokens, [name]: other });
    expect(report.tokens).toMatchObject({ count: 500, exact: true, basis: 'header' });
    expect(report.columns.find((column) => column.name === name.replace('.npy', ''))?.role).toBe(role);
    const { report: alone } = await inspect(memoryTree('d', { [name]: other }), { path: 'd' });
    expect(alone.kind).toBe('checkpoint');
  });

  it('count by their type alone where no name tells', async () => {
    const report = await inspectDataset({ 'wiki.npy': buildNpy({ descr: '<u2', shape: [10, 64], data: u16s(640) }) });
    expect(report.tokens).toMatchObject({ count: 640, basis: 'names' });
    expect(report.tokens?.method).toContain('wiki taken for tokens by its type');
  });
});

describe('llm.c', () => {
  it.each([
    ['GPT-2', 20_240_520, 1, 'u16', u16s(300)],
    ['Llama 3', 20_240_801, 7, 'u32', u32s(300, 128_256)],
  ] as const)('reads the header of %s shards', async (_, magic, version, dtype, data) => {
    const report = await inspectDataset({ 'x_train_000001.bin': llmc(magic, version, 300, data) });
    expect(report).toMatchObject({ layout: 'token-array', tokens: { count: 300, exact: true }, tokenDtype: dtype });
    expect(report.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('counts no more tokens than there is room for, and says so', async () => {
    const report = await inspectDataset({ 'x_train_000001.bin': llmc(20_240_520, 1, 2_000_000_000, u16s(300)) });
    expect(report.tokens).toMatchObject({ count: 300 });
    expect(codesOf(report)).toEqual(['shard-truncated']);
  });

  it('takes evaluation sets as examples', async () => {
    const bytes = concat(u32(20_240_522), u32(1), u32(7), new Uint8Array(1012), patternBytes(500));
    expect(await inspectDataset({ 'hellaswag_val.bin': bytes })).toMatchObject({ samples: 7, tokens: null });
  });
});

describe('bare tokens', () => {
  it.each([
    ['u16', u16s(4000)],
    ['u16', u16s(4000, 65)],
    ['u32', u32s(4000)],
    ['u32', u32s(4000, 200_000)],
    ['i64', i64s(4000)],
  ])('tells %s by a sample', async (dtype, data) => {
    const report = await inspectDataset({ 'train.bin': data, 'val.bin': data.subarray(0, 400) });
    expect(report.tokenDtype).toBe(dtype);
    const count = ((data.byteLength + 400) / Number(dtype.slice(1))) * 8;
    expect(report.tokens).toMatchObject({ count, exact: false, interval: [count, count], confidence: null, basis: 'sampled' });
    expect(report.splits.map(({ name }) => name)).toEqual(['train', 'val']);
  });

  it('gives an interval where too little is there to tell', async () => {
    const report = await inspectDataset({ 'train.bin': u16s(20) });
    expect(report.tokens).toMatchObject({ count: 20, exact: false, interval: [10, 20] });
  });

  it('takes the width from the bounds of documents, and samples and lengths with it', async () => {
    const csv = gzipSync(utf8('0,10,a,f,0\n10,10,b,f,1\n10,400,c,f,2\n'));
    const report = await inspectDataset({ 'part-0-00000.npy': u32s(400), 'part-0-00000.csv.gz': csv });
    expect(report).toMatchObject({ tokenDtype: 'u32', tokens: { count: 400, exact: true }, samples: 3 });
    expect(report.lengths).toMatchObject({ minTokens: 0, maxTokens: 390 });
  });

  it('says that bounds end elsewhere', async () => {
    const csv = gzipSync(utf8('0,10,a,f,0\n10,401,c,f,2\n'));
    expect(codesOf(await inspectDataset({ 'part-0-00000.npy': u16s(400), 'part-0-00000.csv.gz': csv }))).toContain(
      'shard-size-differs',
    );
  });

  it('takes the width from settings', async () => {
    const files = { 'dataset.json': utf8('{"memmap_dtype": "uint32"}'), 'part-0.npy': u16s(400) };
    expect((await inspectDataset(files)).tokenDtype).toBe('u32');
  });

  it('of which any two look like one are not taken for half as many', async () => {
    const report = await inspectDataset({ 'train.bin': u16s(4000, 5) });
    expect(report).toMatchObject({
      tokenDtype: 'u16',
      tokens: { count: 4000, exact: false, interval: [2000, 4000], confidence: null, basis: 'sampled' },
    });
    expect(codesOf(report)).toEqual([]);
  });

  it.each([
    ['u16', 5, u16s(4000, 5)],
    ['u8', 200, Uint8Array.from(ids(4000, 200))],
    ['u16', 200, u16s(4000, 200)],
    ['u32', 5, u32s(4000, 5)],
    ['u16', 50_257, u16s(4000)],
    ['u32', 128_256, u32s(4000, 128_256)],
    ['i64', 50_257, i64s(4000)],
  ])('have the width in which a known vocabulary holds them: %s of %i', async (dtype, size, data) => {
    const beside = { 'config.json': utf8(JSON.stringify({ vocab_size: size })), 'meta.pkl': metaPickle(size) };
    for (const [name, bytes] of Object.entries(beside)) {
      const report = await inspectDataset({ 'train.bin': data, [name]: bytes });
      expect(report, name).toMatchObject({ tokenDtype: dtype, tokens: { count: 4000, exact: true, basis: 'index' } });
      expect(codesOf(report).filter((code) => code !== 'token-dtype-wide')).toEqual([]);
    }
  });

  it('have the vocabulary of their own directory', async () => {
    const files = {
      'dna/train.bin': u16s(4000, 5),
      'dna/meta.pkl': metaPickle(5),
      'chars/train.bin': Uint8Array.from(ids(4000, 200)),
      'chars/meta.pkl': metaPickle(200),
    };
    expect((await inspectDataset(files)).tokens).toMatchObject({ count: 8000, exact: true });
  });

  it('leaves weights and archives that are called .bin alone', async () => {
    const floats = new Uint8Array(Float32Array.from({ length: 1000 }, (_, at) => Math.sin(at) / 20).buffer);
    for (const bytes of [
      floats,
      concat(Uint8Array.of(0x50, 0x4b, 3, 4), patternBytes(2000)),
      concat(u32(20_240_326), patternBytes(2000)),
    ]) {
      const { report } = await inspect(memoryTree('d', { 'train.bin': bytes }), { path: 'd' });
      expect(report.kind).toBe('checkpoint');
    }
  });

  it('of one byte are not taken for half as many of two', async () => {
    const bytes = patternBytes(8000);
    const guessed = await inspectDataset({ 'train.bin': bytes });
    expect(guessed).toMatchObject({
      tokenDtype: 'u8',
      tokens: { count: 8000, exact: false, interval: [4000, 8000], basis: 'assumed' },
    });
    const named = await inspectDataset({ 'train_uint8.bin': bytes });
    expect(named).toMatchObject({ tokenDtype: 'u8', tokens: { count: 8000, exact: true } });
    const settings = utf8(JSON.stringify({ memmap_dtype: 'uint8' }));
    const stated = await inspectDataset({ 'train.bin': bytes, 'data.json': settings });
    expect(stated).toMatchObject({ tokenDtype: 'u8', tokens: { count: 8000, exact: true } });
  });

  it('samples at most 64 KiB of a file of any size', async () => {
    const block = u16s(4096);
    const sizeBytes = 2 ** 41;
    const read = (offset: number, length: number): Promise<Uint8Array> =>
      Promise.resolve(Uint8Array.from({ length }, (_, at) => block[(offset + at) % block.byteLength] as number));
    const log: ReadLog = { reads: [] };
    const source = { name: 'train.bin', sizeBytes, read, close: () => Promise.resolve() };
    const report = await inspectDataset({ 'train.bin': source }, log);
    expect(report.tokens).toMatchObject({ count: 2 ** 40, exact: false, interval: [2 ** 40, 2 ** 40] });
    expect(report.io.bytesRead).toBeLessThan(72_000);
  });

  it('that take less space than their size are named', async () => {
    const bytes = u16s(200_000);
    const report = await inspectDataset({ 'train.bin': { bytes, entry: { allocatedBytes: 320_000 } } });
    expect(codesOf(report)).toEqual(['file-takes-less-space']);
    expect(report.findings[0]).toMatchObject({ severity: 'note', path: 'train.bin' });
  });

  it('lists what meta.pkl imports, and whose code it needs', async () => {
    const pickle = concat(Uint8Array.of(0x80, 2), utf8('cmypkg.vocab\nVocab\n'), Uint8Array.of(0x29, 0x52, 0x2e));
    const report = await inspectDataset({ 'train.bin': u16s(2000), 'meta.pkl': pickle, 'stats.pkl': pickle });
    expect(report.pickleImports).toEqual([
      { name: 'mypkg.vocab.Vocab', files: 2, expected: false, kind: 'own', paths: ['meta.pkl', 'stats.pkl'] },
    ]);
    expect(codesOf(report)).toEqual(['pickle-needs-code']);
    expect(renderDatasetTerminal(report, { color: false, width: 80 })).toContain('mypkg.vocab.Vocab');
    const plain = await inspectDataset({ 'train.bin': u16s(2000) });
    expect(plain).not.toHaveProperty('pickleImports');
  });

  it('reads the vocabulary out of meta.pkl without running it', async () => {
    const report = await inspectDataset({ 'train.bin': u16s(2000, 65), 'meta.pkl': metaPickle(65) });
    expect(report.vocabulary).toEqual({ size: 65, source: 'meta.pkl: vocab_size' });
  });
});

describe('a few bare numbers in a project', () => {
  const project = { 'src/a.py': utf8('print(1)'), 'README.md': utf8('# Project') };
  const kindOf = async (files: Record<string, MemoryFile>): Promise<string> =>
    (await inspect(memoryTree('d', { ...project, ...files }), { path: 'd' })).report.kind;

  it('are no data set', async () => {
    expect(await kindOf({ 'tests/data.bin': patternBytes(5000) })).not.toBe('dataset');
    expect(await kindOf({ 'test/data_0.bin': u16s(2500) })).not.toBe('dataset');
  });

  it.each<[what: string, files: Record<string, MemoryFile>]>([
    ['a split', { 'data/train.bin': u16s(2500) }],
    ['a dtype in the name', { 'data/data_u16.bin': u16s(2500) }],
    ['a vocabulary', { 'data/data.bin': u16s(2500), 'data/meta.pkl': metaPickle(50_257) }],
    ['a header', { 'data/data.bin': llmc(20_240_520, 1, 2500, u16s(2500)) }],
    ['many bytes', { 'data/data.bin': u16s(600_000) }],
  ])('but %s makes one', async (_, files) => {
    expect(await kindOf(files)).toBe('dataset');
  });
});

describe('files of other programs under names of data are no tokens', () => {
  const measured = ids(2_000).map((id) => (id - 25_000) / 300);
  const behind = (offset: number, magic: string): Uint8Array =>
    concat(
      new Uint8Array(offset),
      Uint8Array.from(magic, (character) => character.charCodeAt(0)),
      u16s(2_000),
    );
  it.each<[what: string, data: Uint8Array]>([
    ['DuckDB', behind(8, 'DUCK')],
    ['LMDB', behind(16, '\xde\xc0\xef\xbe')],
    ['headers of Siemens scanners', behind(0, 'SV10\x04\x03\x02\x01')],
    ['DICOM', behind(128, 'DICM')],
    ['NIfTI', behind(344, 'n+1\0')],
    ['WAVE', behind(0, 'RIFF')],
    ['xz', behind(0, '\xfd7zXZ\0')],
    ['tar', behind(257, 'ustar')],
    ['a program of Windows', behind(0, 'MZ\x90\0')],
    ['TensorFlow Lite', behind(4, 'TFL3')],
    ['features in f16', f16s(2_000)],
    ['features in bf16', bf16s(2_000)],
    ['measured numbers of 4 bytes', new Uint8Array(Float32Array.from(measured).buffer)],
    ['measured numbers of 8 bytes', new Uint8Array(Float64Array.from(measured).buffer)],
  ])('%s', async (_, data) => {
    for (const name of ['test.bin', 'data_0.bin', 'part-1.dat']) {
      const report = await inspect(memoryTree('d', { [name]: data }), { path: 'd' });
      expect(report, name).toMatchObject({ report: { kind: 'checkpoint' } });
    }
  });

  it.each([
    ['ids of characters', Uint8Array.from(ids(4_000, 65))],
    ['ids of 16 bits', u16s(4_000)],
    ['ids of 32 bits', u32s(4_000, 150_000)],
  ])('but %s are', async (_, data) => {
    expect(await inspectDataset({ 'train.bin': data })).toMatchObject({ layout: 'token-array' });
  });
});
