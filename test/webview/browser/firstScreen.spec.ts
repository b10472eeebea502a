/** What a reader sees before scrolling: the answer, why, what can be done, and the rows that matter. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { OpenOptions, Spec } from './spec.js';
import { nextFrames } from './spec.js';

interface FirstScreen {
  scenario: OpenOptions['scenario'];
  /** The verdict, and what it is of. */
  answers: readonly string[];
  actions: number;
  /** Rows of the table that matters; it has fewer where there are fewer. */
  rows: { selector: string; count: number } | null;
  /** Also within a page of 600 pixels. */
  narrow: readonly string[];
}

const headline = 'stowage-headline .verdict';
const actions =
  'stowage-report-header .actions button, stowage-planner-header .actions button, stowage-check-result .actions button';
const gridRows = 'stowage-data-grid .space .row';

const screens: readonly FirstScreen[] = [
  {
    scenario: 'sample',
    answers: [headline, 'stowage-component-bar', 'stowage-bytes-per-parameter'],
    actions: 3,
    rows: { selector: 'stowage-components-table tbody tr', count: 8 },
    narrow: [headline, 'stowage-component-bar', 'stowage-summary-cards'],
  },
  {
    scenario: 'broken',
    answers: [headline, 'stowage-findings-view li'],
    actions: 3,
    rows: null,
    narrow: [headline, 'stowage-findings-view li'],
  },
  {
    scenario: 'dataset',
    answers: [headline, 'stowage-dataset-bar', 'stowage-dataset-cards'],
    actions: 2,
    rows: { selector: gridRows, count: 3 },
    narrow: [headline, 'stowage-dataset-bar', 'stowage-dataset-cards'],
  },
  { scenario: 'run', answers: [headline], actions: 3, rows: { selector: gridRows, count: 3 }, narrow: [headline] },
  {
    scenario: 'collection',
    answers: [headline],
    actions: 1,
    rows: { selector: gridRows, count: 8 },
    narrow: [headline, gridRows],
  },
  {
    scenario: 'hub-cache',
    answers: [headline],
    actions: 1,
    rows: { selector: gridRows, count: 8 },
    narrow: [headline, gridRows],
  },
  {
    scenario: 'plan-405b',
    answers: ['stowage-plan-advice .headline', 'stowage-plan-tiles', 'stowage-plan-steps'],
    actions: 3,
    rows: null,
    narrow: ['stowage-plan-advice .headline', 'stowage-plan-tiles', 'stowage-plan-steps li'],
  },
  {
    scenario: 'estimate',
    answers: [headline, 'stowage-term-bar'],
    actions: 3,
    rows: { selector: gridRows, count: 3 },
    narrow: [headline, 'stowage-term-bar'],
  },
  {
    scenario: 'estimate-full',
    answers: [headline, 'stowage-term-bar', 'stowage-estimate-view .findings'],
    actions: 3,
    rows: { selector: gridRows, count: 3 },
    narrow: [headline, 'stowage-estimate-view .findings'],
  },
  { scenario: 'bandwidth', answers: ['stowage-check-preview'], actions: 0, rows: null, narrow: [] },
  {
    scenario: 'bandwidth-done',
    answers: ['stowage-check-result .tile'],
    actions: 0,
    rows: null,
    narrow: ['stowage-check-result .tile'],
  },
];

export const specs: Spec[] = screens.map(
  (screen) =>
    ({
      name: `the first screen has the answer and the rows that matter: ${screen.scenario}`,
      async run({ open }) {
        const page = await open({ scenario: screen.scenario, width: 1400, height: 900 });
        for (const selector of screen.answers) await assertInView(page, selector, 0);
        assert.ok((await page.locator(actions).count()) >= screen.actions, 'actions');
        for (let action = 0; action < screen.actions; action++) await assertInView(page, actions, action);
        const { rows } = screen;
        if (rows !== null) await assertInView(page, rows.selector, rows.count - 1);
        await page.setViewportSize({ width: 600, height: 900 });
        await nextFrames(page);
        for (const selector of screen.narrow) await assertInView(page, selector, 0);
      },
    }) satisfies Spec,
);

/** Fails unless all of an element is above the lower edge of the window, and none of it is cut off at the sides. */
async function assertInView(page: Page, selector: string, index: number): Promise<void> {
  const element = page.locator(selector).nth(index);
  await element.waitFor();
  const box = await element.boundingBox();
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  const isInView =
    box !== null && box.height > 0 && box.y >= 0 && box.y + box.height <= height && box.x >= 0 && box.x + box.width <= width;
  assert.ok(isInView, `${selector} ${index} at ${width} px is at ${JSON.stringify(box)}`);
}
