import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LengthCounter } from '../../../src/core/datasets/lengthHistogram.js';
import { runs } from '../../builders/seed.js';

describe('lengths of many samples', () => {
  const histogramOf = (fill: (counter: LengthCounter) => void) => {
    const counter = new LengthCounter();
    fill(counter);
    return counter.histogram('sequence');
  };

  it('counts an array as it counts one length after the other', () => {
    const edges = Array.from({ length: 31 }, (_, exponent) => [2 ** exponent - 1, 2 ** exponent, 2 ** exponent + 1]).flat();
    const length = fc.oneof(fc.integer({ min: 0, max: 2 ** 31 - 1 }), fc.constantFrom(...edges, 2 ** 31 - 1), fc.nat(100));
    fc.assert(
      fc.property(fc.array(length), fc.nat(50), (lengths, cut) => {
        const inArrays = histogramOf((counter) => {
          counter.addAll(Int32Array.from(lengths.slice(0, cut)));
          counter.addAll(Int32Array.from(lengths.slice(cut)));
        });
        const singly = histogramOf((counter) => {
          for (const each of lengths) counter.add(each);
        });
        expect(inArrays).toEqual(singly);
      }),
      runs(100),
    );
    expect(histogramOf((counter) => counter.addAll(Int32Array.from(edges)))).toEqual(
      histogramOf((counter) => edges.forEach((each) => counter.add(each))),
    );
  });

  it('puts each length into the bucket that names it', () => {
    for (const length of [0, 31, 32, 33, 63, 64, 65, 1000, 2 ** 20 - 1, 2 ** 20, 2 ** 31 - 1]) {
      const [bucket] = histogramOf((counter) => counter.addAll(Int32Array.of(length)))?.buckets ?? [];
      expect(bucket?.from).toBeLessThanOrEqual(length);
      expect(bucket?.to).toBeGreaterThanOrEqual(length);
    }
  });

  it('takes negative lengths as empty', () => {
    expect(histogramOf((counter) => counter.addAll(Int32Array.of(-5, 3)))).toMatchObject({
      empty: 1,
      minTokens: 0,
      maxTokens: 3,
    });
  });
});
