import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inflateBeginning } from '../../../src/core/bytes/inflate.js';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { listTensors } from '../../../src/core/inspection/reportJson.js';
import { patternBytes, utf8 } from '../../builders/byteWriter.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { buildNpy } from '../../builders/npyBuilder.js';
import { buildZip, type ZipRecord } from '../../builders/torchZipBuilder.js';
import { inspectHostile } from '../../hostile/accountable.js';
import { runs } from '../../builders/seed.js';

describe('inflate', () => {
  it('gives the beginning of any stream', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), fc.constantFrom(0, 1, 9), fc.nat(2000), (data, level, wanted) => {
        const packed = new Uint8Array(deflateRawSync(data, { level }));
        expect(inflateBeginning(packed, wanted)).toEqual(data.subarray(0, wanted));
      }),
      runs(100),
    );
  });

  it('gives what a cut stream has', () => {
    const data = utf8('the same words again and again '.repeat(40));
    const packed = new Uint8Array(deflateRawSync(data));
    for (let length = 0; length < packed.byteLength; length++) {
      const out = inflateBeginning(packed.subarray(0, length), 5000);
      expect(data.subarray(0, out.byteLength)).toEqual(out);
    }
  });

  it('refuses damage with a FormatError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (data) => {
        try {
          inflateBeginning(data, 1000);
        } catch (error) {
          expect((error as Error).name).toBe('FormatError');
        }
      }),
      runs(100),
    );
  });
});

const numpyOptions = { prefix: '', alignment: 1, dataDescriptors: false } as const;

async function archiveOf(records: readonly ZipRecord[]) {
  const tree = memoryTree('a.npz', { 'a.npz': buildZip(records, numpyOptions) });
  const { report, tensors } = await inspectCheckpoint(tree, { path: 'a.npz' });
  return { report, tensors: listTensors(tensors, report.files) };
}

describe('archives', () => {
  const data = patternBytes(4096);

  it('tells bytes on disk from uncompressed bytes', async () => {
    const array = buildNpy({ shape: [1024], data: new Uint8Array(4096) });
    const { report, tensors } = await archiveOf([{ name: 'params/w.npy', data: array, deflate: true }]);
    expect(tensors).toMatchObject([{ name: 'params/w', dtype: 'f32', shape: [1024], bytes: 4096, component: 'weights' }]);
    const { tensorBytes = 0, logicalBytes } = report.components.weights ?? {};
    expect(logicalBytes).toBe(4096);
    expect(tensorBytes).toBeLessThan(200);
    expect(report.findings).toEqual([]);
  });

  it('reads headers only', async () => {
    const large = buildNpy({ shape: [1_000_000], data: patternBytes(4_000_000) });
    const { report } = await archiveOf([
      { name: 'a.npy', data: large },
      { name: 'b.npy', data: large, deflate: true },
    ]);
    expect(report.io.bytesRead).toBeLessThan(6_000);
  });

  it('a member that is no array does not take the others with it', async () => {
    const { report, tensors } = await archiveOf([
      { name: 'a.npy', data: utf8('not an array at all') },
      { name: 'b.npy', data: buildNpy({ shape: [1024], data }) },
      { name: 'readme', data: utf8('x') },
    ]);
    expect(report.findings.map(({ code }) => code)).toEqual(['header-corrupt']);
    expect(tensors.map(({ name }) => name)).toEqual(['b']);
    expect(report.components.unexplained?.otherBytes).toBeGreaterThan(0);
  });

  it('a member of another size than its header says is noticed', async () => {
    const { report } = await archiveOf([{ name: 'a.npy', data: buildNpy({ shape: [2000], data }) }]);
    expect(report.findings.map(({ code }) => code)).toEqual(['tensor-size-mismatch']);
  });

  it('a method that is not read is said so, with exact sums', async () => {
    const record = { name: 'a.npy', data: buildNpy({ shape: [1024], data }), packed: { method: 9, bytes: patternBytes(500) } };
    const report = await inspectHostile(memoryTree('a.npz', { 'a.npz': buildZip([record], numpyOptions) }));
    expect(report.findings.map(({ code }) => code)).toEqual(['pickle-not-scanned', 'unsupported-version']);
    expect(report.findings[1]?.message).toContain('a.npy: compressed with Deflate64');
  });
});
