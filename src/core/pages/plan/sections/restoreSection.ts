/** What bringing a checkpoint back reads, and how fast the storage must be for it. */
import type { PlanDocument } from '../../../planning/inputs/planDocument.js';
import type { RestoreAnswer, RestoreWay } from '../../../planning/saving/restore.js';
import type { StoragePlan } from '../../../planning/storagePlan.js';
import { shortDollars } from '../../../text/dollars.js';
import { counted, shortRate, shortTime } from '../../../text/quantities.js';
import { formatBytes, shortNumber } from '../../../text/units.js';
import type { PlanSection } from '../planSection.js';
import type { PageTable } from '../../table.js';
import type { Statement } from '../../statement.js';
import { sizeKeys, statementKind } from '../statementKind.js';

export function restoreSection(plan: StoragePlan, document: PlanDocument): PlanSection {
  const { restore } = plan;
  return {
    id: 'restore',
    title: 'Restoring',
    lead: needed(plan, document),
    more: [planned(plan, document), ...(restore.readings > 1 ? [asFastAsSaving(plan, document)] : []), ...prices(plan, document)],
    charts: [],
    tables: [wayTable(plan)],
    notes: notes(plan),
  };
}

const wayNames: Readonly<Record<RestoreWay, string>> = {
  'every-replica': 'every replica reads all',
  'shared-optimizer': 'weights by every replica, optimizer once (ZeRO 1 and 2)',
  'own-share': 'every GPU its own share (ZeRO 3, FSDP)',
  'one-and-broadcast': 'one replica reads and broadcasts',
};

const waySources: Readonly<Record<RestoreWay, string>> = {
  'every-replica': 'Narayanan et al., SC21: every node of 1T loads its slice',
  'shared-optimizer': 'Megatron-LM, distributed optimizer; DeepSpeed ZeRO: P × (12 + 2 × DP)',
  'own-share': 'PyTorch distributed checkpoint',
  'one-and-broadcast': 'MegaScale (NSDI 2024); MaxText, single-replica restoring; Orbax',
};

function needed(plan: StoragePlan, document: PlanDocument): Statement {
  const { restore, inputs } = plan;
  const { planned, broadcast } = restore;
  const target = shortTime(inputs.restoreTargetSeconds);
  const kind = statementKind(document, [...sizeKeys(plan), 'restoreTargetSeconds']);
  const broadcastNeed =
    planned.way === 'own-share' || restore.replicas === 1
      ? ''
      : broadcast.neededBytesPerSecond === null
        ? '; sending from one replica takes longer than that'
        : `; ${shortRate(broadcast.neededBytesPerSecond)} where one replica reads and broadcasts`;
  return {
    amount: shortRate(planned.neededBytesPerSecond ?? planned.volumeBytes / inputs.restoreTargetSeconds),
    text: `reads it back within ${target} where ${wayShort[planned.way]}${broadcastNeed}`,
    detail: `${formatBytes(planned.volumeBytes)} leave the storage${restore.replicas > 1 ? `, for ${counted(Math.round(restore.replicas), 'replica')}${restore.readings < restore.replicas ? ` on ${counted(restore.readings, 'node')}` : ''} of a checkpoint of ${formatBytes(plan.size.checkpointBytes)}` : ''}.`,
    kind,
    derivation: {
      formula: 'B = V ÷ wanted time',
      steps: restore.ways.map((way) => `${wayNames[way.way]}: V = ${formatBytes(way.volumeBytes)}, ${needText(way)}`),
      source: waySources[planned.way],
    },
  };
}

const wayShort: Readonly<Record<RestoreWay, string>> = {
  'every-replica': 'every replica reads all',
  'shared-optimizer': 'every replica reads the weights and its share of the optimizer',
  'own-share': 'every GPU reads its own share',
  'one-and-broadcast': 'one replica reads and broadcasts',
};

function needText({ neededBytesPerSecond, broadcastSeconds }: RestoreAnswer): string {
  return neededBytesPerSecond === null ? `sending alone takes ${shortTime(broadcastSeconds)}` : shortRate(neededBytesPerSecond);
}

function planned(plan: StoragePlan, document: PlanDocument): Statement {
  const { restore, save, inputs } = plan;
  const { planned: way, broadcast } = restore;
  const isCapped = way.bytesPerSecond < save.readBytesPerSecond;
  const other =
    way.way === 'own-share' || restore.replicas === 1
      ? ''
      : ` With one replica that reads and broadcasts it takes ${shortTime(broadcast.seconds)}.`;
  return {
    amount: shortTime(way.seconds),
    text: `to read it at ${shortRate(way.bytesPerSecond)} as planned${way.seconds > inputs.restoreTargetSeconds ? `, longer than the ${shortTime(inputs.restoreTargetSeconds)} that are wanted` : ''}`,
    detail: `${isCapped ? `The networks of ${counted(way.readingNodes, 'node')} carry no more. ` : ''}Reading alone: opening files, copying to the GPUs and starting come on top.${other}`,
    kind: statementKind(document, [
      ...sizeKeys(plan),
      inputs.readBytesPerSecond === null ? 'writeBytesPerSecond' : 'readBytesPerSecond',
    ]),
    derivation: {
      formula: 'T = V ÷ min(read bandwidth, reading nodes × their network)',
      steps: [`${formatBytes(way.volumeBytes)} ÷ ${shortRate(way.bytesPerSecond)} = ${shortTime(way.seconds)}`],
      source: waySources[way.way],
    },
  };
}

/** Of each place that charges for the bytes: requests alone come to cents. */
function prices({ cost, restore, size }: StoragePlan, document: PlanDocument): Statement[] {
  return cost.places.flatMap(({ place, system, perRestore, priceDate }): Statement[] => {
    if (perRestore === null || system.price?.perGBRead === undefined) return [];
    const bytes = place === 'store' ? restore.planned.volumeBytes : size.checkpointBytes;
    const { perGBRead = 0, per1000Reads } = system.price ?? {};
    return [
      {
        amount: shortDollars(perRestore),
        text: `to read one checkpoint back from ${system.name}${place === 'region' ? ' in the second region' : ''}`,
        detail:
          system.kind === 'archive'
            ? `It is there ${shortTime(system.latencySeconds[1])} after it is asked for, at most.`
            : place === 'region'
              ? 'What leaves that region is charged besides.'
              : '',
        kind: statementKind(document, [place === 'store' ? 'store' : 'objectStore']),
        derivation: {
          formula: 'bytes × price of a GB + requests × price',
          steps: [`${formatBytes(bytes)}: $${perGBRead} a GB, $${per1000Reads ?? 0} for 1,000 requests`],
          source: `list price${priceDate === null ? '' : ` of ${priceDate}`}, in the table of systems`,
        },
      },
    ];
  });
}

function asFastAsSaving(plan: StoragePlan, document: PlanDocument): Statement {
  const { restore, save } = plan;
  return {
    amount: shortRate(restore.asFastAsSavingBytesPerSecond),
    text: `would restore in the time of a save (${shortTime(save.saveSeconds)}) if ${restore.readings < restore.replicas ? `each of ${shortNumber(restore.readings)} nodes` : `each of ${shortNumber(restore.replicas)} replicas`} read all`,
    detail:
      'The rule “restoring needs DP × the write bandwidth” holds for this way alone: 1 × where one replica reads or all is sharded.',
    kind: statementKind(document, [...sizeKeys(plan), 'gpus']),
    derivation: {
      formula: restore.readings < restore.replicas ? 'nodes × write bandwidth' : 'replicas × write bandwidth',
      steps: [
        `${shortNumber(restore.readings)} × ${shortRate(save.writeBytesPerSecond)} = ${shortRate(restore.asFastAsSavingBytesPerSecond)}`,
      ],
      source: 'VAST, A Checkpoint on Checkpoints in LLMs (2024), of Megatron-LM 1T',
    },
  };
}

function wayTable({ restore, size }: StoragePlan): PageTable {
  return {
    id: 'restore-ways',
    caption: 'Ways of restoring',
    columns: [
      { label: 'who reads', isNumber: false },
      { label: 'read', isNumber: true },
      { label: 'of the checkpoint', isNumber: true },
      { label: 'takes', isNumber: true },
      { label: 'of which sending', isNumber: true },
      { label: 'needed for the wanted time', isNumber: true },
    ],
    rows: restore.ways.map((way) => [
      way.way === restore.planned.way ? `${wayNames[way.way]}: this plan` : wayNames[way.way],
      formatBytes(way.volumeBytes),
      `× ${shortNumber(way.volumeBytes / size.checkpointBytes)}`,
      shortTime(way.seconds),
      way.broadcastSeconds === 0 ? '' : shortTime(way.broadcastSeconds),
      way.neededBytesPerSecond === null ? 'cannot be' : shortRate(way.neededBytesPerSecond),
    ]),
    note: 'A broadcast in pieces takes as long as the network of one node needs for that node’s slice.',
  };
}

function notes({ inputs, restore }: StoragePlan): string[] {
  return [
    'MLPerf Storage counts a restore only from storage: caches are cleared, and no rank reads what its own node wrote. A measurement that does not do so times memory.',
    ...(inputs.expertParallel > 1
      ? [
          `With experts over ${shortNumber(inputs.expertParallel)} ranks most weights are repeated DP ÷ EP = ${shortNumber(restore.replicas)} times; the shared part, repeated DP times, is taken with them.`,
        ]
      : []),
    'Inference loads weights alone, once for each replica that starts: the same storm of reads.',
  ];
}
