/** The tables of a comparison, of reports as they are made. */
import { describe, expect, it } from 'vitest';
import { compareCheckpoints } from '../../../src/app/comparison/compareCheckpoints.js';
import type { ComparisonReport } from '../../../src/core/comparison/comparisonReport.js';
import {
  componentRows,
  differenceWords,
  fileRows,
  fusedRows,
  notComparedWords,
  optimizerParameters,
  optimizerTable,
  settingPlace,
  stepWords,
  tensorRows,
  valueRows,
} from '../../../src/core/pages/comparison/comparedRows.js';
import { comparisonPage } from '../../../src/core/pages/comparison/comparisonPage.js';
import { sideFacts } from '../../../src/core/pages/comparison/sideFacts.js';
import { formatBytes } from '../../../src/core/text/units.js';
import { runPair, trainedPair, unlikePair, type CheckpointPair } from '../../builders/comparedCheckpoints.js';
import { memoryPlatform } from '../../builders/memoryPlatform.js';

async function compared({ a, b }: CheckpointPair, values = false): Promise<ComparisonReport> {
  const below = (root: string, files: CheckpointPair['a']): CheckpointPair['a'] =>
    Object.fromEntries(Object.entries(files).map(([name, file]) => [`${root}/${name}`, file]));
  const platform = memoryPlatform({ ...below('/a', a), ...below('/b', b) });
  return (await compareCheckpoints(platform, { a: '/a', b: '/b', ...(values && { values }) })).report;
}

describe('tables of a comparison', () => {
  it('have the tensors of each state with the forms of both sides', async () => {
    const { rows, counts } = tensorRows(await compared(unlikePair()));
    expect(counts).toEqual({ added: 1, removed: 1, renamed: 1, changed: 1 });
    expect(rows).toEqual([
      {
        name: 'model.norm.weight',
        state: 'changed',
        nameInB: null,
        a: { dtype: 'f32', shape: [8] },
        b: { dtype: 'bf16', shape: [2, 4] },
      },
      {
        name: 'module.model.embed_tokens.weight',
        state: 'renamed',
        nameInB: 'model.embed_tokens.weight',
        a: null,
        b: null,
      },
      { name: 'lm_head.weight', state: 'removed', nameInB: null, a: { dtype: 'f32', shape: [16] }, b: null },
      { name: 'model.new.weight', state: 'added', nameInB: null, a: null, b: { dtype: 'f32', shape: [16] } },
    ]);
  });

  it('have a changed file of the tokenizer once, and as many files as there are in all', async () => {
    const report = await compared(trainedPair(1));
    const { rows, total } = fileRows(report);
    expect(rows.filter(({ path }) => path === 'tokenizer.json')).toMatchObject([{ state: 'changed' }]);
    expect(total).toBe(rows.length);
    const files = { ...report.files, counts: { ...report.files.counts, added: report.files.counts.added + 1_000_000 } };
    expect(fileRows({ ...report, files }).total).toBe(rows.length + 1_000_000);
  });

  it('have components with what they differ by', async () => {
    const [weights] = componentRows(await compared(trainedPair(1)));
    expect(weights).toMatchObject({ id: 'weights', label: 'weights', bytes: { a: 4312, b: 4056 }, tensors: { a: 12, b: 12 } });
    expect(differenceWords({ a: 5, b: 5 }, formatBytes)).toBe('');
    expect(differenceWords({ a: 5, b: 2 }, formatBytes)).toBe('−3 B');
    expect(differenceWords({ a: 0, b: 2000 }, formatBytes)).toBe('+2 kB');
  });

  it('say where a setting is stated, on which side where that differs', () => {
    expect(settingPlace({ kind: 'topology', files: { a: null, b: null } })).toBe('');
    expect(settingPlace({ kind: 'config', files: { a: 'config.json', b: 'config.json' } })).toBe('config.json');
    expect(settingPlace({ kind: 'state', files: { a: 'a.json', b: null } })).toBe('a.json');
    expect(settingPlace({ kind: 'state', files: { a: null, b: 'b.json' } })).toBe('b.json');
    expect(settingPlace({ kind: 'state', files: { a: 'a.json', b: 'b.json' } })).toBe('a.json, b.json');
  });

  it('have what is known of optimizers, and parameters of one side alone', () => {
    const side = {
      kind: 'AdamW',
      bytes: 100,
      tensors: 4,
      parts: { firstMoment: 2, secondMoment: 2 },
      groups: null,
      namedParameters: 2,
    };
    const optimizer = {
      a: side,
      b: { ...side, kind: 'Lion', parts: { firstMoment: 2 } },
      onlyA: ['w'],
      onlyB: [],
      counts: { onlyA: 20, onlyB: 0 },
    };
    expect(optimizerTable({ optimizer }).rows).toEqual([
      ['kind', 'AdamW', 'Lion', 'differs'],
      ['bytes', '100 B', '100 B', ''],
      ['tensors', '4', '4', ''],
      ['first moments', '2', '2', ''],
      ['second moments', '2', '–', 'differs'],
      ['named parameters', '2', '2', ''],
    ]);
    expect(optimizerTable({ optimizer: { ...optimizer, b: null } }).rows[0]).toEqual(['kind', 'AdamW', '–', 'differs']);
    expect(optimizerParameters({ optimizer })).toEqual({ rows: [{ name: 'w', side: 'A' }], total: 20 });
  });

  it('have the values of tensors, and why those of others were not compared', async () => {
    const report = await compared(trainedPair(8), true);
    const { rows, total } = valueRows(report);
    expect(total).toBe(rows.length);
    expect(rows.find(({ name }) => name === 'model.layers.7.self_attn.k_proj.weight')).toMatchObject({
      result: 'different',
      more: '',
    });
    expect(rows.find(({ name }) => name === 'model.norm.weight')).toMatchObject({ result: 'equal', relativeL2: 0 });
    const unlike = valueRows(await compared(unlikePair(), true));
    expect(unlike.total).toBe(unlike.rows.length);
    const other = unlike.rows.at(-1);
    expect(other).toMatchObject({ name: 'model.norm.weight', result: 'not compared', relativeL2: null });
    expect(other?.more).not.toBe('');
    expect(valueRows(await compared(trainedPair(1)))).toEqual({ rows: [], total: 0 });
  });

  it('say what was left out, and what a side is', async () => {
    expect(notComparedWords({ what: 'optimizer', side: 'a', reason: 'It has none.' })).toBe('Optimizer of A: It has none.');
    expect(notComparedWords({ what: 'tensors', side: null, reason: 'Neither has any.' })).toBe('Tensors: Neither has any.');
    const { b } = await compared(trainedPair(1));
    expect(sideFacts(b)).toMatch(/^Hugging Face Trainer · step 1,000 · [\d.]+ kB in 4 files · resume: weights only$/);
  });
});

describe('tables of fused tensors and of steps', () => {
  it('have the names of both, and how many more there are', async () => {
    const { tensors } = await compared(unlikePair());
    const fused = [{ a: ['q', 'k'], b: ['qkv'], counts: { a: 2, b: 3_000 } }];
    expect(fusedRows({ tensors: { ...tensors, fused, fusedCount: 1 } })).toEqual([{ a: 'q, k', b: 'qkv, 2,999 more' }]);
  });

  it('say at which step sizes, learning rates and settings are first others', async () => {
    const { run } = await compared(runPair());
    if (run === undefined) throw new Error('these are no runs');
    const words = {
      ...run,
      firstOtherSize: 10,
      firstOtherLearningRate: 20,
      firstOtherSettings: { step: 10, names: ['seed', 'learningRate'], labels: ['seed', 'learning rate'] },
    };
    const bytes = { a: 8_140_000, b: 8_140_003 };
    expect([10, 20, 30].map((step) => stepWords(words, { step, bytes }))).toEqual([
      'size: +3 B; settings: seed, learning rate',
      'learning rate',
      '',
    ]);
    // Both sizes are the same in three digits.
    const steps = [{ step: 10, paths: { a: '', b: '' }, bytes }];
    const page = comparisonPage({ ...(await compared(runPair())), run: { ...words, steps } });
    expect(page.reasons).toContain('Sizes differ first at step 10: B has 3 B more.');
    expect(page.reasons).toContain('Settings differ first at step 10 (seed and learning rate).');
    const equal = comparisonPage(await compared(runPair()));
    expect(equal.reasons.join()).not.toContain('Sizes differ');
  });
});
