/** Zeros that take space on the disk: those that programs write begin and end with tensors and rows, those of lost data anywhere or with pages. */
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../src/core/bytes/memorySource.js';
import { findWrittenZeros } from '../../../src/core/checkpoints/writtenZeros.js';
import { memoryTree, type ReadLog } from '../../builders/memoryTree.js';
import { patternBytes } from '../../builders/byteWriter.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { codes } from '../../builders/torchDirectory.js';
import { inspectHostile } from '../../hostile/accountable.js';

const KIB = 1024;

/** Where a tensor is in the file. */
interface TensorSpan {
  start: number;
  end: number;
}

/** Where the first tensor begins: no page. */
const HEADER = 1_000;

/** A file of tensors of these sizes without a zero among their bytes, and where these are. */
function fileOf(sizes: readonly number[], header = HEADER): { bytes: Uint8Array; spans: TensorSpan[] } {
  let start = header;
  const spans = sizes.map((size) => ({ start, end: (start += size) }));
  return { bytes: patternBytes(start).map((byte) => byte | 1), spans };
}

async function zerosIn(
  { bytes, spans }: ReturnType<typeof fileOf>,
  zeros: readonly (readonly [number, number])[],
  areWeights = true,
): Promise<[number, number] | undefined> {
  const damaged = bytes.slice();
  for (const [from, to] of zeros) damaged.fill(0, from, to);
  const each = (visit: (start: number, end: number) => void): void => {
    for (const { start, end } of [...spans].reverse()) visit(start, end);
  };
  const found = await findWrittenZeros(memorySource('a', damaged), each, areWeights);
  return found && [found.offset, found.offset + found.bytes];
}

const many = fileOf(Array.from({ length: 16 }, () => 64 * KIB));
const size = many.bytes.byteLength;

describe('zeros that no program wrote', () => {
  it.each<[string, number, number]>([
    ['the second half', HEADER + 520_000, size],
    ['the first half', HEADER, 600_000],
    ['a third in the middle', 300_001, 700_003],
    ['pages over several tensors', 256 * KIB, 400 * KIB],
    ['pages up to the end', 912 * KIB, size],
  ])('%s', async (_name, from, to) => {
    const found = await zerosIn(many, [[from, to]]);
    expect(found).toEqual([from, to]);
  });

  it('pages within a tensor', async () => {
    expect(await zerosIn(fileOf([1024 * KIB]), [[376 * KIB, 400 * KIB]])).toEqual([376 * KIB, 400 * KIB]);
  });

  it('of a state are found by pages', async () => {
    expect(await zerosIn(many, [[256 * KIB, 400 * KIB]], false)).toEqual([256 * KIB, 400 * KIB]);
  });
});

describe('zeros that programs write', () => {
  const [first, second] = many.spans as [TensorSpan, TensorSpan];
  const last = many.spans.at(-1) as TensorSpan;

  it.each<[string, [number, number][], boolean]>([
    ['a tensor', [[second.start, second.end]], true],
    ['all tensors', [[first.start, last.end]], true],
    ['half of the tensors', [[many.spans[8]?.start ?? 0, last.end]], true],
    ['the last rows of a tensor', [[last.start + 20_000, last.end]], true],
    ['the first rows of a tensor', [[second.start, second.start + 40_000]], true],
    ['the last rows of a tensor and a bias', [[(many.spans[14]?.start ?? 0) + 30_000, last.end]], true],
    ['moments of what was not trained', [[first.start + 10_000, (many.spans[12]?.start ?? 0) + 10_000]], false],
    ['a few rows', many.spans.map(({ start }) => [start + 4_000, start + 16_000]), true],
  ])('%s', async (_name, zeros, areWeights) => {
    expect(await zerosIn(many, zeros, areWeights)).toBeUndefined();
  });

  it('rows of a tensor that is aligned to pages', async () => {
    const aligned = fileOf([512 * KIB], 4 * KIB);
    expect(await zerosIn(aligned, [[260 * KIB, 516 * KIB]])).toBeUndefined();
  });
});

it('a file without zeros takes nine reads, of 2 KiB and its header', async () => {
  const data = patternBytes(256 * KIB).map((byte) => byte | 1);
  const bytes = buildSafetensors({ tensors: { w: { dtype: 'F32', shape: [64 * KIB], data } } });
  const log: ReadLog = { reads: [] };
  const report = await inspectHostile(memoryTree('m', { 'model.safetensors': bytes }, log));
  expect(codes(report)).not.toContain('file-has-zeros');
  expect(report.io.bytesRead).toBeLessThan(4 * KIB);
  expect(log.reads.length).toBeLessThan(12);
});

it('is a warning of the file, which still loads', async () => {
  const data = patternBytes(256 * KIB).map((byte) => byte | 1);
  const shape = [16 * KIB];
  const tensors = Object.fromEntries(
    [0, 1, 2, 3].map((at) => [`w${at}`, { dtype: 'F32', shape, data: data.slice(at * 64 * KIB, (at + 1) * 64 * KIB) }]),
  );
  const bytes = buildSafetensors({ tensors }).fill(0, 130_000);
  const report = await inspectHostile(memoryTree('m', { 'model.safetensors': bytes }));
  expect(report.findings).toMatchObject([
    { code: 'file-has-zeros', severity: 'warning', path: 'model.safetensors', offset: 130_000 },
  ]);
  expect(report.resume.verdict).toBe('weights-only');
});
