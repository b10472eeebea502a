/** Inputs that fuzzing found, each once: those of mended defects, and some that reach what fixtures do not. */
import { describe, expect, it } from 'vitest';
import { committedCorpus, corpusTargets, readCorpus } from '../../fuzz/corpus.js';
import { randomOf } from '../../fuzz/mutators/random.js';
import { Mutator } from '../../fuzz/mutators/mutateInput.js';
import { fuzzTargets, targetNamed } from '../../fuzz/targets.js';
import type { Input } from '../../fuzz/target.js';
import { createRandom } from '../../src/core/datasets/text/random.js';
import { isExhaustive, seed } from '../builders/seed.js';

const mutationsPerTarget = isExhaustive ? 200 : 5;

describe('inputs that fuzzing found', () => {
  it.each(corpusTargets(committedCorpus))('%s', async (name) => {
    const inputs = readCorpus(committedCorpus, name);
    expect(inputs.length).toBeGreaterThan(0);
    for (const input of inputs) await targetNamed(name).execute(input);
  });
});

describe('a few mutations of valid inputs', () => {
  it.each(fuzzTargets().map((target) => ({ name: target.name, target })))('$name', async ({ target }) => {
    const random = randomOf(createRandom(seed));
    const mutator = new Mutator(target, random);
    const seeds = target.seeds();
    for (let time = 0; time < mutationsPerTarget; time++)
      await target.execute(mutator.mutate(random.of(seeds), random.of(seeds)));
    expect(seeds.length).toBeGreaterThan(0);
    for (const input of seeds) expect(Object.keys(input)).not.toEqual([]);
  });
});

it('an input survives being written', async () => {
  const { parseInput, writeInput } = await import('../../fuzz/storedInput.js');
  const input: Input = { 'a/b': Uint8Array.of(0, 255), c: new Uint8Array(0) };
  expect(parseInput(writeInput({ target: 'x', input }))).toEqual({ target: 'x', input });
});
