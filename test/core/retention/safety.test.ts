/** What must never be proposed, on random runs and policies: each promise is a property, with an oracle that knows what was planted. */
import { expect, it } from 'vitest';
import { planRetention } from '../../../src/core/retention/planRetention.js';
import type { RetentionReport } from '../../../src/core/retention/retentionReport.js';
import { isExhaustive, seed } from '../../builders/seed.js';
import {
  isSound,
  ownerOfRun,
  retainedRun,
  treeOfRun,
  type RetainedCheckpoint,
  type RetainedRun,
} from '../../builders/retainedRun.js';

const count = isExhaustive ? 1_000_000 : 1_500;

async function planned(run: RetainedRun): Promise<RetentionReport> {
  const tree = treeOfRun(run);
  const listAgain = async () => {
    const listing = await tree.list();
    const entries = listing.entries.map((entry) =>
      run.changed.has(entry.path) ? { ...entry, sizeBytes: entry.sizeBytes + 1 } : entry,
    );
    return { ...listing, entries };
  };
  const { report } = await planRetention({
    path: '/run',
    tree,
    policy: run.policy,
    holds: run.holds,
    manifests: run.policy.copies === null ? [] : run.manifests,
    metrics: null,
    adapters: { bases: [], unread: [] },
    listAgain,
    nowMs: run.nowMs,
    user: ownerOfRun,
  });
  return report;
}

/** A property of one run and its report. */
type Property = (run: RetainedRun, report: RetentionReport, dropped: ReadonlySet<string>) => void;

const stays = ({ path }: RetainedCheckpoint, dropped: ReadonlySet<string>): boolean => !dropped.has(path);
/** Whole in the sense of all files: of runs that lost no weights. */
const soundOf = ({ checkpoints }: RetainedRun): RetainedCheckpoint[] => checkpoints.filter(isSound);
const isFull = ({ checkpoints }: RetainedRun): boolean => checkpoints.every(({ hasWeights }) => hasWeights);

/** A matcher takes longer than a whole report. */
function holds(is: boolean, what: string): void {
  if (!is) throw new Error(what);
}

const never =
  (...planted: string[]): Property =>
  ({ checkpoints }, _report, dropped) => {
    for (const checkpoint of checkpoints)
      for (const one of planted) if (checkpoint.planted.has(one as never)) holds(stays(checkpoint, dropped), one);
  };

const properties: Record<string, Property> = {
  'each checkpoint is in exactly one list': ({ checkpoints }, { keep, drop, undecided }) => {
    const listed = [...keep, ...drop, ...undecided].map(({ path }) => path);
    const known = new Set(listed);
    holds(known.size === listed.length, 'twice');
    holds(listed.length === 0 || checkpoints.every(({ path }) => known.has(path)), 'missing');
  },
  'the newest whole checkpoint stays': (run, _report, dropped) => {
    const newest = soundOf(run).at(-1);
    if (isFull(run) && newest !== undefined) holds(stays(newest, dropped), newest.path);
  },
  'two whole ones stay': (run, _report, dropped) => {
    const sound = soundOf(run);
    const staying = sound.filter((one) => stays(one, dropped)).length;
    holds(!isFull(run) || staying >= Math.min(2, sound.length), String(staying));
  },
  'what a pointer or a link names stays': never('pointer', 'pointer-link', 'linked'),
  'what is held or marked stays': never('held', 'marked'),
  'the best of the framework stays': never('framework-best'),
  'the base of an adapter stays': never('base-of-adapter'),
  'what may be under way stays': never('incomplete', 'temporary', 'marker', 'young', 'changed'),
  'what is not understood stays': never('future', 'unreadable', 'unlisted', 'not-utf8', 'same-step'),
  'what is of another user stays': never('other-owner'),
  'what has no verified copy stays where one is wanted': ({ policy, checkpoints }, _report, dropped) => {
    for (const checkpoint of checkpoints)
      if (checkpoint.copies < (policy.copies?.wanted ?? 0)) holds(stays(checkpoint, dropped), checkpoint.path);
  },
  'the only copy of the weights stays': (run, _report, dropped) => {
    const having = run.checkpoints.filter(({ hasWeights }) => hasWeights);
    holds(having.length === 0 || having.some((one) => stays(one, dropped)), 'weights');
  },
  'nothing goes that a rule keeps': (run, _report, dropped) => {
    if (!isFull(run)) return;
    for (const checkpoint of soundOf(run)) if (!stays(checkpoint, dropped)) holds(!keptByRule(run, checkpoint), checkpoint.path);
  },
  'a checkpoint with a caveat is no reason to drop another': (run, _report, dropped) => {
    const { keepLast } = run.policy;
    if (keepLast === null || !isFull(run)) return;
    for (const checkpoint of soundOf(run).slice(-keepLast)) holds(stays(checkpoint, dropped), checkpoint.path);
  },
  'freed bytes are those of the files': ({ entries }, { drop, freedBytes }) => {
    for (const { path, freedBytes: own } of drop) {
      const files = entries.filter((entry) => entry.path.startsWith(`${path}/`));
      holds(own === files.reduce((sum, { allocatedBytes = 0 }) => sum + allocatedBytes, 0), path);
    }
    holds(freedBytes === drop.reduce((sum, one) => sum + one.freedBytes, 0), 'sum');
  },
};

/** By the words of the documentation, one rule after the other. */
function keptByRule(run: RetainedRun, own: RetainedCheckpoint): boolean {
  const { policy, nowMs } = run;
  const sound = soundOf(run);
  const isFirst = (windowOf: (one: RetainedCheckpoint) => number): boolean =>
    sound.find((one) => windowOf(one) === windowOf(own)) === own;
  const { keepLast, keepEverySteps, keepEveryHours, keepBest, milestones, minimumAgeHours } = policy;
  if (keepLast !== null && sound.indexOf(own) >= sound.length - keepLast) return true;
  if (keepEverySteps !== null && isFirst(({ step }) => Math.floor(step / keepEverySteps))) return true;
  const byTime = [...sound].sort((a, b) => a.finishedMs - b.finishedMs);
  const window = (one: RetainedCheckpoint): number => Math.floor(one.finishedMs / ((keepEveryHours ?? 1) * 3_600_000));
  if (keepEveryHours !== null && byTime.find((one) => window(one) === window(own)) === own) return true;
  if (keepBest !== null) {
    const better = sound.filter(({ value }) => (keepBest.mode === 'min' ? value < own.value : value > own.value));
    if (better.length < keepBest.count) return true;
  }
  return milestones.includes(own.step) || nowMs - own.finishedMs < minimumAgeHours * 3_600_000;
}

it(
  'holds what it promises',
  async () => {
    let withDrops = 0;
    let dropped = 0;
    for (let index = 0; index < count; index += 1) {
      const runSeed = (seed * 1_000_003 + index) >>> 0;
      if (isExhaustive && index % 100_000 === 0) console.info(`retention: ${index} runs from seed ${seed}`);
      const run = retainedRun(runSeed);
      const report = await planned(run);
      const paths = new Set(report.drop.map(({ path }) => path));
      withDrops += paths.size > 0 ? 1 : 0;
      dropped += paths.size;
      for (const [name, property] of Object.entries(properties))
        try {
          property(run, report, paths);
        } catch (error) {
          throw new Error(`seed ${runSeed}: ${name}`, { cause: error });
        }
    }
    // A simulation that drops nothing would hold them all.
    expect(withDrops).toBeGreaterThan(count / 4);
    expect(dropped).toBeGreaterThan(count / 2);
    if (isExhaustive)
      console.info(`retention: ${count} runs from seed ${seed}, ${dropped} checkpoints dropped in ${withDrops} of them`);
  },
  isExhaustive ? 21_600_000 : 60_000,
);

it('drops nothing more when it is applied again', async () => {
  for (let index = 0; index < (isExhaustive ? 20_000 : 300); index += 1) {
    const runSeed = (seed * 999_983 + index) >>> 0;
    const run = retainedRun(runSeed);
    const gone = (await planned(run)).drop.map(({ path }) => path);
    const isLeft = (file: string): boolean => !gone.some((path) => file.startsWith(`${path}/`));
    const left = { ...run, entries: run.entries.filter(({ path }) => isLeft(path)) };
    const again = (await planned(left)).drop.map(({ path }) => path);
    expect(again, `seed ${runSeed}`).toEqual([]);
  }
});

it('knows the owner that the runs are planted with', () => {
  expect(retainedRun(1).entries.some(({ owner }) => owner === ownerOfRun)).toBe(true);
});
