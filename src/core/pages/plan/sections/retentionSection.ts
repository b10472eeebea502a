/** What stays on storage over the run, what is written for it, what it costs, and what a policy would delete today. */
import type { PlanDocument } from '../../../planning/inputs/planDocument.js';
import type { PlanKey } from '../../../planning/inputs/planInputs.js';
import { driveWear, ratedWritesPerDay, ratedYears } from '../../../planning/keeping/driveWear.js';
import type { StoragePlan } from '../../../planning/storagePlan.js';
import { storeCapacityOf } from '../../../planning/systems/nodeDrives.js';
import { formatBytes, formatCount, shortNumber } from '../../../text/units.js';
import { shortDollars } from '../../../text/dollars.js';
import { counted, listed, shortTime } from '../../../text/quantities.js';
import type { PlanSection } from '../planSection.js';
import type { Statement } from '../../statement.js';
import { intervalKeys, sizeKeys, statementKind } from '../statementKind.js';
import { deletionNotes, deletionStatement, deletionTable } from './deletionWords.js';
import { growthTable, quotaStatements } from './quotaWords.js';
import { costTable, curve, keptTable, placeNames } from './retentionTables.js';

/** What the given interval writes, then what stays of the plan that is advised. @param nowMs when the run begins; null without a clock */
export function retentionSection(given: StoragePlan, document: PlanDocument, nowMs: number | null): PlanSection {
  const plan = given.advised ?? given;
  return {
    id: 'retention',
    title: 'What stays, and what it costs',
    lead: lead(given, document),
    more: [
      ...asAdvised(given, document),
      resident(plan, document),
      ...quotaStatements(plan, document, nowMs),
      money(plan, document),
      ...wear(plan, document),
      ...deletionStatement(plan.deletion),
    ],
    charts: plan.retention.saves === 0 ? [] : [curve(plan)],
    tables: [keptTable(plan), growthTable(plan), costTable(plan), ...deletionTable(plan.deletion)],
    notes: notes(plan),
  };
}

/** `335 TB would be saved with a save every 3.6 hours, as advised`; nothing where that is what is given. All that follows is of these. */
function asAdvised({ advised }: StoragePlan, document: PlanDocument): Statement[] {
  if (advised === null) return [];
  const { retention, save, size } = advised;
  return [
    {
      amount: formatBytes(retention.writtenBytes),
      text: `would be saved with a save every ${shortTime(save.intervalSeconds)}, as advised; ${formatBytes(retention.peakBytes)} would lie on storage at most`,
      detail: `${counted(retention.saves, 'save')} × ${formatBytes(size.checkpointBytes)}. What follows is of these.`,
      kind: statementKind(document, [...sizeKeys(advised), ...intervalKeys(advised), 'runSeconds']),
      derivation: null,
    },
  ];
}

const day = 86_400;
const policyKeys = ['keepLast', 'keepEvery', 'exportEvery', 'milestones', 'copies'] as const satisfies readonly PlanKey[];

function lead(plan: StoragePlan, document: PlanDocument): Statement {
  const { retention, inputs, size, save } = plan;
  const kind = statementKind(document, [...sizeKeys(plan), ...intervalKeys(plan), 'runSeconds']);
  if (retention.saves === 0)
    return {
      amount: '0 saves',
      text: `reach storage: the interval of ${shortTime(retention.storeIntervalSeconds)} is longer than the run of ${shortTime(inputs.runSeconds)}`,
      detail: 'Nothing is left when the run ends but what its script saves last.',
      kind,
      derivation: null,
    };
  const further =
    retention.allWrittenBytes > retention.writtenBytes
      ? ` With exports and further copies ${formatBytes(retention.allWrittenBytes)} are written.`
      : '';
  const others = retention.allSaves > retention.saves ? ` of ${formatCount(retention.allSaves)} in all` : '';
  return {
    amount: formatBytes(retention.writtenBytes),
    text: `are saved in ${shortTime(inputs.runSeconds)}; ${formatBytes(retention.peakBytes)} lie on storage at most`,
    detail: `${counted(retention.saves, 'save')}${others}, one every ${shortTime(retention.storeIntervalSeconds)}: ${formatBytes((retention.writtenBytes * day) / inputs.runSeconds)} a day. Without any deletion all of it would stay.${further}`,
    kind,
    derivation: {
      formula: 'saved = S × T ÷ τ; saves lost to failures and stalls would make it a little less',
      steps: [
        `${shortTime(inputs.runSeconds)} ÷ ${shortTime(retention.storeIntervalSeconds)} = ${counted(retention.saves, 'save')}`,
        `${formatBytes(size.checkpointBytes)} × ${formatCount(retention.saves)} = ${formatBytes(retention.writtenBytes)} (${formatCount(retention.writtenBytes)} B)`,
        ...(retention.exportedBytes > 0
          ? [
              `exports: ${formatBytes(retention.exportBytes)} × ${formatCount(retention.kept.exports)} = ${formatBytes(retention.exportedBytes)}`,
            ]
          : []),
        ...(retention.copiedBytes > 0 ? [`further copies: ${formatBytes(retention.copiedBytes)}`] : []),
      ],
      source: `BLOOM wrote 720 saves of 2.3 TB in 90 days, 1.66 PB, and kept 40 TB; τ = ${shortNumber(save.intervalSeconds, 5)} s`,
    },
  };
}

function resident(plan: StoragePlan, document: PlanDocument): Statement {
  const { retention, size, inputs } = plan;
  const { latest, forever, exports } = retention.kept;
  const kept = [
    ...(latest > 0 ? [`the newest ${formatCount(latest)}`] : []),
    ...(forever > 0 ? [`${formatCount(forever)} for ever`] : []),
    ...(exports > 0 ? [`${counted(exports, 'export')} of the weights`] : []),
  ];
  const growth = forever + exports === 0 ? '' : ' What stays for ever grows as long as the run does.';
  return {
    amount: formatBytes(retention.residentBytes),
    text: `lie there when the run ends: ${kept.length === 0 ? 'nothing' : listed(kept)}`,
    detail:
      `${forever + exports === 0 ? '' : `In ${counted(retention.copies, 'place')}.`}${growth}${inputs.keepLast < 2 ? ' Keep at least two: the newest may be torn when it is needed.' : ''}`.trim(),
    kind: statementKind(document, [...sizeKeys(plan), ...intervalKeys(plan), ...policyKeys]),
    derivation: {
      formula:
        'resident = S × (newest + for ever × copies) + weights × exports × copies, and one S more while a save is in flight',
      steps: retention.places.map(
        ({ place, count, bytes }) =>
          `${placeNames[place]}: ${formatBytes(size.checkpointBytes)} × ${formatCount(count.latest + count.forever)} + ${formatBytes(retention.exportBytes)} × ${formatCount(count.exports)} = ${formatBytes(bytes)}`,
      ),
      source: 'each checkpoint counts once; milestones and held ones are taken as spread evenly over the run',
    },
  };
}

function money({ cost, inputs }: StoragePlan, document: PlanDocument): Statement {
  const missing = cost.missing.map(({ place, what }) => `${missingWords[what]} of the ${placeNames[place]}`);
  const without = missing.length === 0 ? '' : `Not in it, as no price is known: ${listed(missing)}.`;
  const kind = statementKind(document, ['storePricePerGBMonth', 'runSeconds']);
  if (cost.forRun === null)
    return {
      amount: 'no price',
      text: 'is known of any place: enter yours to see what the run costs',
      detail: without,
      kind,
      derivation: null,
    };
  const least = cost.places.some(({ isLeastTimeBilled }) => isLeastTimeBilled);
  return {
    amount: shortDollars(cost.forRun),
    text: `for keeping over the run of ${shortTime(inputs.runSeconds)}${cost.perMonth === null ? '' : `; then ${shortDollars(cost.perMonth)} a month for as long as it stays`}`,
    detail: `${least ? 'The archive bills 180 days at least, also of what goes earlier. ' : ''}${without}`.trim(),
    kind,
    derivation: {
      formula: 'Σ places: ∫ bytes dt × price + requests + egress + restores that failures are expected to need',
      steps: cost.places
        .filter(({ storedForRun }) => storedForRun !== null)
        .map(
          ({ place, storedForRun, requestsForRun, egressForRun, restoresForRun }) =>
            `${placeNames[place]}: ${shortDollars(storedForRun)} stored + ${shortDollars(requestsForRun)} requests + ${shortDollars(egressForRun)} egress + ${shortDollars(restoresForRun)} restores`,
        ),
      source: 'list prices with their dates below, or as given; what is bought for its bandwidth is paid for from the first day',
    },
  };
}

const missingWords = { stored: 'storing', requests: 'requests', egress: 'egress', restores: 'reading back' } as const;

/** Drives of the nodes where saves go there, and those of the shared storage where its capacity is given. */
function wear(plan: StoragePlan, document: PlanDocument): Statement[] {
  const { inputs, save, levels, retention } = plan;
  const local = levels.levels.find(({ id }) => id === 'local-nvme');
  const ofNode =
    local?.intervalSeconds == null
      ? null
      : driveWear(save.writers.largestNodeBytes / local.intervalSeconds, inputs.nvmeCapacityBytes);
  const capacityBytes = storeCapacityOf(inputs, plan.size.checkpointBytes, save.writers.largestNodeBytes) ?? 0;
  const ofStore = driveWear(
    ((retention.writtenBytes + retention.exportedBytes) * inputs.jobs) / inputs.runSeconds,
    capacityBytes,
  );
  const say = (wearOf: ReturnType<typeof driveWear>, where: string, keys: PlanKey[]): Statement[] =>
    wearOf === null
      ? []
      : [
          {
            amount: `${shortNumber(wearOf.driveWritesPerDay, 2)} drive writes a day`,
            text: `on ${where}: rated for ${ratedWritesPerDay}, ${wearOf.driveWritesPerDay > ratedWritesPerDay ? `they last ${shortTime(wearOf.ratedForSeconds)}` : `they outlast their ${ratedYears} years`}`,
            detail:
              wearOf.driveWritesPerDay > ratedWritesPerDay
                ? 'Save there less often, or take drives that are rated for more.'
                : '',
            kind: statementKind(document, keys),
            derivation: {
              formula: 'DWPD = written ÷ (capacity × days)',
              steps: [`rated: ${ratedWritesPerDay} a day for ${ratedYears} years, as drives for reading usually are`],
              source: 'drive makers rate endurance so; QLC drives have less',
            },
          },
        ];
  return [
    ...say(ofNode, 'the node’s drives', [...sizeKeys(plan), ...intervalKeys(plan), 'nvmeCapacityBytes']),
    ...say(ofStore, 'the shared storage, before its redundancy', [
      ...sizeKeys(plan),
      ...intervalKeys(plan),
      'storeCapacityBytes',
    ]),
  ];
}

function notes({ inputs, retention, deletion }: StoragePlan): string[] {
  return [
    ...(inputs.legalHolds > 0 || inputs.objectStore !== 'none'
      ? [
          'A legal hold of S3 Object Lock has no end date and holds one version. A plain delete still succeeds: it adds a delete marker, and what is held stays and is billed.',
        ]
      : []),
    'Hugging Face’s save_total_limit of k keeps the newest k; with load_best_model_at_end the best stays too: 5 keeps 4 and the best, 1 keeps up to 2. torchtitan’s keep_latest_k keeps all with 0, and refuses 1. Megatron has most_recent_k and save_retain_interval.',
    'Orbax: max_to_keep, keep_period and keep_time_interval gave way to preservation_policy: LatestN, EveryNSteps, EveryNSeconds, BestN, CustomSteps, joined by AnyPreservationPolicy.',
    'Golden checkpoints lie in three places or more, and are read-only there: permissions on a file system, Object Lock in compliance mode in an object store. With fewer places than copies that are wanted the plan says so under “Where to keep it”.',
    ...(retention.kept.exports === 0
      ? [
          'Exports of the weights are a seventh of a checkpoint in mixed precision: they make a history of the model that is affordable.',
        ]
      : []),
    ...deletionNotes(deletion),
  ];
}
