/** Bandwidth checks that the host of a page has: what lies under the directory, where the check stands, what was measured before. */
import type { CheckSettings } from '../../../src/core/bandwidth/checkSettings.js';
import type { CheckProgress } from '../../../src/core/bandwidth/measurement.js';
import type { TargetFacts } from '../../../src/core/bandwidth/targetFacts.js';
import type { CheckState } from '../../../src/protocol/messages.js';
import {
  bandwidthReport,
  checkProgress,
  checkSettings,
  fileSystemFacts,
  measurement,
  sample,
  sustainedMeasurement,
  sweepMeasurement,
  targetFacts,
} from '../../builders/bandwidthCheck.js';
import { hostileTexts } from '../../builders/hostileReport.js';

/** Every state that the page of a check can be in. */
export const bandwidthScenarios = [
  'bandwidth',
  'bandwidth-size',
  'bandwidth-shared',
  'bandwidth-left',
  'bandwidth-refused',
  'bandwidth-unreadable',
  'bandwidth-running',
  'bandwidth-done',
  'bandwidth-more',
  'bandwidth-more-running',
  'bandwidth-more-done',
  'bandwidth-failed',
  'bandwidth-cancelled',
  'bandwidth-not-removed',
  'bandwidth-hostile',
  'bandwidth-hostile-done',
] as const;

export type BandwidthScenario = (typeof bandwidthScenarios)[number];

export function isBandwidthScenario(name: string | null): name is BandwidthScenario {
  return (bandwidthScenarios as readonly (string | null)[]).includes(name);
}

export interface BandwidthSituation {
  settings: CheckSettings;
  facts: TargetFacts;
  state: CheckState;
  history: unknown[];
}

const replayOf = '/data/runs/llama-8b/global_step10';
const asked = checkSettings({ replayOf });
const more = checkSettings({ replayOf, intervalSeconds: 3600, sweepStreams: [1, 2, 4, 8, 16], isSustained: true });

export function situationOf(scenario: BandwidthScenario): BandwidthSituation {
  const before: BandwidthSituation = { settings: asked, facts: targetFacts(), state: { phase: 'before' }, history: [] };
  switch (scenario) {
    case 'bandwidth':
      return { ...before, history: history() };
    case 'bandwidth-size':
      return { ...before, settings: checkSettings() };
    case 'bandwidth-shared':
      return { ...before, facts: lustre() };
    case 'bandwidth-left':
      return { ...before, facts: targetFacts({ others: others('/data/runs/.stowage-bandwidth-') }) };
    case 'bandwidth-refused':
      return {
        ...before,
        facts: targetFacts({ fileSystem: fileSystemFacts({ freeBytes: 2e6 }) }),
        settings: { ...asked, spaceBytes: 1e9 },
      };
    case 'bandwidth-unreadable':
      return { ...before, settings: { ...asked, target: '/data/gone' } };
    case 'bandwidth-running':
      return { ...before, state: { phase: 'running', progress: course() } };
    case 'bandwidth-done':
      return { ...before, state: { phase: 'done', report: done() }, history: [...history(), done()] };
    case 'bandwidth-more':
      return { ...before, settings: more };
    case 'bandwidth-more-running':
      return { ...before, settings: more, state: { phase: 'running', progress: longCourse() } };
    case 'bandwidth-more-done':
      return { ...before, settings: more, state: { phase: 'done', report: moreDone() } };
    case 'bandwidth-failed':
      return failed(before, 'space-ran-out', 'ENOSPC: no space left on device, write');
    case 'bandwidth-cancelled':
      return failed(before, 'cancelled', 'the check was cancelled');
    case 'bandwidth-not-removed':
      return failed(before, 'not-removed', '/data/runs/.stowage-bandwidth-1 holds notes.txt');
    case 'bandwidth-hostile':
      return { ...before, ...hostile() };
    case 'bandwidth-hostile-done':
      return {
        ...before,
        ...hostile(),
        state: { phase: 'done', report: hostileReport() },
        history: [hostileReport(), { kind: 'bandwidth' }, null],
      };
  }
}

function failed(
  before: BandwidthSituation,
  code: Extract<CheckState, { phase: 'failed' }>['failure']['code'],
  detail: string,
): BandwidthSituation {
  return { ...before, state: { phase: 'failed', failure: { code, detail } } };
}

function lustre(): TargetFacts {
  return targetFacts({
    loginNode: 'its name begins with login',
    fileSystem: fileSystemFacts({
      type: 'lustre',
      mountPoint: '/scratch',
      source: '10.0.0.1@o2ib:/scratch',
      options: ['rw', 'flock', 'user_xattr', 'lazystatfs'],
      totalBytes: 9e15,
      freeBytes: 2.2e15,
      stripe: { count: 4, sizeBytes: 4 * 1024 * 1024 },
      quota: { usedBytes: 38e12, limitBytes: 50e12 },
    }),
  });
}

function others(prefix: string): TargetFacts['others'] {
  const other = { startedAt: '2026-01-02T03:04:05.678Z', host: 'node-1', bytes: 4 * 2 ** 30, files: 10 };
  return [
    { ...other, path: `${prefix}left`, state: 'left' },
    { ...other, path: `${prefix}running`, state: 'running', host: 'here' },
    { ...other, path: `${prefix}elsewhere`, state: 'elsewhere', host: 'login-2' },
  ];
}

function done(): ReturnType<typeof bandwidthReport> {
  return bandwidthReport({ replayOf, intervalSeconds: 3600 }, {}, { startedAt: '2026-03-09T10:00:00.000Z' });
}

/** With a sweep, whose knee is at four streams, and a rate that falls to a third. */
function moreDone(): ReturnType<typeof bandwidthReport> {
  const rates = Array.from(
    { length: 150 },
    (_none, second) => (second < 62 ? 2.05e9 : 0.68e9) * (1 + 0.05 * Math.sin(second * 1.7)),
  );
  return bandwidthReport(
    more,
    {},
    {
      sweep: sweepMeasurement({ 1: 0.62e9, 2: 1.24e9, 4: 2.06e9, 8: 2.2e9, 16: 2.1e9 }),
      sustained: sustainedMeasurement(rates.map(Math.round)),
    },
  );
}

/** In the middle of its sustained rate. */
function longCourse(): CheckProgress[] {
  const parts = { checkSeconds: 30, sweepSeconds: 30, sustainedSeconds: 300 };
  const before = course().map((step) => ({ ...step, parts }));
  const sustained = Array.from({ length: 900 }, (_none, index) =>
    checkProgress({
      phase: 'sustained',
      repeats: 1,
      elapsedSeconds: 40 + index / 10,
      phaseSeconds: index / 10,
      done: Math.round(index * 0.2e9),
      total: 300e9,
      bytesPerSecond: (index < 620 ? 2.05e9 : 0.68e9) * (1 + 0.05 * Math.sin(index * 1.7)),
      parts,
    }),
  );
  return [...before, ...sustained];
}

/** One a week, the fourth of them slower. */
function history(): unknown[] {
  const bytes = 4 * 2 ** 30;
  return [2.0e9, 2.1e9, 2.05e9, 1.3e9, 2.1e9].map((rate, week) => {
    const startedAt = new Date(Date.UTC(2026, 1, 2 + 7 * week, 9, 30)).toISOString();
    const samples = [0.97, 1, 1.02].map((factor) => sample(bytes, bytes / (rate * factor)));
    return bandwidthReport({ replayOf, intervalSeconds: 3600 }, {}, { startedAt, write: { ...measurement().write, samples } });
  });
}

/** Two repeats: writing, reading, writing again. */
export function course(): CheckProgress[] {
  const total = 4 * 2 ** 30;
  return Array.from({ length: 70 }, (_none, index): CheckProgress => {
    const elapsedSeconds = (index + 1) / 10;
    const isRead = index >= 20 && index < 35;
    const phase = isRead ? 'read' : 'write';
    const [from, length] = index < 20 ? [0, 20] : isRead ? [20, 15] : [35, 40];
    const rate = (isRead ? 3.3e9 : 2.1e9) * (1 + 0.06 * Math.sin(index * 1.7));
    return checkProgress({
      phase,
      repeat: index < 35 ? 1 : 2,
      elapsedSeconds,
      phaseSeconds: (index - from + 1) / 10,
      done: Math.round((total * (index - from + 1)) / length),
      total,
      bytesPerSecond: rate,
    });
  });
}

const hostileName = `/data/${hostileTexts.bidi}${hostileTexts.script}`;

function hostile(): Pick<BandwidthSituation, 'settings' | 'facts'> {
  return {
    settings: { ...asked, target: hostileName, replayOf: `/data/${hostileTexts.image}` },
    facts: hostileFacts(),
  };
}

function hostileFacts(): TargetFacts {
  return targetFacts({
    path: hostileName,
    loginNode: hostileTexts.image,
    fileSystem: fileSystemFacts({
      type: hostileTexts.markdown,
      mountPoint: hostileTexts.invisible,
      source: hostileTexts.script,
      options: [hostileTexts.bidi, hostileTexts.control, hostileTexts.template],
    }),
    others: others(`/data/${hostileTexts.control}`).map((other) => ({ ...other, host: hostileTexts.image })),
  });
}

function hostileReport(): ReturnType<typeof bandwidthReport> {
  const { facts, settings } = hostile();
  return bandwidthReport(settings, facts, { machine: { name: hostileTexts.script, memoryBytes: 2 ** 30, cpus: 1 } });
}
