/** What is printed can be recomputed from the JSON: the headline, the three numbers, the frontier and plans side by side. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PlanReport } from '../../../../src/core/pages/plan/planReport.js';
import { planReport, planToJson } from '../../../../src/core/pages/plan/planReport.js';
import { comparisonPage, comparisonToJson } from '../../../../src/core/pages/plan/planComparison.js';
import { planPage } from '../../../../src/core/pages/plan/planPage.js';
import { inSteps } from '../../../../src/core/pages/plan/stepWords.js';
import type { PlanComparison } from '../../../../src/core/planning/comparison.js';
import type { PlanDocument } from '../../../../src/core/planning/inputs/planDocument.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { shortDollars } from '../../../../src/core/text/dollars.js';
import { shortRate, shortShare, shortTime } from '../../../../src/core/text/quantities.js';
import { formatBinaryBytes, formatBytes, formatCount } from '../../../../src/core/text/units.js';
import { randomDocument } from '../../../builders/randomPlan.js';
import { realisticDocument } from '../../../builders/realisticPlan.js';
import { runs } from '../../../builders/seed.js';

const anyDocument = fc.oneof({ weight: 1, arbitrary: randomDocument }, { weight: 2, arbitrary: realisticDocument });
const plans = 100_000;
const monthHours = (365.25 * 24) / 12;
/** Rounding of products; of a difference by the digits of what it is taken from. */
const closeTo = (one: number, other: number, of = 0): void => {
  expect(Math.abs(one - other)).toBeLessThanOrEqual(Math.max(1e-6, Math.abs(other) * 1e-9, of * 4 * Number.EPSILON));
};

function printed(document: PlanDocument) {
  const plan = makePlan(document);
  const page = planPage(plan, document);
  const json = JSON.parse(planToJson(planReport(plan, page, document, []))) as PlanReport;
  return { page, inputs: json.inputs, answers: json.answers };
}

function quotaAmounts(
  { fullAfterSeconds, capacityBytes, usedBytes }: NonNullable<PlanReport['answers']['quota']>,
  taken: number,
) {
  if (usedBytes >= capacityBytes) return ['no room'];
  return [fullAfterSeconds === null ? formatBytes(Math.max(0, capacityBytes - usedBytes - taken)) : shortTime(fullAfterSeconds)];
}

type Printed = ReturnType<typeof printed>;

it('the headline, the three numbers and the frontier, from the JSON of any plan', () => {
  fc.assert(
    fc.property(anyDocument, (document) => {
      const made = printed(document);
      agreesInHeadline(made);
      agreesInNumbers(made);
      agreesInFrontier(made);
    }),
    runs(300, plans),
  );
});

function agreesInHeadline({ page, inputs, answers }: Printed): void {
  expect(answers.headline).toBe(page.headline);
  if (page.headline.startsWith('This plan cannot work')) {
    expect(answers.impossible.length).toBeGreaterThan(0);
    return;
  }
  if (page.headline.startsWith('A job of')) {
    agreesInJobsEnd(page.headline, inputs, answers);
    return;
  }
  const { intervalSeconds, bytesPerSecond, trainingShare } = answers.decision.wanted;
  const steps = inSteps(intervalSeconds, inputs);
  expect(page.headline).toContain(`Save every ${steps === null ? '' : `${steps} (`}${shortTime(intervalSeconds)}`);
  expect(page.headline).toContain(`${shortShare(trainingShare)} goodput`);
  if (!page.headline.includes('any shared storage')) expect(page.headline).toContain(shortRate(bytesPerSecond));
  if (page.headline.includes('would pay'))
    expect(page.headline).toContain(`${shortRate(answers.frontier.cheaper?.bytesPerSecond ?? 0)} would pay`);
}

/** Of a job that is over before it trains. */
function agreesInJobsEnd(
  headline: string,
  { walltimeSeconds, restartSeconds }: Printed['inputs'],
  answers: Printed['answers'],
): void {
  const { stallSeconds, saveSeconds, levels } = answers;
  const start = Math.max(restartSeconds, levels.storeReadSeconds);
  const needed = start + Math.max(stallSeconds, saveSeconds);
  expect(needed).toBeGreaterThanOrEqual(walltimeSeconds ?? Infinity);
  expect(headline).toContain(`A job of ${shortTime(walltimeSeconds ?? NaN)} trains nothing`);
  expect(headline).toContain(`takes ${shortTime(restartSeconds < (walltimeSeconds ?? 0) ? needed : restartSeconds)}`);
}

function agreesInNumbers({ page, inputs, answers }: Printed): void {
  expect(answers.numbers).toEqual(page.numbers);
  const [goodput, storage, room] = page.numbers;
  const { wanted, savingAndRepeatedShare, restartingShare, lateCopiesShare, better } = answers.decision;
  expect(goodput?.amount).toBe(shortShare(wanted.trainingShare));
  const lost = savingAndRepeatedShare + restartingShare + lateCopiesShare;
  if (better === null) expect(Math.abs(Math.min(1, lost) - (1 - wanted.trainingShare))).toBeLessThan(1e-9);
  const { planned, gpusPerMonth, worthGpus } = answers.frontier;
  expect(storage?.amount).toBe(planned.storagePerMonth === 0 ? '$0 more' : `${shortDollars(planned.storagePerMonth)} a month`);
  expect(storage?.text).toContain(shortRate(planned.bytesPerSecond));
  closeTo(gpusPerMonth, inputs.gpus * inputs.gpuPricePerHour * monthHours);
  if (gpusPerMonth > 0) closeTo(worthGpus, (planned.storagePerMonth / gpusPerMonth) * inputs.gpus);
  const { retention, cost, quota } = answers.advised ?? answers;
  const peakBytes = retention.places.find(({ place }) => place === 'store')?.peakBytes ?? 0;
  const bought = cost.places.find(({ place }) => place === 'store')?.bought ?? null;
  expect([
    formatBytes(peakBytes / 0.8),
    formatBytes(peakBytes),
    formatBytes(answers.checkpointBytes),
    ...(bought === null ? [] : [`${formatBytes(bought.bytes)} (${formatBinaryBytes(bought.bytes)})`]),
    ...(quota === null ? [] : quotaAmounts(quota, peakBytes * inputs.jobs)),
  ]).toContain(room?.amount);
}

function agreesInFrontier({ page, inputs, answers }: Printed): void {
  const rows = page.sections.flatMap(({ tables }) => tables).find(({ id }) => id === 'bandwidth-frontier')?.rows ?? [];
  const { points, planned, cheaper } = answers.frontier;
  expect(rows.map((row) => row.slice(0, 6))).toEqual(
    points.map(({ bytesPerSecond, intervalSeconds, trainingShare, lostPerMonth, storagePerMonth }) => [
      shortRate(bytesPerSecond),
      shortTime(intervalSeconds),
      shortShare(trainingShare),
      shortDollars(lostPerMonth),
      shortDollars(storagePerMonth),
      shortDollars(lostPerMonth + storagePerMonth),
    ]),
  );
  const marks = points.map((point) =>
    point.bytesPerSecond === planned.bytesPerSecond
      ? 'this plan'
      : point.bytesPerSecond === cheaper?.bytesPerSecond
        ? 'costs least'
        : '',
  );
  expect(rows.map((row) => row.at(-1))).toEqual(marks);
  for (const { trainingShare, lostPerMonth } of points)
    closeTo(
      lostPerMonth,
      inputs.gpus * inputs.gpuPricePerHour * monthHours * (1 - trainingShare),
      inputs.gpus * inputs.gpuPricePerHour * monthHours,
    );
}

it('plans side by side, from their JSON', () => {
  fc.assert(
    fc.property(realisticDocument, realisticDocument, (one, other) => {
      const { gpus, writeBytesPerSecond, saveMode } = other.inputs;
      const given = {
        ...one.inputs,
        ...(gpus === undefined ? {} : { gpus }),
        ...(writeBytesPerSecond == null ? {} : { writeBytesPerSecond }),
      };
      const changed = { ...given, ...(saveMode === undefined ? {} : { saveMode }) };
      const named = [one.inputs, changed].map((inputs, index) => ({
        name: `plan ${index}`,
        given: inputs,
        plan: makePlan({ ...one, inputs }),
      }));
      const { plans: compared, best, changes } = JSON.parse(comparisonToJson(named)) as PlanComparison;
      const { table } = comparisonPage(named);
      const row = (label: string) => table.rows.find(([name]) => name === label)?.slice(1);
      expect(row('GPUs')).toEqual(compared.map((plan) => formatCount(plan.gpus)));
      expect(row('goodput')).toEqual(compared.map(({ trainingShare }) => shortShare(trainingShare)));
      expect(row('storage, a month')).toEqual(compared.map(({ storagePerMonth }) => shortDollars(storagePerMonth)));
      for (const {
        gpusPerMonth,
        storagePerMonth,
        capitalPerMonth,
        runningPerMonth,
        tokensPerSecond,
        perBillionTokens,
      } of compared) {
        closeTo(capitalPerMonth + runningPerMonth, gpusPerMonth + storagePerMonth);
        if (perBillionTokens !== null && tokensPerSecond > 0)
          closeTo(perBillionTokens, ((gpusPerMonth + storagePerMonth) / (tokensPerSecond * monthHours * 3600)) * 1e9);
      }
      const working = compared.filter(({ blockers }) => blockers.length === 0);
      if (best !== null)
        expect(compared[best]?.perBillionTokens).toBe(
          Math.min(...working.map(({ perBillionTokens }) => perBillionTokens ?? Infinity)),
        );
      for (const { plan, gainShare, costPerMonth } of changes) {
        const [first, changedPlan] = [compared[0], compared[plan]];
        if (first === undefined || changedPlan === undefined) return expect.fail();
        closeTo(gainShare, changedPlan.tokensPerSecond / first.tokensPerSecond - 1);
        closeTo(
          costPerMonth,
          changedPlan.gpusPerMonth + changedPlan.storagePerMonth - first.gpusPerMonth - first.storagePerMonth,
        );
      }
    }),
    runs(150, plans),
  );
});
