/** Does a save fit into the time between a warning and the end. */
import type { PlanDocument } from '../../../planning/inputs/planDocument.js';
import { largestThatFits, type EmergencySave } from '../../../planning/saving/emergency.js';
import { gracePeriods, saveTimeIn } from '../../../planning/saving/gracePeriod.js';
import type { StoragePlan } from '../../../planning/storagePlan.js';
import { levelName } from '../levelWords.js';
import { shortRate, shortTime } from '../../../text/quantities.js';
import { formatBytes } from '../../../text/units.js';
import type { PlanSection } from '../planSection.js';
import type { PageTable } from '../../table.js';
import type { Statement } from '../../statement.js';
import { sizeKeys, statementKind } from '../statementKind.js';

export function emergencySection(plan: StoragePlan, document: PlanDocument): PlanSection {
  return {
    id: 'emergency',
    title: 'Emergency checkpoint',
    lead: lead(plan, document),
    more: needed(plan, document),
    charts: [],
    tables: [levelTable(plan), periodTable(plan)],
    notes: [
      'What a memory or a drive of a machine holds is gone when the machine is taken back; it helps where only the job is stopped.',
      'A job must request its warning: Slurm sends none before KillWait without `sbatch --signal=B:USR1@600` or the like, and a trainer saves on it only if it is configured to.',
    ],
  };
}

function lead(plan: StoragePlan, document: PlanDocument): Statement {
  const { emergency, size } = plan;
  const { best, graceSeconds } = emergency;
  const where = levelName(best.level, plan);
  return {
    amount: shortTime(best.neededSeconds),
    text: `for an emergency save to ${where}: ${best.fits ? `it fits the grace period of ${shortTime(graceSeconds)}` : `it does not fit the grace period of ${shortTime(graceSeconds)}`}`,
    detail: best.fits
      ? `Up to ${largest(best)} would.${best.outlivesTheMachine ? '' : ' But it is lost with the machine.'}`
      : `Up to ${largest(best)} would, of ${formatBytes(size.checkpointBytes)}. A warning then loses the work since the last save.`,
    kind: statementKind(document, [...sizeKeys(plan), 'graceSeconds']),
    derivation: {
      formula: 'copy to host memory + write ≤ 0.8 × grace period; the largest is S × 0.8 × grace ÷ (copy + write)',
      steps: [
        `needed ${shortTime(best.neededSeconds)}, given ${shortTime(graceSeconds)}`,
        `${formatBytes(size.checkpointBytes)} × 0.8 × ${shortTime(graceSeconds)} ÷ ${shortTime(best.neededSeconds)} = ${largest(best)}`,
      ],
      source:
        'both take time in proportion to the bytes; the whole bandwidth is assumed for this one save; a fifth of the warning goes to noticing it and to finishing a step',
    },
  };
}

/** What the shared storage would have to take for it. */
function needed(plan: StoragePlan, document: PlanDocument): Statement[] {
  const { emergency, size } = plan;
  const { neededBytesPerSecond, graceSeconds } = emergency;
  if (neededBytesPerSecond === null) return [];
  return [
    {
      amount: shortRate(neededBytesPerSecond),
      text: `of ${levelName('shared-store', plan)} fits an emergency save into ${shortTime(graceSeconds)}`,
      detail: `${formatBytes(size.checkpointBytes)} in what noticing the warning, the step under way and the copy to host memory leave of it.`,
      kind: statementKind(document, [...sizeKeys(plan), 'graceSeconds']),
      derivation: null,
    },
  ];
}

function largest({ largestBytes }: EmergencySave): string {
  return largestBytes === null ? 'any size' : formatBytes(largestBytes);
}

function levelTable({ emergency, tiers }: StoragePlan): PageTable {
  return {
    id: 'emergency-levels',
    caption: `Within ${shortTime(emergency.graceSeconds)}`,
    columns: [
      { label: 'to', isNumber: false },
      { label: 'takes', isNumber: true },
      { label: 'fits', isNumber: false },
      { label: 'largest that fits', isNumber: true },
      { label: 'when the machine is gone', isNumber: false },
    ],
    rows: emergency.saves.map((save) => [
      levelName(save.level, { tiers }),
      shortTime(save.neededSeconds),
      save.fits ? 'yes' : 'no',
      largest(save),
      save.outlivesTheMachine ? 'still there' : 'lost',
    ]),
    note: '',
  };
}

function periodTable({ emergency, tiers, size }: StoragePlan): PageTable {
  const { best } = emergency;
  return {
    id: 'grace-periods',
    caption: `Usual grace periods, saving to ${levelName(best.level, { tiers })}`,
    columns: [
      { label: 'warning of', isNumber: false },
      { label: 'grace', isNumber: true },
      { label: 'fits', isNumber: false },
      { label: 'largest that fits', isNumber: true },
      { label: 'source', isNumber: false },
    ],
    rows: gracePeriods.map(({ label, seconds, source }) => {
      const most = largestThatFits(best.neededSeconds, seconds, size.checkpointBytes);
      return [
        label,
        shortTime(seconds),
        best.neededSeconds <= saveTimeIn(seconds) ? 'yes' : 'no',
        most === null ? 'any size' : formatBytes(most),
        source,
      ];
    }),
    note: '',
  };
}
