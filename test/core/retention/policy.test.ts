/** Policies, holds, tables and manifests: what is not understood refuses the file with its line. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { isCopied, readCopyManifest } from '../../../src/core/retention/copyManifest.js';
import { isHeldBy, readHolds } from '../../../src/core/retention/holds.js';
import { readMetricTable } from '../../../src/core/retention/metricValues.js';
import { readRetentionPolicy } from '../../../src/core/retention/retentionPolicy.js';
import { parse } from 'yaml';
import { readFileSync } from 'node:fs';
import { compileSchema, schemaErrors } from '../../builders/schemaErrors.js';
import { Listing } from '../../../src/core/files/listing.js';

const refusal = (read: Promise<unknown>): Promise<string> =>
  read.then(
    () => 'accepted',
    (error: unknown) => (error as { detail?: string }).detail ?? String(error),
  );

describe('a policy', () => {
  it('is read with all of its keys', async () => {
    const text = [
      'keepLast: 2',
      'keepEverySteps: 500 # of training',
      'keepEveryHours: 24',
      'keepBest: {metric: eval_loss, mode: min, count: 3, csv: loss.csv}',
      'milestones: [1000, 2000]',
      'minimumAgeHours: 6',
      'copies: {wanted: 1, manifest: copy.jsonl}',
      'purgeAfterDays: 14',
      'rotation: {keep_latest_k: 10}',
    ].join('\n');
    expect(await readRetentionPolicy(text)).toEqual({
      keepLast: 2,
      keepEverySteps: 500,
      keepEveryHours: 24,
      keepBest: { metric: 'eval_loss', mode: 'min', count: 3, csv: 'loss.csv' },
      milestones: [1000, 2000],
      minimumAgeHours: 6,
      copies: { wanted: 1, manifests: ['copy.jsonl'] },
      purgeAfterDays: 14,
      rotation: { setting: 'keep_latest_k', limit: 10 },
    });
  });

  it.each([
    ['', 'line 1: no rule says what stays'],
    ['- keepLast: 2', 'line 1: no rule says what stays'],
    ['minimumAgeHours: 6', 'line 1: no rule says what stays'],
    ['keepLast: 2\nkeepLasst: 3', 'line 2: keepLasst is not a key of a retention policy'],
    ['keepLast: 2\nkeepLast: 3', 'line 2: keepLast is written twice'],
    ['keepLast: 0', 'line 1: keepLast must be from 1 to 1000000, not 0'],
    ['keepLast: "2"', 'line 1: keepLast must be a whole number'],
    ['keepLast: 2.5', 'line 1: keepLast must be a whole number'],
    ['keepLast: .inf', 'line 1: keepLast must be a whole number'],
    ['keepLast: 2\nkeepEveryHours: -1', 'line 2: keepEveryHours must be from 0.01'],
    ['keepLast: 2\nmilestones: 5', 'line 2: milestones must be a list'],
    ['keepLast: 2\nmilestones: [5, x]', 'line 2: a milestone must be a whole number'],
    ['keepBest: {metric: loss, mode: least, count: 1}', 'line 1: keepBest.mode must be min or max'],
    ['keepBest: {metric: loss, count: 1}', 'line 1: keepBest needs metric, mode and count'],
    ['keepLast: 2\ncopies: {wanted: 2, manifest: a}', 'line 2: copies.wanted is 2, which needs as many different manifests'],
    ['keepLast: 2\ncopies: {wanted: 1, manifest: [a], path: b}', 'line 2: path is not a key of copies'],
    ['keepLast: 2\nrotation: {}', 'line 2: rotation must have one of save_total_limit'],
    ['keepLast: *two', 'line 1: *two names no anchor of the file'],
    ['keepLast: [', 'line 1: '],
    ['keepLast: 2\n---\nkeepLast: 30', 'line 2: a second document begins here'],
    ['keepLast: 2 # \ufffd', 'line 1: is not UTF-8 text'],
  ])('with %j is refused', async (text, sentence) => {
    expect(await refusal(readRetentionPolicy(text))).toContain(sentence);
  });

  it('takes no more items than there can be checkpoints, and no more manifests than places', async () => {
    const steps = Array.from({ length: limits.retentionItems + 1 }, (_, step) => step).join(', ');
    expect(await refusal(readRetentionPolicy(`milestones: [${steps}]`))).toContain('10001 items, of which 10000 can be read');
    const places = Array.from({ length: limits.copyManifests + 1 }, (_, place) => `m${place}`).join(', ');
    expect(await refusal(readRetentionPolicy(`keepLast: 2\ncopies: {wanted: 1, manifest: [${places}]}`))).toContain('21 items');
  });
});

describe('what editors are told', () => {
  // Of draft 7, as editors have it; what it uses means the same in later ones.
  const compiled = (file: string) => {
    const { $schema: _, ...schema } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    return compileSchema(schema);
  };
  const policySchema = compiled('docs/retention-policy.schema.json');
  const holdsSchema = compiled('media/stowage-holds.schema.json');

  it.each([
    'keepLast: 2',
    'keepBest: {metric: loss, mode: max, count: 1}\ncopies: {wanted: 2, manifest: [a, b]}',
    'keepEveryHours: 0.5\nrotation: {save_top_k: -1}\nmilestones: []',
    'minimumAgeHours: 6',
    'keepLast: 0',
    'keepLast: 2.5',
    'keepLast: two',
    'keepLast: 2\nkeepLst: 3',
    'keepLast: 2\nmilestones: [-1]',
    'keepBest: {metric: loss, mode: best, count: 1}',
    'keepLast: 2\nrotation: {}',
    'keepLast: 2\npurgeAfterDays: 5000',
  ])('of %j is what is read', async (text) => {
    const isRead = (await refusal(readRetentionPolicy(text))) === 'accepted';
    expect(schemaErrors(policySchema, parse(text)).length === 0).toBe(isRead);
  });

  it.each(['holds: []', 'holds:\n- {path: a, reason: b, until: null}', 'holds:\n- {path: a}', 'holds: {}', 'hold: []'])(
    'of %j is what is read, too',
    async (text) => {
      const isRead = (await refusal(readHolds(text))) === 'accepted';
      expect(schemaErrors(holdsSchema, parse(text)).length === 0).toBe(isRead);
    },
  );
});

describe('a file of holds', () => {
  it('holds checkpoints, what is in them and folders of them', async () => {
    const holds = await readHolds(
      'holds:\n- {path: ./a/, reason: legal, until: null}\n- {path: 300, reason: golden}\n- {path: b/c/x.pt, reason: milestone, until: 2026-12-31}\n',
    );
    expect(holds).toEqual([
      { path: 'a', reason: 'legal', untilMs: null },
      { path: '300', reason: 'golden', untilMs: null },
      // The day ends last twelve hours west of Greenwich.
      { path: 'b/c/x.pt', reason: 'milestone', untilMs: Date.UTC(2027, 0, 1, 12) },
    ]);
    const [folder, , file] = holds;
    expect(['a', 'a/checkpoint-1', 'ab'].map((root) => folder !== undefined && isHeldBy(folder, root))).toEqual([
      true,
      true,
      false,
    ]);
    expect(['b/c', 'b/cd', 'b'].map((root) => file !== undefined && isHeldBy(file, root))).toEqual([true, false, true]);
    expect(await readHolds('holds: []')).toEqual([]);
  });

  it.each([
    ['', 'line 1: the key holds is missing'],
    ['- {path: a, reason: b}', 'line 1: the key holds is missing'],
    ['holds:', 'line 1: holds must be a list'],
    ['holds:\n- a', 'line 2: a hold must have the keys path, reason, until'],
    ['holds:\n- {path: a}', 'line 2: a hold needs path and reason'],
    ['holds:\n- {path: "", reason: x}', 'line 2: path must be a line of text'],
    ['holds:\n- {path: ../a, reason: x}', 'line 2: path must be relative to the run'],
    ['holds:\n- {path: /a, reason: x}', 'line 2: path must be relative to the run'],
    ['holds:\n- {path: a, reason: x, until: soon}', 'line 2: until must be a day'],
    ['holds:\n- {path: a, reason: x, until: 2026-02-31}', 'line 2: until must be a day'],
    ['holds:\n- {path: a, reason: x, til: null}', 'line 2: til is not a key of a hold'],
    ['holds: []\n---\nholds:\n- {path: a, reason: x}', 'line 2: a second document begins here'],
    ['holds: []\nholds:\n- {path: a, reason: x}', 'line 2: holds is written twice'],
  ])('with %j is refused', async (text, sentence) => {
    expect(await refusal(readHolds(text))).toContain(sentence);
  });
});

describe('a table of a metric', () => {
  it('has a step and a value in each line', () => {
    expect([...readMetricTable('step,value\r\n100, 2.5\r\n200,1e-3\r\n\r\n')]).toEqual([
      [100, 2.5],
      [200, 0.001],
    ]);
  });

  it.each(['', 'step,value', '100,2\n100,3', '100,2\nx', '100,2,3\n200,2'])('of %j is refused', (text) => {
    expect(() => readMetricTable(text)).toThrow(/line \d/);
  });
});

describe('a manifest of a copy', () => {
  const entries = [
    { path: 'model.safetensors', sizeBytes: 8, modifiedMs: 1e12 },
    { path: 'extra', sizeBytes: 0, modifiedMs: 1e12 },
  ];
  const member = { root: 'checkpoint-1', listing: new Listing('checkpoint-1', entries) };
  const line = (path: string, sizeBytes: number, more = {}) => JSON.stringify({ path, sizeBytes, ...more });

  it.each([
    [
      'all files with their sizes',
      [line('./checkpoint-1/model.safetensors', 8, { sha256: 'x' }), line('checkpoint-1/extra', 0)],
      true,
    ],
    ['another size', [line('checkpoint-1/model.safetensors', 7), line('checkpoint-1/extra', 0)], false],
    ['a missing file', [line('checkpoint-1/model.safetensors', 8)], false],
    ['an older file', [line('checkpoint-1/model.safetensors', 8, { modifiedMs: 1 }), line('checkpoint-1/extra', 0)], false],
  ])('with %s', (_name, lines, isWhole) => {
    expect(isCopied(readCopyManifest(`${lines.join('\n')}\n`), member)).toBe(isWhole);
  });

  it.each(['{"path": "a"}', '{"path": "a", "sizeBytes": -1}', '[]', 'a 1'])('with %j is refused', (text) => {
    expect(() => readCopyManifest(`\n${text}`)).toThrow('line 2');
  });
});
