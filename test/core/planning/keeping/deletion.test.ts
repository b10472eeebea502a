/** What a policy drops of a run: never what a run needs to go on, whatever the policy says. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SavedCheckpoint } from '../../../../src/core/planning/inputs/planDocument.js';
import { deletion } from '../../../../src/core/planning/keeping/deletion.js';
import { runs } from '../../../builders/seed.js';

const policy = { keepLast: 2, keepEvery: 0, milestones: 0, legalHolds: 0 };
const checkpoint = (step: number | null, rest: Partial<SavedCheckpoint> = {}): SavedCheckpoint => ({
  path: `step-${step}`,
  step,
  bytes: 10,
  savedAtSeconds: null,
  isFinished: true,
  isLatest: false,
  ...rest,
});
const verdicts = (saved: SavedCheckpoint[], rest = {}) =>
  Object.fromEntries((deletion(saved, { ...policy, ...rest })?.rows ?? []).map(({ path, reason }) => [path, reason]));

describe('deletion', () => {
  it('says nothing where there are no checkpoints', () => {
    expect(deletion([], policy)).toBeNull();
  });

  it('keeps the newest, drops the rest, and counts what that frees', () => {
    const answer = deletion(
      [300, 100, 200, 400].map((step) => checkpoint(step)),
      policy,
    );
    expect(answer?.rows.map(({ path, isKept }) => [path, isKept])).toEqual([
      ['step-100', false],
      ['step-200', false],
      ['step-300', true],
      ['step-400', true],
    ]);
    expect(answer).toMatchObject({ kept: 2, dropped: 2, freedBytes: 20, unnamed: 0 });
  });

  it('never drops the newest complete one, nor what the pointer names, nor what may be being written', () => {
    const saved = [checkpoint(100, { isLatest: true }), checkpoint(200), checkpoint(300), checkpoint(400, { isFinished: false })];
    expect(verdicts(saved, { keepLast: 0 })).toEqual({
      'step-100': 'latest-points-here',
      'step-200': 'superseded',
      'step-300': 'newest-complete',
      'step-400': 'maybe-being-written',
    });
  });

  it('drops what was interrupted once a newer one is complete', () => {
    expect(verdicts([checkpoint(100, { isFinished: false }), checkpoint(200), checkpoint(300)])).toMatchObject({
      'step-100': 'interrupted',
    });
  });

  it('tells every Nth by the distance of the steps, though earlier ones are gone', () => {
    const steps = [400, 600, 700, 750, 800, 900, 1000];
    expect(
      verdicts(
        steps.map((step) => checkpoint(step)),
        { keepLast: 1, keepEvery: 2 },
      ),
    ).toEqual({
      'step-400': 'every-nth',
      'step-600': 'every-nth',
      'step-700': 'superseded',
      // Between two saves: an emergency save.
      'step-750': 'superseded',
      'step-800': 'every-nth',
      'step-900': 'superseded',
      'step-1000': 'newest-complete',
    });
  });

  it('goes by time where there are no steps', () => {
    const saved = [3, 1, 2].map((time) => checkpoint(null, { path: `at-${time}`, savedAtSeconds: time }));
    expect(verdicts(saved, { keepLast: 1 })).toEqual({ 'at-1': 'superseded', 'at-2': 'superseded', 'at-3': 'newest-complete' });
  });

  it('holds for every run: what a run needs to go on stays', () => {
    const any = fc.array(
      fc.record({
        step: fc.option(fc.nat(1000)),
        savedAtSeconds: fc.option(fc.nat(1e9)),
        bytes: fc.nat(1e12),
        isFinished: fc.boolean(),
        isLatest: fc.boolean(),
        path: fc.string(),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(any, fc.nat(5), fc.nat(5), (saved, keepLast, keepEvery) => {
        const answer = deletion(saved, { ...policy, keepLast, keepEvery });
        const rows = answer?.rows ?? [];
        expect(rows).toHaveLength(saved.length);
        if (saved.some(({ isFinished }) => isFinished))
          expect(rows.some(({ reason }) => reason === 'newest-complete')).toBe(true);
        const kept = rows.filter(({ isKept }) => isKept);
        const pointed = saved.filter(({ isLatest }) => isLatest).reduce((sum, { bytes }) => sum + bytes, 0);
        expect(kept.reduce((sum, { bytes }) => sum + bytes, 0)).toBeGreaterThanOrEqual(pointed);
        expect(kept.length + (answer?.dropped ?? 0)).toBe(saved.length);
      }),
      runs(100),
    );
  });
});
