import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { TensorQuery } from '../../../src/core/tensors/tensorQuery.js';
import { requestsOf, waitForRequest, type OpenOptions, type Spec, type SpecContext } from './spec.js';

type PageRequest = { query: TensorQuery; from: number; count: number };

async function openTensors(open: SpecContext['open'], options: OpenOptions): Promise<Page> {
  const page = await open(options);
  await page.getByRole('tab', { name: 'Tensors' }).click();
  await page.locator('[id="row-0"] bdi').first().waitFor();
  return page;
}

const grid = (page: Page) => page.getByRole('grid', { name: 'Tensors' });
const rowsInDocument = (page: Page): Promise<number> => grid(page).locator('.space .row').count();
const rowName = (page: Page, row: number): Promise<string> =>
  page.locator(`[id="row-${row}"] bdi .visually-hidden`).first().innerText();
const manyName = (row: number): string => `model.layers.${row % 96}.experts.${String(row).padStart(6, '0')}.weight`;

export const specs: Spec[] = [
  {
    name: 'what tensors can be filtered by is counted once the first of them are shown',
    async run({ open }) {
      const page = await open({ scenario: 'many' });
      assert.deepEqual(await requestsOf(page, 'tensorFacets'), []);
      await page.getByRole('tab', { name: 'Tensors' }).click();
      await waitForRequest(page, 'tensorFacets', () => true);
      const methods = await page.evaluate(() => window.fakeHost.requests.map(({ method }) => method));
      assert.ok(methods.indexOf('tensorPage') < methods.indexOf('tensorFacets'), methods.join(', '));
      await page.getByRole('tab', { name: 'Files' }).click();
      await page.getByRole('tab', { name: 'Tensors' }).click();
      await page.locator('[id="row-0"] bdi').first().waitFor();
      assert.equal((await requestsOf(page, 'tensorFacets')).length, 1);
    },
  },
  {
    name: '/ goes to the search, which asks the host; Escape clears it',
    async run({ open }) {
      const page = await openTensors(open, { scenario: 'sample' });
      await page.keyboard.press('/');
      await page.keyboard.type('layers.7. mlp');
      await waitForRequest<PageRequest>(page, 'tensorPage', ({ query }) => query.search === 'layers.7. mlp');
      await page.getByText('12 of 1,164 tensors').waitFor();
      await page.keyboard.press('Escape');
      await page.getByText('1,164 tensors ·').waitFor();
      assert.equal(await page.getByLabel('Search tensor names').inputValue(), '');
    },
  },
  {
    name: 'a header sorts in its natural direction, then the other, then not',
    async run({ open }) {
      const page = await openTensors(open, { scenario: 'sample' });
      const header = page.getByRole('columnheader', { name: 'elements' });
      for (const expected of ['descending', 'ascending', 'none']) {
        await header.getByRole('button').click();
        await page.waitForFunction(([element, sort]) => (element as Element).getAttribute('aria-sort') === sort, [
          await header.elementHandle(),
          expected,
        ] as const);
      }
      await waitForRequest<PageRequest>(
        page,
        'tensorPage',
        ({ query }) => query.sort?.column === 'elements' && query.sort.descending,
      );
      await waitForRequest<PageRequest>(
        page,
        'tensorPage',
        ({ query }) => query.sort?.column === 'elements' && !query.sort.descending,
      );
    },
  },
  {
    name: 'filter chips narrow by keyboard and are cleared again',
    pictures: 'also',
    async run({ open, keepPicture }) {
      const page = await openTensors(open, { scenario: 'sample' });
      await page.getByRole('button', { name: 'Layer', exact: true }).press('Enter');
      await page.getByLabel('Narrow the list of Layer values').waitFor();
      await page.keyboard.type('31');
      await keepPicture(page, 'filter-layer');
      await page.keyboard.press('Enter');
      await waitForRequest<PageRequest>(page, 'tensorPage', ({ query }) => query.layers?.[0] === 'layers.31');
      await page.keyboard.press('Escape');
      await page.getByText('36 of 1,164 tensors').waitFor();
      await page.locator('stowage-filter-chip').getByRole('button', { name: 'dtype' }).click();
      await page.getByRole('option', { name: /bf16/ }).click();
      await page.getByText('9 of 1,164 tensors').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Clear the filter Layer' }).click();
      await page.getByText('291 of 1,164 tensors').waitFor();
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('menuitem', { name: /CSV/ }).click();
      await waitForRequest<{ format: string; query: TensorQuery }>(
        page,
        'saveTensors',
        ({ query }) => query.dtypes?.[0] === 'bf16',
      );
    },
  },
  {
    name: 'the list of a filter stays within the page, at any width',
    async run({ open }) {
      for (const width of [1180, 1100, 1020, 960, 700, 420]) {
        const page = await openTensors(open, { scenario: 'sample', width });
        for (const name of ['File', 'Layer']) {
          await page.getByRole('button', { name, exact: true }).press('Enter');
          await page.getByLabel(`Narrow the list of ${name} values`).waitFor();
          const list = await page.getByRole('dialog', { name: `Filter by ${name}` }).boundingBox();
          assert.ok(list !== null && list.x >= 0 && list.x + list.width <= width, `${name} at ${width}: ${JSON.stringify(list)}`);
          assert.equal(await page.evaluate(() => window.scrollX), 0);
          await page.keyboard.press('Escape');
        }
      }
    },
  },
  {
    name: 'a search without a match says so',
    async run({ open }) {
      const page = await openTensors(open, { scenario: 'sample' });
      await page.getByLabel('Search tensor names').fill('no such tensor');
      await page.getByText('No tensor matches').waitFor();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.locator('[id="row-0"] bdi').first().waitFor();
    },
  },
  {
    name: '200,000 rows: few are in the document, and the keyboard reaches the last',
    pictures: 'also',
    async run({ open, keepPicture }) {
      const page = await openTensors(open, { scenario: 'many' });
      assert.equal(await grid(page).getAttribute('aria-rowcount'), '200001');
      await grid(page).focus();
      await page.keyboard.press('End');
      await page.locator('[id="row-199999"] bdi').first().waitFor();
      assert.equal(await rowName(page, 199_999), manyName(199_999));
      assert.equal(await page.locator('[id="row-199999"]').getAttribute('aria-rowindex'), '200001');
      assert.equal(await grid(page).getAttribute('aria-activedescendant'), 'row-199999');
      assert.ok((await rowsInDocument(page)) < 200);
      await keepPicture(page, 'last-of-200000');
      await page.keyboard.press('PageUp');
      await page.keyboard.press('ArrowUp');
      const active = Number((await grid(page).getAttribute('aria-activedescendant'))?.slice(4));
      assert.ok(active < 199_990 && active > 199_900, String(active));
      await page.keyboard.press('Home');
      await page.locator('[id="row-0"] bdi').first().waitFor();
      assert.equal(await rowName(page, 0), manyName(0));
    },
  },
  {
    name: 'scrolling far asks only for where it ends and shows the right rows',
    async run({ open }) {
      const page = await openTensors(open, { scenario: 'many' });
      const before = (await requestsOf(page, 'tensorPage')).length;
      // All steps in one task: however slow the machine is, the scrolling does not come to rest between them.
      await grid(page).evaluate(async (scroller) => {
        for (let step = 0; step < 60; step += 1) {
          scroller.scrollTop += 30_000;
          scroller.dispatchEvent(new Event('scroll'));
          for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
        }
      });
      const row = Math.floor((60 * 30_000) / 26) + 3;
      await page.locator(`[id="row-${row}"] bdi`).first().waitFor();
      assert.equal(await rowName(page, row), manyName(row));
      assert.ok((await rowsInDocument(page)) < 200);
      const asked = (await requestsOf(page, 'tensorPage')).length - before;
      assert.ok(asked <= 3, `${asked} requests`);
    },
  },
  {
    name: 'rows that have left the view are no longer asked for',
    async run({ open }) {
      const page = await openTensors(open, { scenario: 'many' });
      for (const top of [1_000_000, 2_000_000]) {
        // Rows of the first place never come: they can only be withdrawn.
        await page.evaluate((ms) => (window.fakeHost.delayMs = ms), top === 1_000_000 ? 1e8 : 5);
        await grid(page).evaluate((scroller, to) => (scroller.scrollTop = to), top);
        await waitForRequest<PageRequest>(page, 'tensorPage', ({ from }) => Math.abs(from - top / 26) < 600);
      }
      await page
        .locator(`[id="row-${Math.ceil(2_000_000 / 26) + 3}"] bdi`)
        .first()
        .waitFor();
      const cancelled = await page.evaluate(() =>
        window.fakeHost.requests.filter((request) => request.cancelled).map(({ params }) => params),
      );
      assert.ok(
        (cancelled as PageRequest[]).some(({ from }) => Math.abs(from - 1_000_000 / 26) < 600),
        JSON.stringify(cancelled),
      );
    },
  },
  {
    name: 'Enter opens the details beside the table, which follow the active row; Escape closes them',
    pictures: 'also',
    async run({ open, keepPicture }) {
      const page = await openTensors(open, { scenario: 'sample' });
      await grid(page).focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      const detail = page.getByRole('complementary', { name: 'Tensor' });
      await detail.getByText('model.layers.0.self_attn.q_proj.weight').waitFor();
      await detail.getByText('16,777,216').waitFor();
      await keepPicture(page, 'tensor-detail');
      await page.keyboard.press('ArrowDown');
      await detail.getByText('model.layers.0.self_attn.k_proj.weight').waitFor();
      await detail.getByRole('button', { name: /safetensors/ }).click();
      await waitForRequest<{ path: string; offsetBytes: number | null }>(
        page,
        'openFile',
        ({ offsetBytes }) => offsetBytes === 9_184 + 2 * 4096,
      );
      await page.keyboard.press('Escape');
      await detail.waitFor({ state: 'detached' });
      await page.keyboard.press('ArrowDown');
      assert.equal(await grid(page).getAttribute('aria-activedescendant'), 'row-3');
    },
  },
  {
    name: 'selected rows are copied as tab-separated text; too many are refused with a way out',
    async run({ open }) {
      const page = await openTensors(open, { scenario: 'sample' });
      await grid(page).focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('Shift+ArrowDown');
      await page.keyboard.press('Shift+ArrowDown');
      await page.getByRole('button', { name: 'Copy 3 rows' }).waitFor();
      await page.keyboard.press('Control+c');
      const { text } = await waitForRequest<{ text: string }>(page, 'copyText', () => true);
      const lines = text.split('\n');
      assert.equal(lines.length, 4);
      assert.equal(lines[0], 'name\tdtype\tshape\telements\tbytes\tcomponent\tfile\tlayer');
      assert.equal(
        lines[2],
        'model.layers.0.self_attn.q_proj.weight\tbf16\t4096 × 4096\t16777216\t33554432\tweights\tmodel-00001-of-00004.safetensors\tlayers.0',
      );
      await page.getByText('Copied: 3 rows').waitFor();
      const many = await openTensors(open, { scenario: 'many' });
      await grid(many).focus();
      await many.keyboard.press('Control+a');
      await many.keyboard.press('Control+c');
      await many.getByText('200,000 rows are too many to copy').waitFor();
    },
  },
];
