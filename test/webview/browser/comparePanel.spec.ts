/** The panel of a comparison: what is shown of two checkpoints, of their values, and what it asks its host. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { compareScenarios } from '../page/compareScenarios.js';
import { themeNames } from '../page/themes.js';
import { assertTree } from './accessibilityTree.js';
import { graveViolationsInThemes } from './axe.js';
import { assertFits } from './fits.js';
import { deceptive, look } from './lookAtTexts.js';
import {
  assertShows,
  nextFrames,
  openTab,
  tabNames,
  textOf,
  waitForRequest,
  type OpenOptions,
  type Spec,
  type SpecContext,
} from './spec.js';

async function openValues(open: SpecContext['open'], options: OpenOptions): Promise<Page> {
  const page = await open(options);
  await openTab(page, 'Values');
  await page.locator('stowage-value-heat-map').waitFor();
  await nextFrames(page);
  return page;
}

export const specs: Spec[] = [
  ...themeNames.flatMap((theme) =>
    [1400, 600].map(
      (width) =>
        ({
          name: `comparisons look as they should: ${theme} at ${width}`,
          pictures: 'only',
          async run({ open, keepPicture }) {
            const shown = { theme, width, height: 900 } as const;
            await keepPicture(await open({ scenario: 'compare', ...shown }), `compare-${theme}-${width}`, 'view');
            const tensors = await open({ scenario: 'compare-tensors', ...shown });
            await keepPicture(tensors, `compare-tensors-${theme}-${width}`, 'view');
            await keepPicture(
              await openValues(open, { scenario: 'compare-values', ...shown }),
              `compare-values-${theme}-${width}`,
              'view',
            );
            const resized = await openValues(open, { scenario: 'compare-resized', ...shown });
            await keepPicture(resized, `compare-resized-values-${theme}-${width}`);
            await openTab(resized, 'Tensors');
            await keepPicture(resized, `compare-resized-${theme}-${width}`);
          },
        }) satisfies Spec,
    ),
  ),
  {
    name: 'every odd comparison has its picture',
    pictures: 'only',
    async run({ open, keepPicture }) {
      const running = await open({ scenario: 'compare-running', width: 1100 });
      await running.getByRole('progressbar').waitFor();
      await keepPicture(running, 'compare-running');
      for (const scenario of ['compare-failed', 'compare-same', 'compare-web'] as const)
        await keepPicture(await open({ scenario, width: 1100 }), scenario);
      for (const scenario of ['compare-experts', 'compare-many', 'compare-hostile'] as const)
        await keepPicture(await openValues(open, { scenario, width: 1100 }), `${scenario}-values`, 'view');
      const page = await open({ scenario: 'compare-runs', width: 1100 });
      for (const tab of await tabNames(page)) {
        await openTab(page, tab);
        await keepPicture(page, `compare-runs-${tab.toLowerCase()}`);
      }
    },
  },
  ...compareScenarios.map(
    (scenario) =>
      ({
        name: `nothing overlaps or scrolls sideways at any width: ${scenario}`,
        async run({ open }) {
          await assertFits(await open({ scenario }), scenario);
        },
      }) satisfies Spec,
  ),
  {
    name: 'a comparison says what differs, what both are and what a resume changes',
    async run({ open }) {
      const page = await open({ scenario: 'compare' });
      await assertShows(page, 'stowage-headline', '290 tensors', '1 changed', 'not compared');
      await assertShows(page, 'stowage-compared-sides', 'checkpoint-500', 'checkpoint-1000', 'step 500', 'step 1,000');
      await assertShows(page, '.changes', 'Resuming from B instead of A', 'Training resumes at step 1,000 instead of 500');
      assert.deepEqual((await tabNames(page)).slice(0, 5), ['Tensors', 'Values', 'Components', 'Settings', 'Files']);
      await openTab(page, 'Settings');
      await assertShows(page, 'stowage-data-grid', 'rope_theta', '10000', '20000', 'config.json');
      await openTab(page, 'Files');
      await assertShows(page, 'stowage-data-grid', 'tokenizer.json', 'changed');
    },
  },
  {
    name: 'its buttons ask for the other order, for reports and for exports',
    async run({ open }) {
      const page = await open({ scenario: 'compare' });
      await page.getByRole('button', { name: 'Swap sides' }).click();
      await waitForRequest(page, 'swapSides', () => true);
      await page.getByRole('button', { name: 'B: checkpoint-1000' }).click();
      assert.deepEqual(await waitForRequest(page, 'inspectSide', () => true), { side: 'b' });
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('menuitem', { name: 'Copy as Markdown' }).click();
      await page.getByText('Copied: the comparison as Markdown').waitFor();
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('menuitem', { name: 'Save as JSON…' }).click();
      await page.getByText('Saved: checkpoint-1000.report.json').waitFor();
      await page.getByRole('button', { name: 'Refresh' }).click();
      await waitForRequest(page, 'refresh', () => true);
    },
  },
  {
    name: 'tensors are narrowed to one state, and that is kept',
    async run({ open }) {
      const page = await open({ scenario: 'compare-tensors' });
      const names = (): Promise<string[]> =>
        page.locator('stowage-data-grid').first().locator('[role=row] [role=gridcell]:nth-child(2)').allInnerTexts();
      assert.deepEqual(new Set(await names()), new Set(['changed', 'renamed', 'removed', 'added']));
      await page.getByRole('button', { name: 'renamed 1' }).click();
      await nextFrames(page);
      assert.deepEqual(await names(), ['renamed']);
      await page.reload();
      await page.getByRole('button', { name: 'renamed 1', pressed: true }).waitFor();
      assert.deepEqual(await names(), ['renamed']);
    },
  },
  {
    name: 'tensors that are several on one side and one on the other are apart from differences',
    async run({ open }) {
      const page = await open({ scenario: 'compare-tensors' });
      const fused = page.getByRole('grid', { name: 'Fused or stacked on one side' });
      assert.match(await fused.innerText(), /q_proj.*v_proj.*linear_qkv.*11 more/s);
      await assertShows(page, 'stowage-compared-tensors', '4 differences', '1 group');
    },
  },
  {
    name: 'values are asked for, show how far they are, and are cancelled',
    async run({ open }) {
      const page = await open({ scenario: 'compare' });
      await openTab(page, 'Values');
      await page.getByRole('button', { name: 'Compare a sample of 1 %' }).click();
      assert.deepEqual(await waitForRequest(page, 'compareValues', () => true), { share: 0.01 });
      await assertShows(page, 'stowage-compared-values', '4 GB of 16 GB');
      await page.locator('stowage-compared-values').getByRole('button', { name: 'Cancel' }).click();
      await waitForRequest(page, 'cancelValues', () => true);
      await page.getByRole('button', { name: 'Compare values' }).click();
      await waitForRequest<{ share: number }>(page, 'compareValues', ({ share }) => share === 1);
      await page.evaluate(() => window.fakeHost.send('endValues' as never, null as never));
      await page.locator('stowage-value-heat-map').waitFor();
      await assertShows(page, 'stowage-headline', 'values of');
      await assertShows(page, 'stowage-compared-values', 'differ', 'are equal', 'relative L2');
    },
  },
  {
    name: 'the heat map is reached by keys, says each cell in words, and leads to its row',
    async run({ open }) {
      const page = await openValues(open, { scenario: 'compare-values' });
      const map = page.getByRole('grid', { name: /^Heat map of \d+ kinds of tensors in 33 columns/ });
      assert.equal(await map.locator('[tabindex="0"]').count(), 1);
      await map.locator('[tabindex="0"]').focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('End');
      const focused = map.locator('td:focus');
      assert.match((await focused.getAttribute('aria-label')) ?? '', /^layer 31, self_attn\.q_proj\.weight: relative L2 0\.\d+/);
      await assertShows(page, '.readout', 'layer 31');
      await page.keyboard.press('Enter');
      await nextFrames(page);
      const row = page.locator('stowage-compared-values stowage-data-grid [role=row][aria-selected=true]');
      assert.match((await row.innerText()).replaceAll('\n', ''), /model\.layers\.31\.self_attn\.q_proj\.weight/);
      // Also where a search leaves the row out.
      await page.keyboard.press('/');
      await page.keyboard.type('norm');
      await page.getByText(/^65 of /).waitFor();
      await map.getByRole('gridcell', { name: /^layer 30, self_attn\.q_proj\.weight/ }).click();
      await page
        .locator('stowage-data-grid [role=row][aria-selected=true]')
        .getByText('layers.30')
        .first()
        .waitFor({ state: 'attached' });
    },
  },
  {
    name: 'the accessibility tree of the heat map is the one that is kept',
    async run({ open }) {
      const page = await openValues(open, { scenario: 'compare-experts' });
      await assertTree('compare-heat', await page.locator('stowage-value-heat-map').ariaSnapshot());
    },
  },
  {
    name: 'experts of a mixture share a cell, which says how many differ',
    async run({ open }) {
      const page = await openValues(open, { scenario: 'compare-experts' });
      const map = page.getByRole('grid', { name: /^Heat map of 3 kinds/ });
      const words = (await map.locator('td').nth(1).getAttribute('aria-label')) ?? '';
      assert.match(
        words,
        /^layer 1, block_sparse_moe\.experts\.\*\.w1\.weight: 32 tensors, \d+ equal; the one that differs most: relative L2 0\.01/,
      );
    },
  },
  {
    name: 'rows that both have, values of the optimizer and tied tensors are in the tables of a resized model',
    async run({ open }) {
      const page = await openValues(open, { scenario: 'compare-resized' });
      await assertShows(page, 'stowage-compared-values', 'Of the optimizer 1 of 3 tensors is equal.');
      await page.keyboard.press('/');
      await page.keyboard.type('embed_tokens');
      await page.getByText(/^3 of 24/).waitFor();
      const rows = page.locator('stowage-compared-values stowage-data-grid').getByRole('row');
      const words = 'first 8 rows equal, 2 more in B';
      assert.equal(await rows.filter({ hasText: words }).count(), 3);
      assert.equal(await rows.filter({ hasText: `optimizer state; ${words}` }).count(), 1);
      await page.getByRole('tab', { name: /^Tensors/ }).click();
      await assertShows(
        page,
        'stowage-compared-tensors',
        'lm_head.weight, which A alone stores, is tied to model.embed_tokens.weight',
      );
      await assertShows(page, '.changes', 'policy.');
    },
  },
  {
    name: 'a million differences are a bounded page that says how many there are',
    async run({ open }) {
      const page = await open({ scenario: 'compare-many' });
      await assertShows(page, 'stowage-compared-tensors', '20,002 of 2,000,000 differences');
      await openTab(page, 'Values');
      await assertShows(page, 'stowage-compared-values', 'of 2,000,000 tensors');
      assert.ok((await page.locator('stowage-value-heat-map td').count()) <= 40 * 256);
    },
  },
  {
    name: 'a comparison that is cancelled or fails says so, and is begun again',
    async run({ open }) {
      const failed = await open({ scenario: 'compare-failed' });
      await assertShows(failed, 'stowage-headline', 'Not compared:', 'is no checkpoint');
      await failed.getByRole('button', { name: 'Compare again' }).click();
      await waitForRequest(failed, 'refresh', () => true);
      const running = await open({ scenario: 'compare-running' });
      await running.getByText('Inspecting A and B: 3 of 12 files').waitFor();
      assert.equal(await running.getByRole('progressbar', { name: 'Comparison' }).getAttribute('aria-valuenow'), '25');
      await running.getByRole('button', { name: 'Cancel' }).click();
      await running.getByText('The comparison was cancelled.').waitFor();
    },
  },
  {
    name: 'a browser without a machine says that it reads no values',
    async run({ open }) {
      const page = await open({ scenario: 'compare-web' });
      await openTab(page, 'Values');
      await assertShows(page, 'stowage-compared-values', 'Values are not read in a browser');
      assert.equal(await page.getByRole('button', { name: 'Compare values' }).count(), 0);
    },
  },
  {
    name: 'text from files stays text on every tab of a comparison',
    async run({ open }) {
      const page = await open({ scenario: 'compare-hostile' });
      for (const tab of await tabNames(page)) {
        await openTab(page, tab);
        const { texts, foreign, hacked } = await look(page);
        assert.equal(hacked, false, tab);
        assert.deepEqual(foreign, [], tab);
        assert.deepEqual(
          texts.filter((text) => deceptive.test(text)),
          [],
          tab,
        );
      }
      await openTab(page, 'Tensors');
      assert.ok((await textOf(page, 'stowage-compared-tensors')).includes('window.hacked=1'));
    },
  },
  {
    name: 'axe finds nothing serious in comparisons, in any theme',
    async run({ open }) {
      for (const scenario of ['compare-values', 'compare-runs', 'compare-tensors'] as const) {
        const page = await open({ scenario, foreignScript: true });
        for (const tab of await tabNames(page)) {
          await openTab(page, tab);
          assert.deepEqual(await graveViolationsInThemes(page), [], `${scenario}: ${tab}`);
        }
      }
    },
  },
];
