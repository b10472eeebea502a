/** The room that there is: what of it stays free, the day on which it is full, and what saves come to where nothing is removed. */
import type { PlanDocument } from '../../../planning/inputs/planDocument.js';
import type { Quota } from '../../../planning/keeping/quota.js';
import type { StoragePlan } from '../../../planning/storagePlan.js';
import { usableShare } from '../../../planning/systems/boughtCapacity.js';
import { localTime } from '../../../text/localTime.js';
import { counted, shortShare, shortTime } from '../../../text/quantities.js';
import { formatBytes, formatCount } from '../../../text/units.js';
import type { Statement } from '../../statement.js';
import type { PageTable } from '../../table.js';
import { inSteps } from '../stepWords.js';
import { intervalKeys, sizeKeys, statementKind } from '../statementKind.js';

/** @param nowMs when the run begins; null without a clock */
export function quotaStatements(plan: StoragePlan, document: PlanDocument, nowMs: number | null): Statement[] {
  const { quota } = plan;
  if (quota === null) return [];
  const capacityKey = plan.inputs.storeCapacityBytes === null ? 'nvmeCapacityBytes' : 'storeCapacityBytes';
  const kind = statementKind(document, [capacityKey, ...sizeKeys(plan), ...intervalKeys(plan)]);
  const { fullAfterSeconds: planned, fullIfKeptAfterSeconds: ifKept } = quota;
  const isKept = planned === ifKept;
  const statements = [
    ...(planned === null ? [fitting(plan, quota)] : []),
    ...(planned === null || isKept ? [] : [filled(plan, quota, planned, 'as planned', nowMs)]),
    filled(plan, quota, ifKept, isKept ? 'as planned' : 'if nothing is removed', nowMs),
  ];
  return statements.map((statement) => ({ ...statement, kind }));
}

/** `2026-12-04 07:03, 7.5 days (721,151 steps) into the run`; without a clock from the second on. */
export function momentWords(seconds: number, { inputs }: Pick<StoragePlan, 'inputs'>, nowMs: number | null): string {
  const steps = inSteps(seconds, inputs);
  const after = `${shortTime(seconds)}${steps === null ? '' : ` (${steps})`} into the run`;
  const at = nowMs === null ? '' : localTime(nowMs + seconds * 1000);
  return at === '' ? after : `${at}, ${after}`;
}

/** `20 TB (12 TB used)`. */
export function roomWords({ capacityBytes, usedBytes }: Quota): string {
  return `${formatBytes(capacityBytes)}${usedBytes === 0 ? '' : ` (${formatBytes(usedBytes)} used)`}`;
}

type PlainStatement = Omit<Statement, 'kind'>;

function fitting({ inputs }: StoragePlan, quota: Quota): PlainStatement {
  const { capacityBytes, usedBytes, peakBytes } = quota;
  const takenBytes = peakBytes * inputs.jobs;
  const freeBytes = Math.max(0, capacityBytes - usedBytes - takenBytes);
  return {
    amount: formatBytes(freeBytes),
    text: `stay free of ${roomWords(quota)}: ${inputs.jobs === 1 ? 'this plan takes' : `${formatCount(inputs.jobs)} jobs take`} ${formatBytes(takenBytes)} at most`,
    detail:
      freeBytes < capacityBytes * (1 - usableShare)
        ? 'That is less than a fifth: distributed file systems slow down when they are nearly full.'
        : '',
    derivation: null,
  };
}

function filled(plan: StoragePlan, quota: Quota, seconds: number, condition: string, nowMs: number | null): PlainStatement {
  const { size, retention } = plan;
  const perDay = formatBytes((size.checkpointBytes * 86_400) / retention.storeIntervalSeconds);
  if (quota.usedBytes >= quota.capacityBytes)
    return { amount: 'no room', text: `is left: ${roomWords(quota)} is full already`, detail: '', derivation: null };
  return {
    amount: shortTime(seconds),
    text: `until ${roomWords(quota)} is full ${condition}: ${momentWords(seconds, plan, nowMs)}`,
    detail:
      condition === 'as planned'
        ? `${formatBytes(quota.peakBytes)} would be there, and this job has room for ${formatBytes(quota.roomBytes)}. Keep fewer, save less often, or move what stays to the object store.`
        : `${perDay} are written a day.`,
    derivation: {
      formula: 'τ × the first save that no longer fits; if nothing is removed that is save ⌊room ÷ S⌋ + 1',
      steps: [
        `room: ${formatBytes(quota.roomBytes)}; S: ${formatBytes(size.checkpointBytes)}; τ: ${shortTime(retention.storeIntervalSeconds)}`,
        `save ${formatCount(Math.round(seconds / retention.storeIntervalSeconds))}`,
      ],
      source: 'what is kept as the plan’s policy has it',
    },
  };
}

/** By quarters of a year. */
export function growthTable({ growth, quota, retention }: StoragePlan): PageTable {
  return {
    id: 'growth',
    caption: 'Growth if nothing is removed',
    columns: [
      { label: 'after', isNumber: true },
      { label: 'on storage', isNumber: true },
      ...(quota === null ? [] : [{ label: 'of the free room', isNumber: true }]),
    ],
    rows:
      retention.saves === 0
        ? []
        : growth.map(({ seconds, keptBytes }, index) => [
            `${counted(index + 1, 'quarter')} (${shortTime(seconds)})`,
            formatBytes(keptBytes),
            ...(quota === null ? [] : [quota.roomBytes === 0 ? 'none' : shortShare(keptBytes / quota.roomBytes)]),
          ]),
    note: 'At this plan’s rate, also after the run: the next one saves as often.',
  };
}
