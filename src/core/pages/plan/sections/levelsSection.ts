/** Where saves go, how often each place gets one, and what is lost when something fails. */
import type { PlanDocument } from '../../../planning/inputs/planDocument.js';
import { hostAllowance, hostCopies } from '../../../planning/saving/hostCopies.js';
import type { Recovery, SaveLevel } from '../../../planning/saving/levels.js';
import type { StoragePlan } from '../../../planning/storagePlan.js';
import { failureNames, levelName } from '../levelWords.js';
import { counted, listed, shortRate, shortShare, shortTime } from '../../../text/quantities.js';
import { formatBytes, shortNumber } from '../../../text/units.js';
import type { PlanSection } from '../planSection.js';
import type { PageTable } from '../../table.js';
import type { Statement } from '../../statement.js';
import { intervalKeys, sizeKeys, statementKind } from '../statementKind.js';

export function levelsSection(plan: StoragePlan, document: PlanDocument): PlanSection {
  return {
    id: 'levels',
    title: 'Levels, and what a failure costs',
    lead: lead(plan, document),
    more: [...memory(plan, document), ...storeShare(plan, document), furtherLoss(plan, document)],
    charts: [],
    tables: [levelTable(plan), recoveryTable(plan)],
    notes: notes(plan),
  };
}

/** What is lost when a node goes: the failure that is most common. */
function lead(plan: StoragePlan, document: PlanDocument): Statement {
  const { levels } = plan;
  const node = levels.recoveries.find(({ failure }) => failure === 'node');
  const kind = statementKind(document, [...intervalKeys(plan), ...sizeKeys(plan)]);
  if (node?.level == null || node.recoveryPointSeconds === null)
    return {
      amount: 'everything',
      text: 'is lost when a node fails: no level survives it',
      detail: 'Let saves go to a neighbour’s memory or to shared storage.',
      kind,
      derivation: null,
    };
  const level = levels.levels.find(({ id }) => id === node.level) as SaveLevel;
  return {
    amount: shortTime(node.recoveryPointSeconds),
    text: `of training is lost at most when a node fails, ${shortTime(node.expectedLostSeconds ?? 0)} on average; ${levelName(node.level, plan)} has the rest`,
    detail: `Saved there every ${shortTime(level.intervalSeconds ?? 0)}, safe ${shortTime(level.drainSeconds)} later.`,
    kind,
    derivation: {
      formula: 'lost at most = τ + drain, on average τ ÷ 2 + drain, of the first level that survives the failure',
      steps: [
        `${shortTime(level.intervalSeconds ?? 0)} + ${shortTime(level.drainSeconds)} = ${shortTime(node.recoveryPointSeconds)}`,
      ],
      source:
        'a save that is still being written is no use: what counts is the last that is whole where the failure does not reach',
    },
  };
}

function memory(plan: StoragePlan, document: PlanDocument): Statement[] {
  const host = plan.levels.levels.find(({ id }) => id === 'host-memory');
  if (host?.room == null) return [];
  const { neededBytes, nodeBytes } = host.room;
  const isDouble = neededBytes > plan.save.writers.largestNodeBytes * hostCopies * hostAllowance * 1.5;
  return [
    {
      amount: formatBytes(neededBytes),
      text: `of host memory on each writing node, of ${formatBytes(nodeBytes)}: ${neededBytes <= nodeBytes ? 'it fits' : 'it does not fit'}`,
      detail: `Its part of a save (${formatBytes(plan.save.writers.largestNodeBytes)}) twice, as one is written while the other is whole, and ${shortNumber((hostAllowance - 1) * 100)} % for framing${isDouble ? '; as much again for the neighbour that it holds' : ''}.`,
      kind: statementKind(document, [...sizeKeys(plan), 'hostMemoryBytes']),
      derivation: {
        formula: `S of a node × ${hostCopies} × ${hostAllowance}${isDouble ? ' × 2' : ''}`,
        steps: [
          `${formatBytes(plan.save.writers.largestNodeBytes)} × ${hostCopies} × ${hostAllowance}${isDouble ? ' × 2' : ''} = ${formatBytes(neededBytes)}`,
        ],
        source: 'MaxText, emergency checkpoints: a memory file system of 2 × the shard × 1.15',
      },
    },
  ];
}

/** Where nearer levels recover most failures, the shared storage needs fewer saves and less bandwidth. */
function storeShare(plan: StoragePlan, document: PlanDocument): Statement[] {
  const { levels, save } = plan;
  const store = levels.levels.find(({ id }) => id === 'shared-store');
  if (store?.everySaves == null || store.everySaves === 1 || levels.storeBytesPerSecond === null) return [];
  return [
    {
      amount: shortRate(levels.storeBytesPerSecond),
      text: `would do for ${levelName('shared-store', plan)}, as only one of ${counted(store.everySaves, 'save')} goes there`,
      detail: `${shortRate(save.demand.requiredBytesPerSecond)} if all did.`,
      kind: statementKind(document, [...intervalKeys(plan), ...sizeKeys(plan)]),
      derivation: null,
    },
  ];
}

function furtherLoss(plan: StoragePlan, document: PlanDocument): Statement {
  const { levels } = plan;
  return {
    amount: shortShare(levels.furtherLossShare),
    text: 'of the time is lost besides, as a save under way is no use in a failure and deeper levels are older',
    detail:
      levels.furtherLossShare === 0
        ? 'Training waits until a save is safe.'
        : `The write time of the shared storage makes ${shortShare(levels.drainLossShare)} of that.`,
    kind: statementKind(document, [...intervalKeys(plan), ...sizeKeys(plan)]),
    derivation: {
      formula: 'Σ share of failures ÷ M × (drain + (τ of the level − τ) ÷ 2)',
      steps: levels.levels
        .filter(({ failureShare }) => failureShare > 0)
        .map(
          (level) =>
            `${levelName(level.id, plan)}: ${shortShare(level.failureShare)} of failures, drain ${shortTime(level.drainSeconds)}, τ ${shortTime(level.intervalSeconds ?? 0)}`,
        ),
      source: 'first order, after the model of multi-level checkpointing (Moody et al., SC10)',
    },
  };
}

function levelTable({ levels, inputs, tiers }: StoragePlan): PageTable {
  return {
    id: 'levels',
    caption: 'Where saves go',
    columns: [
      { label: 'level', isNumber: false },
      { label: 'survives the loss of', isNumber: false },
      { label: 'how often', isNumber: false },
      { label: 'training waits', isNumber: true },
      { label: 'safe after', isNumber: true },
      { label: 'read back in', isNumber: true },
      { label: 'room on a node', isNumber: false },
    ],
    rows: levels.levels.map((level) => [
      levelName(level.id, { tiers }),
      level.survives.length === 0
        ? 'nothing: it only passes saves on'
        : listed(level.survives.map((failure) => failureNames[failure])),
      oftenCell(level),
      shortTime(level.stallSeconds),
      shortTime(level.drainSeconds),
      shortTime(level.readSeconds),
      roomCell(level),
    ]),
    note: `Deeper levels: √(2 d M ÷ share of failures that only they survive), in whole saves, and under way for at most ${shortShare(inputs.overlapTarget)} of the time.`,
  };
}

function oftenCell({ everySaves, intervalSeconds, isBehind }: SaveLevel): string {
  if (everySaves === null || intervalSeconds === null) return 'not needed: another level survives the same';
  const often = everySaves === 1 ? 'every save' : `every ${counted(everySaves, 'save')}, ${shortTime(intervalSeconds)}`;
  return isBehind ? `${often}: falls behind` : often;
}

function roomCell({ room }: SaveLevel): string {
  if (room === null) return '';
  return `${formatBytes(room.neededBytes)} of ${formatBytes(room.nodeBytes)}${room.neededBytes > room.nodeBytes ? ': too little' : ''}`;
}

function recoveryTable({ levels, tiers }: StoragePlan): PageTable {
  return {
    id: 'recoveries',
    caption: 'What a failure costs',
    columns: [
      { label: 'what fails', isNumber: false },
      { label: 'of all failures', isNumber: true },
      { label: 'every', isNumber: true },
      { label: 'brought back from', isNumber: false },
      { label: 'lost at most', isNumber: true },
      { label: 'on average', isNumber: true },
      { label: 'training goes on after', isNumber: true },
    ],
    rows: levels.recoveries.map((recovery) => recoveryRow(recovery, levelOf(recovery, { tiers }))),
    note: 'Training resumes after the restart as given, or after reading where that takes longer.',
  };
}

function levelOf({ level }: Recovery, plan: Pick<StoragePlan, 'tiers'>): string {
  return level === null ? 'nothing' : levelName(level, plan);
}

function recoveryRow(recovery: Recovery, from: string): string[] {
  const { failure, share, secondsBetween, recoveryPointSeconds: most, expectedLostSeconds: usual, recoverySeconds } = recovery;
  return [
    failureNames[failure],
    shortShare(share),
    shortTime(secondsBetween),
    from,
    most === null ? 'the whole run' : shortTime(most),
    usual === null ? 'half of the run' : shortTime(usual),
    recoverySeconds === null ? '' : shortTime(recoverySeconds),
  ];
}

const modeNotes = {
  synchronous: 'Synchronous: training waits until the shared storage has the save, so no level before it is needed.',
  asynchronous: 'Asynchronous: host memory only passes a save on to the shared storage. What it holds is lost with the process.',
  'multi-level':
    'Multi-level, as GEMINI, Nebula and MegaScale do it: memory first, a neighbour next, shared storage and an object store behind them. Failures of one node, the most common, never touch the shared storage.',
} as const;

function notes({ inputs, save }: StoragePlan): string[] {
  const sum = inputs.nodeFailureShare + inputs.rackFailureShare + inputs.siteFailureShare;
  return [
    modeNotes[inputs.saveMode],
    ...(sum > 1 ? [`The shares of failures sum to ${shortShare(sum)}: they are scaled to 100 %.`] : []),
    ...(inputs.reclaimSeconds !== null && !save.isWarned
      ? ['Machines that are taken back before a save is done count as failures of a node.']
      : []),
    ...(inputs.objectStore === 'archive'
      ? [
          'An archive restores objects before they can be read: within 12 hours (AWS, S3 Glacier Deep Archive, 2023), which the time to read back includes.',
        ]
      : []),
    'Nodes that copy to one another must not stand in one rack if a rack is to be survived.',
  ];
}
