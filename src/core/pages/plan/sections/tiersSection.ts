/** Where a plan keeps its checkpoints, what must be bought there, and how all systems compare for it. */
import type { PlanDocument } from '../../../planning/inputs/planDocument.js';
import type { PlanKey } from '../../../planning/inputs/planInputs.js';
import type { PlaceCost } from '../../../planning/keeping/cost.js';
import type { StoragePlan } from '../../../planning/storagePlan.js';
import { usableShare, type BoughtCapacity } from '../../../planning/systems/boughtCapacity.js';
import { formatBinaryBytes, formatBytes, formatCount, shortNumber } from '../../../text/units.js';
import { shortDollars } from '../../../text/dollars.js';
import { counted, listed, shortRate, shortTime } from '../../../text/quantities.js';
import { objectSystemOf } from '../../../planning/systems/storageSystems.js';
import type { PlanSection } from '../planSection.js';
import type { Statement } from '../../statement.js';
import { intervalKeys, sizeKeys, statementKind } from '../statementKind.js';
import { momentWords, roomWords } from './quotaWords.js';
import { guidanceTable, rulesTable, systemsTable } from './systemTables.js';
import { tiersTable } from './tiersTable.js';

/** @param nowMs when the run begins; null without a clock */
export function tiersSection(plan: StoragePlan, document: PlanDocument, nowMs: number | null): PlanSection {
  return {
    id: 'tiers',
    title: 'Where to keep it',
    lead: lead(plan, document, nowMs),
    more: [month(plan, document), ...parts(plan, document)],
    charts: [],
    tables: [tiersTable(plan), guidanceTable(plan), rulesTable(), systemsTable()],
    notes: notes(plan),
  };
}

const keepKeys = ['keepLast', 'store'] as const satisfies readonly PlanKey[];

function storeCost({ cost }: StoragePlan): PlaceCost | undefined {
  return cost.places.find(({ place }) => place === 'store');
}

/** What to buy on the shared storage. */
function lead(plan: StoragePlan, document: PlanDocument, nowMs: number | null): Statement {
  const cost = storeCost(plan);
  const peak = plan.retention.places.find(({ place }) => place === 'store')?.peakBytes ?? 0;
  const name = cost?.system.name ?? '';
  const kind = statementKind(document, [...sizeKeys(plan), ...intervalKeys(plan), ...keepKeys]);
  if (peak === 0) return { ...noSave(plan, name), kind, derivation: null };
  if (cost?.system.kind === 'object')
    return {
      amount: formatBytes(peak),
      text: `lie in ${name} at most: an object store needs no capacity to be bought`,
      detail: '',
      kind,
      derivation: null,
    };
  const bought = cost?.bought ?? null;
  return bought?.level == null ? room(plan, name, peak, kind, nowMs) : toBuy(plan, name, peak, bought, kind, nowMs);
}

function noSave({ retention, size }: StoragePlan, name: string): Pick<Statement, 'amount' | 'text' | 'detail'> {
  return {
    amount: formatBytes(size.checkpointBytes),
    text: `of room on ${name} for each checkpoint, though the plan saves none`,
    detail: `The interval of ${shortTime(retention.storeIntervalSeconds)} is longer than the run.`,
  };
}

const usableSource = 'about 80 % of a distributed file system is usable before it slows down (ml-engineering, storage)';
const roomStep = (peak: number) => `${formatBytes(peak)} ÷ ${usableShare} = ${formatBytes(peak / usableShare)}`;

function room(plan: StoragePlan, name: string, peak: number, kind: Statement['kind'], nowMs: number | null): Statement {
  return {
    amount: formatBytes(peak / usableShare),
    text: `of room on ${name}: at most ${formatBytes(peak)} lie there at once, and a fifth stays free`,
    detail: capacityGiven(plan, peak / usableShare, nowMs),
    kind,
    derivation: { formula: 'room = resident at most ÷ 0.8', steps: [roomStep(peak)], source: usableSource },
  };
}

function toBuy(
  plan: StoragePlan,
  name: string,
  peak: number,
  bought: BoughtCapacity,
  kind: Statement['kind'],
  nowMs: number | null,
): Statement {
  const ofTiB = bought.level?.bytesPerSecondPerTiB ?? 1;
  const speed = plan.save.writeBytesPerSecond;
  const several = bought.systems > 1 ? ` More than one system holds: ${formatCount(bought.systems)} of them.` : '';
  return {
    amount: `${formatBytes(bought.bytes)} (${formatBinaryBytes(bought.bytes)})`,
    text: `to buy on ${name} at ${shortRate(ofTiB)} for each TiB: ${decidedWords[bought.decidedBy]}`,
    detail: `${formatBytes(peak)} lie there at most.${several} ${capacityGiven(plan, peak / usableShare, nowMs)}`.trim(),
    kind,
    derivation: {
      formula:
        'TiB = max(B ÷ (MB/s for each TiB), resident at most ÷ 0.8), in the steps that are sold; the level that costs least, or the smallest where no price is known',
      steps: [`${shortRate(speed)} ÷ ${shortRate(ofTiB)} = ${shortNumber(speed / ofTiB)} TiB`, roomStep(peak)],
      source: `provider’s documentation of its levels; ${usableSource}`,
    },
  };
}

const decidedWords = {
  bytes: 'the bytes decide, not the bandwidth',
  bandwidth: 'the bandwidth decides, not the bytes',
  least: 'nothing smaller is sold',
} as const;

function capacityGiven(plan: StoragePlan, needed: number, nowMs: number | null): string {
  const { quota } = plan;
  if (quota === null) return '';
  const there = `There are ${roomWords(quota)}`;
  if (quota.fullAfterSeconds !== null)
    return `${there}: that is full after ${momentWords(quota.fullAfterSeconds, plan, nowMs)} of the run.`;
  return quota.roomBytes < needed ? `${there}: it fits, with less free than is good.` : `${there}.`;
}

function month({ cost, inputs }: StoragePlan, document: PlanDocument): Statement {
  const dates = [...new Set(cost.places.flatMap(({ priceDate }) => (priceDate === null ? [] : [priceDate])))].sort();
  const unknown = cost.places
    .filter(({ perMonth, paidBytes }) => perMonth === null && paidBytes > 0)
    .map(({ system }) => system.name);
  const without = unknown.length === 0 ? '' : ` Without ${listed([...new Set(unknown)])}: no list price is known, enter yours.`;
  return {
    amount: cost.perMonth === null ? 'no price' : `${shortDollars(cost.perMonth)} a month`,
    text: cost.perMonth === null ? 'is known of any of these places: enter yours' : 'for what lies there when the run ends',
    detail: `${dates.length === 0 ? '' : `List prices of ${listed(dates)}, to be edited.`}${without}`.trim(),
    kind: statementKind(
      document,
      inputs.storePricePerGBMonth === null ? ['store', 'storePricePerGBMonth'] : ['storePricePerGBMonth'],
    ),
    derivation: {
      formula: 'Σ bytes × price of a GB for a month',
      steps: cost.places
        .filter(({ perMonth }) => perMonth !== null)
        .map(({ system, paidBytes, perMonth }) => `${system.name}: ${formatBytes(paidBytes)} → ${shortDollars(perMonth)}`),
      source: 'list prices with their dates in the table of systems; a bill’s GB is 2^30 bytes with AWS, Google and Azure',
    },
  };
}

function parts({ requests, inputs, save }: StoragePlan, document: PlanDocument): Statement[] {
  const system = objectSystemOf(inputs);
  const limits = system?.objects ?? null;
  if (requests === null || system === null || limits === null) return [];
  const isPrimary = system.id === inputs.store;
  const longestSeconds = isPrimary ? save.saveSeconds : save.intervalSeconds;
  const kind = statementKind(document, [isPrimary ? 'store' : 'objectStore', 'zeroStage', 'gpus']);
  const file = formatBytes(requests.largestFileBytes);
  if (requests.problem !== null)
    return [
      {
        amount: file,
        text: `is the largest file, more than ${system.name} takes: ${requests.problem === 'object-too-large' ? `objects hold ${formatBinaryBytes(limits.largestObjectBytes)}` : `a part holds ${formatBinaryBytes(limits.largestPartBytes)}`}`,
        detail: 'Let more GPUs write, or split files.',
        kind,
        derivation: null,
      },
    ];
  const seconds = requests.requestSeconds;
  const rate =
    limits.writesPerSecond === null
      ? `The rate is that of ${limits.rateOf}.`
      : `At ${formatCount(limits.writesPerSecond)} a second for ${limits.rateOf} they take ${shortTime(seconds)}${seconds > longestSeconds ? ': spread shards over more of them' : ''}.`;
  return [
    {
      amount: formatBinaryBytes(requests.partBytes),
      text: `parts for ${isPrimary ? system.name : 'the object store'}: the largest file of ${file} makes ${counted(requests.partsOfLargest, 'part')} of the ${formatCount(limits.mostParts)} that are allowed`,
      detail: `One checkpoint takes ${counted(requests.writesPerCheckpoint, 'write request')}. ${rate}`,
      kind,
      derivation: {
        formula: `part ≥ ⌈file ÷ ${formatCount(limits.mostParts)}⌉, requests = Σ ⌈file ÷ part⌉`,
        steps: [
          `⌈${file} ÷ ${formatCount(limits.mostParts)}⌉ → at least ${formatBinaryBytes(requests.leastPartBytes)}`,
          `next power of two, at least 16 MiB, and more while requests take longer than the bytes: ${formatBinaryBytes(requests.partBytes)}`,
        ],
        source: `${system.name}: ${system.sources.find(({ of }) => of.includes('part') || of.includes('object size'))?.text ?? ''}`,
      },
    },
  ];
}

function notes({ inputs, retention, cost, tiers }: StoragePlan): string[] {
  const region = cost.places.find(({ place }) => place === 'region');
  const objects = objectSystemOf(inputs);
  const local = tiers.find(({ id }) => id === 'local-nvme');
  return [
    'A parallel file system for what is hot, an object store for what must last, a second region for what must never be lost: each copy costs its write time once, so they are made in the background, one after the other.',
    ...(objects?.id === inputs.store
      ? [
          'Objects have no rename: a checkpoint is complete when the object that marks it is there, which is written last. A loader that takes the newest prefix without the mark reads half a save.',
        ]
      : []),
    ...(inputs.objectStore === inputs.store
      ? ['The object store is the storage itself: nothing is copied to it a second time.']
      : []),
    ...(retention.copies < inputs.copies
      ? [
          `${counted(inputs.copies, 'copy', 'copies')} of what stays are wanted, and the plan has ${counted(retention.copies, 'place')} for them: turn the second region on, or add an object store.`,
        ]
      : []),
    ...(region === undefined || region.paidBytes === 0 ? [] : [egressNote(region)]),
    ...(local !== undefined && local.everySaves === null
      ? [
          'Node-local drives are not on the way here: a neighbour’s memory survives more, and is as fast. They are worth it where host memory is short.',
        ]
      : []),
    'Copies in memory of neighbours (GEMINI), then on their drives, then in an object store (Nebula) are one idea: the nearer copy makes the stall short, the farther one survives more. MegaScale drains to HDFS in the same way.',
    'GPU-direct storage takes host memory out of the way of reads into GPUs. A save that is copied to host memory anyway does not gain by it.',
  ];
}

function egressNote({ egressForRun, system }: PlaceCost): string {
  return egressForRun === null
    ? `Copying to the second region leaves the first one: that is charged by the GB, and no price is known of ${system.name}. Enter it.`
    : `Copying what stays to the second region costs ${shortDollars(egressForRun)} of egress over the run, once for each GB.`;
}
