/** What every page of a plan has, whatever the run that it is of. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SavedCheckpoint } from '../../../../src/core/planning/inputs/planDocument.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { planPage } from '../../../../src/core/pages/plan/planPage.js';
import { presetNames } from '../../../../src/core/planning/inputs/presetNames.js';
import { documentOfPreset, presetOf } from '../../../../src/core/planning/inputs/presets.js';
import { sectionIds } from '../../../../src/core/pages/plan/planSection.js';
import { planDocument, randomDocument } from '../../../builders/randomPlan.js';
import { runs } from '../../../builders/seed.js';

const saved: fc.Arbitrary<SavedCheckpoint[]> = fc.array(
  fc.record({
    path: fc.string(),
    step: fc.option(fc.maxSafeNat()),
    bytes: fc.maxSafeNat(),
    savedAtSeconds: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
    isFinished: fc.boolean(),
    isLatest: fc.boolean(),
  }),
  { maxLength: 150 },
);

it('has each section, table and chart once', () => {
  const document = planDocument({});
  const { sections } = planPage(makePlan(document), document);
  expect(sections.map(({ id }) => id).sort()).toEqual([...sectionIds].sort());
  const tables = sections.flatMap((section) => section.tables.map(({ id }) => id));
  const charts = sections.flatMap((section) => section.charts.map(({ id }) => id));
  expect(new Set(tables).size).toBe(tables.length);
  expect(new Set(charts).size).toBe(charts.length);
});

it('has one number for the time that is lost, in the recommendation and in what matters most', () => {
  for (const preset of presetNames) {
    const document = documentOfPreset(presetOf(preset.id) ?? expect.fail(preset.id));
    const page = planPage(makePlan(document), document);
    const amount = page.sections.find(({ id }) => id === 'sensitivity')?.lead.amount ?? '';
    expect(page.recommendation.join(' '), preset.id).toMatch(new RegExp(`(Of the|Only) ${amount.replaceAll('.', '\\.')} `));
  }
});

it('shows at most 100 checkpoints of a run, and says how many more there are', () => {
  fc.assert(
    fc.property(randomDocument, saved, (document, checkpoints) => {
      const own = { ...document, saved: checkpoints };
      const retention = planPage(makePlan(own), own).sections.find(({ id }) => id === 'retention');
      const table = retention?.tables.find(({ id }) => id === 'deletion');
      expect(table?.rows.length ?? 0).toBe(Math.min(100, checkpoints.length));
      if (checkpoints.length > 100) expect(table?.note).toBe(`${checkpoints.length - 100} more are not shown.`);
      for (const row of table?.rows ?? []) expect(row).toHaveLength(table?.columns.length ?? 0);
    }),
    runs(12, 600),
  );
});

it('draws no line of more than 200 points', () => {
  fc.assert(
    fc.property(randomDocument, (document) => {
      const charts = planPage(makePlan(document), document).sections.flatMap((section) => section.charts);
      const lengths = charts.flatMap((chart) => (chart.kind === 'lines' ? chart.lines.map(({ points }) => points.length) : []));
      expect(lengths.filter((length) => length > 200)).toEqual([]);
    }),
    runs(12, 600),
  );
});
