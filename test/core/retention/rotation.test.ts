/**
 * What frameworks remove, against what their own code removed of random directories. A sample is with the tests; STOWAGE_ROTATIONS names a file
 * with more, that test/fixtures/retention/make_rotations.py wrote.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { removedByAccelerate } from '../../../src/core/retention/rotation/accelerate.js';
import { afterSave, type ModelCheckpointSetting, type Scored } from '../../../src/core/retention/rotation/lightning.js';
import { removedByMostRecent, removedByRetainInterval } from '../../../src/core/retention/rotation/megatron.js';
import type { Saved } from '../../../src/core/retention/rotation/rotation.js';
import { removedByTorchtitan } from '../../../src/core/retention/rotation/torchtitan.js';
import { removedByTrainer } from '../../../src/core/retention/rotation/trainer.js';

interface Save {
  name: string;
  score: number | null;
  removed: string[];
}

type Case =
  | { framework: 'trainer'; saved: Saved[]; limit: number | null; best: string | null; removed: string[] }
  | { framework: 'accelerate'; names: string[]; limit: number | null; removed: string[] }
  | { framework: 'torchtitan' | 'most-recent'; names: string[]; limit: number; removed: string[] }
  | { framework: 'retain-interval'; iterations: number[]; limit: number | null; removed: number[][] }
  | { framework: 'lightning'; saves: Save[]; limit: number; mode: 'min' | 'max'; isMonitored: boolean; left: string[] };

/** What was removed, in the form of the case. */
function removed(one: Case): unknown {
  switch (one.framework) {
    case 'trainer':
      return removedByTrainer(one.saved, one.limit, one.best);
    case 'accelerate':
      return removedByAccelerate(one.names, one.limit);
    case 'torchtitan':
      return removedByTorchtitan(one.names, one.limit);
    case 'most-recent':
      return removedByMostRecent(one.names, one.limit);
    case 'retain-interval':
      return one.iterations.map((iteration, index) => {
        const gone = removedByRetainInterval(iteration, one.iterations[index - 1] ?? 0, one.limit);
        return gone === null ? [] : [gone];
      });
    case 'lightning':
      return one.saves.map(({ removed: gone }) => gone);
  }
}

function topK({ saves, limit, mode, isMonitored }: Extract<Case, { framework: 'lightning' }>) {
  const setting: ModelCheckpointSetting = { saveTopK: limit, mode, isMonitored };
  let kept: Scored[] = [];
  const gone = saves.map(({ name, score }) => {
    const after = afterSave(kept, { name, score: score ?? NaN }, setting);
    kept = after.kept;
    return after.removed === null ? [] : [after.removed];
  });
  return { gone, left: kept.map(({ name }) => name).sort() };
}

const sample = 'test/fixtures/retention/rotations.jsonl';
const files = [sample, process.env['STOWAGE_ROTATIONS'] ?? ''].filter((file) => file !== '');

it.each(files)('is what frameworks remove: %s', (file) => {
  const cases = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Case);
  const counts: Record<string, { cases: number; removing: number }> = {};
  for (const one of cases) {
    const what = JSON.stringify(one);
    if (one.framework === 'lightning') {
      const { gone, left } = topK(one);
      expect(gone, what).toEqual(removed(one));
      expect(left, what).toEqual(one.left);
    } else expect(removed(one), what).toEqual(one.removed);
    const count = (counts[one.framework] ??= { cases: 0, removing: 0 });
    count.cases += 1;
    count.removing += String(removed(one)).replaceAll(',', '') === '' ? 0 : 1;
  }
  expect(Object.keys(counts)).toHaveLength(6);
  for (const [framework, { removing }] of Object.entries(counts)) expect(removing, framework).toBeGreaterThan(0);
  if (file !== sample) console.info(JSON.stringify(counts));
});
