/** Which input moves the lost time most: a tornado. */
import type { Sensitivity, VariedInput } from '../../../planning/advice/sensitivity.js';
import type { PlanDocument } from '../../../planning/inputs/planDocument.js';
import { extentOf } from '../../../planning/saving/samples.js';
import type { StoragePlan } from '../../../planning/storagePlan.js';
import { shortRate, shortShare, shortTime } from '../../../text/quantities.js';
import { formatBytes, shortNumber } from '../../../text/units.js';
import type { PlanSection } from '../planSection.js';
import type { BarChart } from '../../chart.js';
import type { PageTable } from '../../table.js';
import type { Statement } from '../../statement.js';
import { failureKeys, intervalKeys, statementKind } from '../statementKind.js';

export function sensitivitySection(plan: StoragePlan, document: PlanDocument): PlanSection {
  return {
    id: 'sensitivity',
    title: 'What matters most',
    lead: lead(plan, document),
    more: [],
    charts: [tornado(plan)],
    tables: [],
    notes: [
      plan.save.intervalBasis === 'given'
        ? 'The interval stays as given when another input changes.'
        : 'When another input changes, the interval is the best one again.',
      ...(plan.save.stallBasis === 'storage'
        ? ['Training waits for storage here, so the stall is in the bandwidth.']
        : ['Training does not wait for storage, so bandwidth counts only for saves that are under way when a failure comes.']),
    ],
  };
}

const names: Readonly<Record<VariedInput, string>> = {
  bandwidth: 'write bandwidth',
  mtbf: 'time between failures',
  stall: 'stall of a save',
  restart: 'restart and restore',
  interval: 'interval',
  size: 'checkpoint',
};

function valueText({ input, value }: Sensitivity, factor = 1): string {
  if (input === 'size') return formatBytes(value * factor);
  return input === 'bandwidth' ? shortRate(value * factor) : shortTime(value * factor);
}

/** Smaller shares are shown as one. */
const leastShown = 1e-4;

function lead(plan: StoragePlan, document: PlanDocument): Statement {
  const { sensitivity, save, levels } = plan;
  const [most] = sensitivity.inputs;
  const worst = most === undefined ? 0 : Math.max(most.lostShareHalved, most.lostShareDoubled);
  const best = most === undefined ? 0 : Math.min(most.lostShareHalved, most.lostShareDoubled);
  return {
    amount: shortShare(sensitivity.lostShare),
    text:
      most === undefined || worst < leastShown
        ? 'of the time is lost, and no input makes it more than that'
        : `of the time is lost; ${names[most.input]} matters most: ${shortShare(best)} to ${shortShare(worst)} between half and twice of it`,
    detail: `${shortShare(1 - save.shares.training)} saving, repeating and restarting, ${shortShare(levels.furtherLossShare)} because copies are late.`,
    kind: statementKind(document, [...intervalKeys(plan), ...failureKeys(plan), 'restartSeconds']),
    derivation: {
      formula: 'lost = 1 − 1 ÷ T(τ) + what late copies lose, with one input halved and doubled',
      steps: sensitivity.inputs.map(
        (input) =>
          `${names[input.input]} ${valueText(input)}: half ${shortShare(input.lostShareHalved)}, twice ${shortShare(input.lostShareDoubled)}`,
      ),
      source: 'Daly’s cost model and the levels above',
    },
  };
}

function tornado({ sensitivity }: StoragePlan): BarChart {
  const base = sensitivity.lostShare;
  const [least, most] = extentOf([
    base,
    ...sensitivity.inputs.flatMap((input) => [input.lostShareHalved, input.lostShareDoubled]),
  ]);
  const room = Math.max((most - least) * 0.1, base * 0.01, 1e-9);
  return {
    kind: 'bars',
    id: 'sensitivity',
    title: 'Lost time with one input halved and doubled',
    summary: `Around ${shortShare(base)}: ${sensitivity.inputs.map((input) => `${names[input.input]} ${shortShare(input.lostShareHalved)} halved, ${shortShare(input.lostShareDoubled)} doubled`).join('; ')}.`,
    x: { label: 'lost time', scale: 'linear', domain: [Math.max(0, least - room), most + room], format: 'share' },
    rows: sensitivity.inputs.map((input) => ({
      label: names[input.input],
      parts: bars(input, base),
    })),
    marks: [{ label: `plan ${shortShare(base)}`, x: base }],
    table: tornadoTable(sensitivity.inputs),
  };
}

/** From the plan to each side; where both are on one, the farther begins where the nearer ends. */
function bars(input: Sensitivity, base: number): BarChart['rows'][number]['parts'] {
  const ends = [
    { label: `half: ${valueText(input, 0.5)}`, share: input.lostShareHalved },
    { label: `twice: ${valueText(input, 2)}`, share: input.lostShareDoubled },
  ].sort((a, b) => Math.abs(a.share - base) - Math.abs(b.share - base));
  const [near, far] = [ends[0]?.share ?? base, ends[1]?.share ?? base];
  const isOneSided = near > base === far > base;
  return ends.map(({ label, share }, index) => {
    const begin = index === 1 && isOneSided ? near : base;
    return { label, tone: share > base ? 'bad' : 'good', from: Math.min(begin, share), to: Math.max(begin, share) };
  });
}

function tornadoTable(inputs: readonly Sensitivity[]): PageTable {
  return {
    id: 'sensitivity',
    caption: 'Lost time with one input halved and doubled',
    columns: [
      { label: 'input', isNumber: false },
      { label: 'in the plan', isNumber: true },
      { label: 'lost with half', isNumber: true },
      { label: 'lost with twice', isNumber: true },
      { label: 'between them, points', isNumber: true },
    ],
    rows: inputs.map((input) => [
      names[input.input],
      valueText(input),
      shortShare(input.lostShareHalved),
      shortShare(input.lostShareDoubled),
      shortNumber(Math.abs(input.lostShareDoubled - input.lostShareHalved) * 100, 2),
    ]),
    note: '',
  };
}
