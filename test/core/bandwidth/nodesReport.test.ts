import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PhaseSample } from '../../../src/core/bandwidth/measurement.js';
import type { NodesMeasurement } from '../../../src/core/bandwidth/nodes.js';
import { combineNodes, nodesReport } from '../../../src/core/bandwidth/nodesReport.js';
import { nodeMeasurement } from './measurements.js';
import { runs } from '../../builders/seed.js';

function sample(bytes: number, seconds: number): PhaseSample {
  return { bytes, seconds, firstDoneSeconds: seconds / 2, isCut: false };
}

function nodesOf(...nodes: PhaseSample[][]): NodesMeasurement {
  return {
    nodes: nodes.map((samples, node) => ({ name: `node${node + 1}`, measurement: nodeMeasurement({ samples }) })),
    startSpreadSeconds: 0.002,
  };
}

const phaseSample = fc
  .record({
    bytes: fc.integer({ min: 1, max: 1e12 }),
    seconds: fc.double({ min: 1e-3, max: 1e4, noNaN: true }),
    isCut: fc.boolean(),
  })
  .map(({ bytes, seconds, isCut }): PhaseSample => ({ bytes, seconds, firstDoneSeconds: seconds / 2, isCut }));
const nodesMeasurement = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 8 }))
  .chain(([repeats, nodes]) =>
    fc.array(fc.array(phaseSample, { minLength: repeats, maxLength: repeats }), { minLength: nodes, maxLength: nodes }),
  )
  .map((nodes) => nodesOf(...nodes));

describe('several nodes', () => {
  it('take as long as the slowest of them, repeat by repeat', () => {
    const measured = nodesOf([sample(100, 1), sample(100, 4)], [sample(100, 2), sample(100, 1)]);
    const { write } = combineNodes(measured);
    expect(write.samples).toEqual([
      { bytes: 200, seconds: 2, firstDoneSeconds: 0.5, isCut: false },
      { bytes: 200, seconds: 4, firstDoneSeconds: 0.5, isCut: false },
    ]);
    expect(nodesReport(measured)).toMatchObject({
      count: 2,
      // Repeats of 100 and of 50 bytes a second.
      write: { maximumSeconds: 4, minimumNodeBytesPerSecond: 25, medianBytesPerSecond: 75 },
      perNode: [
        { name: 'node1', writeBytesPerSecond: 62.5, writeSeconds: 2.5 },
        { name: 'node2', writeBytesPerSecond: 75, writeSeconds: 1.5 },
      ],
      startSpreadSeconds: 0.002,
    });
  });

  it('leave out repeats that one of them did not come to', () => {
    expect(combineNodes(nodesOf([sample(1, 1), sample(1, 1)], [sample(1, 1)])).write.samples).toHaveLength(1);
  });

  it('are as sure about the cache as the least sure of them, and direct only together', () => {
    const measured = nodesOf([sample(1, 1)], [sample(1, 1)]);
    const second = measured.nodes[1]?.measurement;
    if (second === undefined) throw new Error('there are two');
    second.read.cache = 'dropped';
    second.write.isDirect = false;
    second.io.countedWrittenBytes = null;
    expect(combineNodes(measured)).toMatchObject({
      read: { cache: 'dropped' },
      write: { isDirect: false },
      io: { writtenBytes: 2, countedWrittenBytes: null },
    });
  });

  it('have a check of metadata only where each has one', () => {
    const measured = nodesOf([sample(1, 1)], [sample(1, 1)]);
    const { blocks } = nodeMeasurement({}).write;
    const metadata = {
      files: 10,
      streams: 2,
      seconds: 1,
      isCut: false,
      create: blocks,
      sync: blocks,
      rename: blocks,
      remove: blocks,
    };
    const [first, second] = measured.nodes;
    if (first === undefined || second === undefined) throw new Error('there are two');
    first.measurement.metadata = metadata;
    expect(combineNodes(measured).metadata).toBeNull();
    second.measurement.metadata = { ...metadata, seconds: 3, isCut: true };
    expect(combineNodes(measured).metadata).toMatchObject({ files: 20, streams: 4, seconds: 3, isCut: true });
  });

  it('keep all bytes, and are never faster than the sum of their nodes nor slower than the slowest alone', () => {
    fc.assert(
      fc.property(nodesMeasurement, (measured) => {
        const combined = combineNodes(measured);
        const { write, perNode } = nodesReport(measured);
        const all = measured.nodes.map(({ measurement }) => measurement.write.samples);
        combined.write.samples.forEach((together, repeat) => {
          const alone = all.flatMap((samples) => samples[repeat] ?? []);
          expect(together.bytes).toBe(alone.reduce((sum, { bytes }) => sum + bytes, 0));
          expect(together.isCut).toBe(alone.some(({ isCut }) => isCut));
          const rates = alone.map(({ bytes, seconds }) => bytes / seconds);
          expect(together.bytes / together.seconds).toBeLessThanOrEqual(rates.reduce((a, b) => a + b) * (1 + 1e-9));
          expect(together.seconds).toBe(Math.max(...alone.map(({ seconds }) => seconds)));
        });
        expect(write.maximumSeconds).toBe(Math.max(...all.flat().map(({ seconds }) => seconds)));
        expect(write.minimumNodeBytesPerSecond).toBeLessThanOrEqual(Math.min(...perNode.map((node) => node.writeBytesPerSecond)));
        expect(write.spread).toBeGreaterThanOrEqual(0);
      }),
      runs(100),
    );
  });

  it('of one node are that node', () => {
    fc.assert(
      fc.property(nodesMeasurement, ({ nodes: [node] }) => {
        if (node === undefined) return;
        expect(combineNodes({ nodes: [node], startSpreadSeconds: 0 })).toEqual({
          ...node.measurement,
          machine: { ...node.measurement.machine, name: node.name },
        });
      }),
      runs(100),
    );
  });
});
