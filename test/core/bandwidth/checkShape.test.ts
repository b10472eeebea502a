import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filesOfSize, filesOfStreams, makeShape, type CheckShape } from '../../../src/core/bandwidth/checkShape.js';
import { limits } from '../../../src/core/bytes/limits.js';
import { savedFiles } from '../../builders/bandwidthCheck.js';
import { runs } from '../../builders/seed.js';

const GiB = 2 ** 30;
const usual = { streams: null, blockBytes: null };
const shapeOf = (...args: Parameters<typeof makeShape>): CheckShape => {
  const shape = makeShape(...args);
  if (shape === null) throw new Error('there is no shape');
  return shape;
};

const anyFiles = fc.array(
  fc.record({
    name: fc.string({ maxLength: 300 }),
    sizeBytes: fc.oneof(
      fc.nat(5000),
      fc.maxSafeNat().map((n) => n % 1e13),
    ),
  }),
  { maxLength: 3000 },
);

describe('the shape of a check', () => {
  it('keeps the sizes of a save that fits, in whole sectors', () => {
    const shape = shapeOf(
      [
        { name: 'a.bin', sizeBytes: 10_000 },
        { name: 'b.json', sizeBytes: 12 },
      ],
      'run/step-1',
      GiB,
      usual,
    );
    expect(shape).toMatchObject({ realBytes: 10_012, realFiles: 2, totalBytes: 16_384, replayOf: 'run/step-1' });
    expect(shape.files).toEqual([
      { name: '0001-a.bin', sizeBytes: 12_288 },
      { name: '0002-b.json', sizeBytes: 4096 },
    ]);
  });

  it('scales a large save to the space and keeps its files, its writers and their shares', () => {
    const shape = shapeOf(savedFiles, 'run', 4 * GiB, usual);
    expect(shape.files).toHaveLength(10);
    expect(shape.realBytes).toBe(8 * 12e9 + 16e9 + 13);
    expect(shape.totalBytes).toBeLessThanOrEqual(4 * GiB);
    expect(shape.totalBytes).toBeGreaterThan(4 * GiB - 100 * 4096);
    expect(shape.scale).toBeCloseTo((4 * GiB) / 112e9, 5);
    expect((shape.files[8]?.sizeBytes ?? 0) / (shape.files[0]?.sizeBytes ?? 1)).toBeCloseTo(16 / 12, 3);
    expect(shape.streams).toBe(8);
  });

  it('takes the writers of a save from its large files', () => {
    const one = [
      { name: 'model.bin', sizeBytes: 1e9 },
      ...Array.from({ length: 30 }, (_, i) => ({ name: `c${i}.json`, sizeBytes: 1000 })),
    ];
    expect(shapeOf(one, 'run', GiB, usual).streams).toBe(1);
    expect(shapeOf(one, 'run', GiB, { ...usual, streams: 4 }).streams).toBe(4);
    expect(shapeOf([{ name: 'a', sizeBytes: 5 }], null, GiB, { ...usual, streams: 16 }).streams).toBe(1);
  });

  it('draws from more files than it may write, small and large ones as frequent as they are', () => {
    const many = [
      ...Array.from({ length: 90_000 }, (_, i) => ({ name: `c/${i}`, sizeBytes: 100 })),
      ...Array.from({ length: 10_000 }, (_, i) => ({ name: `d/${i}`, sizeBytes: 1e8 })),
    ];
    const { files, realFiles } = shapeOf(many, 'run', 4 * GiB, usual);
    expect(realFiles).toBe(100_000);
    expect(files).toHaveLength(limits.checkFiles);
    expect(files.filter(({ sizeBytes }) => sizeBytes > 4096).length / files.length).toBeCloseTo(0.1, 2);
  });

  it('never takes more than the space, in whole sectors and safe names, whatever the files', () => {
    fc.assert(
      fc.property(anyFiles, fc.oneof(fc.nat(20_000_000), fc.nat(20_000)), (files, space) => {
        const shape = makeShape(files, null, space, usual);
        if (shape === null) return space < 4096 || files.every(({ sizeBytes }) => sizeBytes === 0);
        const names = new Set(shape.files.map(({ name }) => name));
        return (
          shape.totalBytes <= space &&
          shape.totalBytes === shape.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) &&
          shape.files.every(
            ({ name, sizeBytes }) => sizeBytes >= 4096 && sizeBytes % 4096 === 0 && /^[\w.-]{5,120}$/.test(name),
          ) &&
          names.size === shape.files.length &&
          shape.streams >= 1 &&
          shape.streams <= shape.files.length
        );
      }),
      runs(100),
    );
  });

  it('makes one file a stream of a size alone, with all of its bytes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 50 }), fc.option(fc.integer({ min: 1, max: 128 })), (bytes, streams) => {
        const files = filesOfSize(bytes, streams);
        const sizes = files.map(({ sizeBytes }) => sizeBytes);
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(bytes);
        expect(files.length).toBeLessThanOrEqual(streams ?? 8);
        expect(Math.min(...sizes)).toBeGreaterThan(0);
      }),
      runs(100),
    );
    expect(filesOfSize(16 * GiB, null)).toHaveLength(8);
    expect(filesOfSize(1, 8)).toHaveLength(1);
  });

  it('gives every file to one stream, and none much more than its share', () => {
    const streams = filesOfStreams({
      files: savedFiles.map(({ name }, index) => ({ name, sizeBytes: (index + 1) * 4096 })),
      streams: 3,
    });
    expect(streams.flat()).toHaveLength(savedFiles.length);
    const bytes = streams.map((files) => files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
    expect(Math.max(...bytes) - Math.min(...bytes)).toBeLessThanOrEqual(4096 * 2);
  });
});
