/** Pages of plans by chance: no input that a plan file may hold makes one fail, or say what is no number. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SavedCheckpoint } from '../../../src/core/planning/inputs/planDocument.js';
import { makePlan } from '../../../src/core/planning/storagePlan.js';
import { planPage } from '../../../src/core/report/plan/planPage.js';
import type { PlanChart, PlanTable } from '../../../src/core/report/plan/planSection.js';
import { numbersIn, randomPlanInputs, textsIn } from '../../builders/randomPlanInputs.js';

const saved: fc.Arbitrary<SavedCheckpoint[]> = fc.array(
  fc.record({
    path: fc.string(),
    step: fc.option(fc.nat()),
    bytes: fc.maxSafeNat(),
    savedAtSeconds: fc.option(fc.nat()),
    isFinished: fc.boolean(),
    isLatest: fc.boolean(),
  }),
  { maxLength: 5 },
);

function isWhole({ columns, rows }: PlanTable): boolean {
  return rows.every((row) => row.length === columns.length);
}

const noNumber = /NaN|undefined|(?<!ZeRO-)Infinity|\[object/;

/** What is wrong with numbers that a renderer scales: all must be finite, and an axis must have a length. */
function problemsOf(chart: PlanChart): string[] {
  const axes = chart.kind === 'lines' ? [chart.x, chart.y] : [chart.x];
  const points = chart.kind === 'lines' ? chart.lines.map((line) => line.points.length) : [];
  return [
    ...numbersIn(chart).flatMap(({ path, value }) => (Number.isFinite(value) ? [] : [`${chart.id}${path} is ${value}`])),
    ...axes.flatMap(({ domain, scale, label }) =>
      domain[1] > domain[0] && (scale === 'linear' || domain[0] > 0) ? [] : [`${chart.id}: ${label} from ${domain.join(' to ')}`],
    ),
    ...points.filter((count) => count > 200).map((count) => `${chart.id} has ${count} points`),
    ...(isWhole(chart.table) ? [] : [`${chart.id}: its table`]),
  ];
}

function problemsOfTable(table: PlanTable): string[] {
  // Names of checkpoints are the user's.
  const texts = table.id === 'deletion' ? [] : textsIn(table).filter((text) => noNumber.test(text));
  return [...texts.map((text) => `${table.id}: ${text}`), ...(isWhole(table) ? [] : [`${table.id}: cells`])];
}

it('every plan has a page, and it says numbers', () => {
  fc.assert(
    fc.property(randomPlanInputs(), saved, (inputs, checkpoints) => {
      const document = { name: 'by chance', inputs, origins: {}, measured: [], saved: [] };
      const plan = makePlan({ ...document, saved: checkpoints });
      const page = planPage(plan, document);
      const words = textsIn({ ...page, sections: page.sections.map((section) => ({ ...section, tables: [], charts: [] })) });
      expect([
        ...numbersIn(plan).flatMap(({ path, value }) => (Number.isNaN(value) ? [path] : [])),
        ...words.filter((text) => noNumber.test(text)),
        ...page.sections.flatMap(({ charts, tables }) => [...charts.flatMap(problemsOf), ...tables.flatMap(problemsOfTable)]),
      ]).toEqual([]);
    }),
    { numRuns: 250 },
  );
}, 60_000);

it('has each table and chart of a page once', () => {
  const document = { name: '', inputs: {}, origins: {}, measured: [], saved: [] };
  const { sections } = planPage(makePlan(document), document);
  const tables = sections.flatMap((section) => section.tables.map(({ id }) => id));
  const charts = sections.flatMap((section) => section.charts.map(({ id }) => id));
  expect(new Set(tables).size).toBe(tables.length);
  expect(new Set(charts).size).toBe(charts.length);
});
