/** The places of a plan's checkpoints in a table, from memory to another region. */
import type { StoragePlan } from '../../../planning/storagePlan.js';
import type { FailureClass } from '../../../planning/systems/storageSystem.js';
import type { TierRow } from '../../../planning/systems/tierPlan.js';
import { formatBinaryBytes, formatCount } from '../../../text/units.js';
import { shortDollars } from '../../../text/dollars.js';
import { ordinal } from '../../../text/ordinal.js';
import { listed, shortRate, shortTime } from '../../../text/quantities.js';
import type { PageTable } from '../../table.js';

/** As a reader asks: what may fail without taking this copy along. */
const survivesWords: Readonly<Record<FailureClass, string>> = {
  process: 'process',
  node: 'node',
  rack: 'rack',
  site: 'site',
};

export function tiersTable(plan: StoragePlan): PageTable {
  return {
    id: 'tiers',
    caption: 'Where to keep it',
    columns: [
      { label: 'tier', isNumber: false },
      { label: 'role', isNumber: false },
      { label: 'save takes', isNumber: true },
      { label: 'survives the loss of', isNumber: false },
      { label: 'kept', isNumber: true },
      { label: 'a month', isNumber: true },
    ],
    rows: plan.tiers.map((row) => [
      tierName(row),
      roleWords(row),
      shortTime(row.seconds),
      row.survives.length === 0 ? 'nothing: it passes saves on' : listed(row.survives.map((name) => survivesWords[name])),
      keptWords(row),
      row.cost === null ? 'in the node' : shortDollars(row.cost.perMonth),
    ]),
    note: `${pricesNote(plan)} “Kept” is at the end of the run; one more is there while it is written.`,
  };
}

function tierName({ id, system, cost }: TierRow): string {
  const level = cost?.bought?.level ?? null;
  const bought =
    level === null
      ? ''
      : `, ${shortRate(level.bytesPerSecondPerTiB)} for each TiB, ${formatBinaryBytes(cost?.bought?.bytes ?? 0)}`;
  return `${system.name}${bought}${id === 'region' ? ', second region' : ''}`;
}

function roleWords({ id, everySaves, forever, exports, survives }: TierRow): string {
  const stays = forever + exports > 0 ? 'what stays for ever' : '';
  if (id === 'region' && stays === '') return 'what stays for ever: so far nothing does';
  if (everySaves === null) return stays === '' ? 'not needed: an earlier tier survives as much' : stays;
  const often = everySaves === 1 ? 'every save' : `every ${ordinal(everySaves)} save`;
  const role = survives.length === 0 ? `${often}, on its way` : often;
  return stays === '' ? role : `${role}; ${stays}`;
}

function keptWords({ everySaves, full, exports }: TierRow): string {
  if (everySaves === null && full + exports === 0) return '0';
  return exports === 0 ? formatCount(full) : `${formatCount(full)} + ${formatCount(exports)} exports`;
}

function pricesNote({ cost, requests }: StoragePlan): string {
  const given = cost.places.filter(({ priceBasis }) => priceBasis === 'given').length;
  const dated = cost.places.flatMap(({ priceDate, system }) => (priceDate === null ? [] : [`${system.name} ${priceDate}`]));
  const prices = dated.length === 0 ? 'No list price is in this table' : `List prices: ${listed([...new Set(dated)])}, editable`;
  const partsWords =
    requests === null || requests.problem !== null
      ? ''
      : ` ${formatBinaryBytes(requests.partBytes)} parts are within the limits.`;
  const unsure = cost.places.filter(({ priceBasis, bought }) => priceBasis === 'list' && bought?.level?.evidence === 'recalled');
  const check =
    unsure.length === 0
      ? ''
      : ` The price of this level of ${listed(unsure.map(({ system }) => system.name))} is from memory: check it.`;
  return `${prices}${given > 0 ? '; others as given' : ''}.${check}${partsWords}`;
}
