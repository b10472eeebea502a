import { describe, expect, it } from 'vitest';
import { listTensors } from '../../../src/core/inspection/reportJson.js';
import { patternBytes } from '../../builders/byteWriter.js';
import { inspectOne } from '../../builders/inspectOne.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { buildNpy, type NpyFile } from '../../builders/npyBuilder.js';
import { inspectAnyHostile, inspectHostile } from '../../hostile/accountable.js';
import { sweepCuts } from '../../hostile/damage.js';
import { builtFile } from '../../hostile/fixtureFiles.js';

async function arrayOf(file: NpyFile) {
  const { report, tensors } = await inspectOne(memoryTree('a.npy', { 'a.npy': buildNpy(file) }), { path: 'a.npy' });
  return { array: listTensors(tensors, report.files)[0], codes: report.findings.map(({ code }) => code), layout: report.layout };
}

describe('arrays', () => {
  it.each([
    [1, 0],
    [2, 0],
    [3, 0],
  ] as const)('of version %d.%d', async (major, minor) => {
    const { array, codes, layout } = await arrayOf({
      version: [major, minor],
      descr: '<f2',
      shape: [3, 4],
      data: patternBytes(24),
    });
    expect(array).toMatchObject({ name: 'a', dtype: 'f16', shape: [3, 4], bytes: 24 });
    expect(codes).toEqual([]);
    expect(layout).toBe('numpy');
  });

  it.each([
    ['<U128', 512],
    ['|S5', 5],
  ])('of texts are no integers (%s)', async (descr, width) => {
    const { array, codes } = await arrayOf({ descr, shape: [2], data: patternBytes(2 * width) });
    expect(array).toMatchObject({ dtype: 'string', shape: [2], bytes: 2 * width });
    expect(codes).toEqual([]);
  });

  it('of a structured dtype take the rest of the file', async () => {
    const { array } = await arrayOf({
      descr: [
        ['x', '<f4'],
        ['y', '<i8'],
      ],
      shape: [2],
      data: patternBytes(24),
    });
    expect(array).toMatchObject({ dtype: 'structured', shape: [2], bytes: 24 });
  });
});

describe('damage', () => {
  it.each([
    ['a file that ends early', { shape: [10], data: patternBytes(8) }, 'file-truncated'],
    ['bytes behind the end', { shape: [2], data: patternBytes(11) }, 'file-too-long'],
    ['a header longer than the file', { declaredLength: 60_000 }, 'file-truncated'],
    ['a header without a shape', { headerText: '{}' }, 'header-corrupt'],
    ['another magic', { magic: new Uint8Array(6) }, 'file-not-its-format'],
  ] as [string, NpyFile, string][])('%s', async (_, file, code) => {
    const report = await inspectHostile(memoryTree('m', { 'a.npy': buildNpy(file) }));
    expect(report.findings.map((finding) => finding.code)).toContain(code);
  });
});

it('is noticed wherever it is cut', async () => {
  // Shorter ones may be bare tokens, which OLMo names .npy.
  const file = builtFile('a.npy', buildNpy({ descr: '<f4', shape: [8, 4], data: patternBytes(128) }));
  expect(await sweepCuts(file, { edge: 24, nearEdge: 20, headers: 10, rest: 40 }, (length) => length > 2)).toBeGreaterThan(48);
});

describe('a header that no array can have', () => {
  const header = (descr: string, shape: string, order = "'fortran_order': False, "): NpyFile => ({
    headerText: `{'descr': ${descr}, ${order}'shape': ${shape}, }`,
    data: patternBytes(64),
  });

  it.each([
    ['a negative size', header("'<f4'", '(-1, 16)')],
    ['a size that is no integer', header("'<f4'", '(1.5,)')],
    ['two sizes without a comma', header("'<f4'", '(4 4)')],
    ['an empty size', header("'<f4'", '(4,,4)')],
    ['more elements than any file', header("'<f4'", '(4294967296, 4294967296)')],
    ['a size of twenty digits', header("'<f4'", '(99999999999999999999,)')],
    ['more bytes than any file', header("'<f8'", '(9007199254740991,)')],
    ['a width that no dtype has', header("'<f3'", '(16,)')],
    ['a kind that is none', header("'<q4'", '(16,)')],
    // NumPy takes 'float32' as a name of '<f4'.
    ['a name in place of the dtype', header("'weights'", '(16,)')],
    ['no dtype', { headerText: "{'fortran_order': False, 'shape': (16,), }", data: patternBytes(64) }],
    ['no order of axes', header("'<f4'", '(16,)', '')],
  ] as [string, NpyFile][])('%s', async (_, file) => {
    for (const name of ['a.npy', 'tokens.npy']) {
      const report = await inspectAnyHostile(memoryTree(name, { [name]: buildNpy(file) }));
      expect(report.findings.map(({ severity }) => severity)).toContain('error');
      expect(report.kind === 'dataset' ? report.tokens : null).toBeNull();
    }
  });

  it.each([
    ['of Python 2', header("'<f4'", '(4L, 4L)')],
    ['of times', header("'<M8[ns]'", '(8,)')],
    ['of long doubles', header("'<f16'", '(4,)')],
    ['of the dtypes of ml_dtypes', header("'|V2'", '(32,)')],
    ['of scalars', header("'|V64'", '()')],
    ['of objects', header("'|O'", '(3,)')],
  ] as [string, NpyFile][])('is none %s', async (_, file) => {
    const report = await inspectHostile(memoryTree('a.npy', { 'a.npy': buildNpy(file) }));
    expect(report.findings).toEqual([]);
  });

  it('of an unknown version, and of too many dimensions, is not read', async () => {
    const file = buildNpy({ shape: [16], data: patternBytes(64), version: [9, 0] });
    const report = await inspectHostile(memoryTree('a.npy', { 'a.npy': file }));
    expect(report.findings.map(({ code }) => code)).toEqual(['unsupported-version']);
    const deep = buildNpy({ shape: Array.from({ length: 200 }, () => 1), data: patternBytes(4) });
    expect((await inspectHostile(memoryTree('a.npy', { 'a.npy': deep }))).findings).toMatchObject([{ severity: 'error' }]);
  });
});
