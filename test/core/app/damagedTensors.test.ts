/** Tensors of damaged blocks, where a manifest is all that a file has. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { withDamagedTensors } from '../../../src/app/verification/damagedTensors.js';
import { crc32c } from '../../../src/core/bytes/crc32c.js';
import { inspect } from '../../../src/core/inspection/inspect.js';
import type { Manifest } from '../../../src/core/verification/expected.js';
import type { VerificationReport } from '../../../src/core/verification/verification.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { fileOf, flipped, verifyFiles } from '../../builders/verification.js';

type Files = Record<string, Uint8Array>;
const blockBytes = 4096;

function manifestOf(files: Files): Manifest {
  const entries = Object.entries(files).map(([name, bytes]) => {
    const blocks = Array.from({ length: Math.ceil(bytes.byteLength / blockBytes) }, (_, block) =>
      bytes.subarray(block * blockBytes, (block + 1) * blockBytes),
    );
    const file = {
      path: name,
      bytes: bytes.byteLength,
      modifiedMs: null,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      crc32c: blocks.map((block) => crc32c(block).toString(16).padStart(8, '0')),
    };
    return [name, file] as const;
  });
  return { blockBytes, files: new Map(entries) };
}

/** The report of files after one byte was changed. */
async function reportOf(files: Files, changed: string, offset: number): Promise<VerificationReport> {
  const damaged = { ...files, [changed]: flipped(files[changed] ?? new Uint8Array(0), offset * 8) };
  const tree = memoryTree('m', damaged);
  const report = await verifyFiles(tree, { manifest: manifestOf(files), manifestPath: 'stowage-manifest.json' });
  return withDamagedTensors(report, tree, undefined);
}

describe('a damaged block of safetensors', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const tensorBytes = 1200;
  const tensors = Object.fromEntries(names.map((name) => [name, { dtype: 'F32', shape: [tensorBytes / 4] }]));
  const file = buildSafetensors({ tensors });
  const dataAt = file.byteLength - names.length * tensorBytes;

  it.each([0, 1, 2])('has the first names of its tensors, and how many more there are (block %i)', async (block) => {
    const start = Math.max(block * blockBytes, dataAt);
    const end = Math.min((block + 1) * blockBytes, file.byteLength);
    const own = names.filter((_, at) => dataAt + at * tensorBytes < end && dataAt + (at + 1) * tensorBytes > start);
    const report = await reportOf({ 'model.safetensors': file }, 'model.safetensors', start + 8);
    expect(fileOf(report, 'model.safetensors').damage).toMatchObject([
      { offset: block * blockBytes, tensors: { names: own.slice(0, 3), more: Math.max(0, own.length - 3) } },
    ]);
  });

  it('has no names where the header itself cannot be read', async () => {
    const report = await reportOf({ 'model.safetensors': file }, 'model.safetensors', 8);
    const [damage] = fileOf(report, 'model.safetensors').damage;
    expect([damage?.offset, damage?.tensors]).toEqual([0, undefined]);
  });
});

describe('a damaged block of torch.distributed.checkpoint', () => {
  const folder = path.join(import.meta.dirname, '../../fixtures/frameworks/dcp/zstd-2r/data');
  const plain = path.join(import.meta.dirname, '../../fixtures/frameworks/dcp/titan-last-bf16/data/checkpoint/step-4');
  const filesOf = (directory: string): Files =>
    Object.fromEntries(
      ['.metadata', '__0_0.distcp', '__1_0.distcp'].map((name) => [
        name,
        new Uint8Array(readFileSync(path.join(directory, name))),
      ]),
    );

  it.each([
    ['plain', plain],
    ['compressed', folder],
  ])('has the names of the shards in it (%s)', async (_, directory) => {
    const files = filesOf(directory);
    const { report, tensors } = await inspect(memoryTree('m', files), { path: '/m' });
    if (report.kind !== 'checkpoint') throw new Error(report.kind);
    let named = 0;
    for (const name of ['__0_0.distcp', '__1_0.distcp']) {
      const bytes = files[name] ?? new Uint8Array(0);
      for (let block = 0; block * blockBytes < bytes.byteLength; block++) {
        const [start, end] = [block * blockBytes, Math.min(bytes.byteLength, (block + 1) * blockBytes)];
        const own: string[] = [];
        for (let row = 0; row < tensors.size; row++)
          for (let piece = tensors.firstPieceOf(row); piece < tensors.endPieceOf(row); piece++) {
            const [from, to] = [tensors.pieceOffset(piece), tensors.pieceOffset(piece) + tensors.pieceSize(piece)];
            const isHere = report.files[tensors.pieceFile(piece)]?.path === name && from < end && to > start;
            if (isHere && !own.includes(tensors.nameOf(row))) own.push(tensors.nameOf(row));
          }
        const [damage] = fileOf(await reportOf(files, name, start), name).damage;
        // Blocks of pickled objects have none.
        const expected = own.length === 0 ? undefined : { names: own.slice(0, 3), more: Math.max(0, own.length - 3) };
        expect(damage?.tensors, `${name}, block ${block}`).toEqual(expected);
        if (own.length > 0) named += 1;
      }
    }
    expect(named).toBeGreaterThan(2);
  });
});
