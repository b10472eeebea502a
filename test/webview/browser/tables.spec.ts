/** What all tables of the report share. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { graveViolationsInThemes } from './axe.js';
import { focusedElement } from './focus.js';
import { nextFrames, openTab, requestsOf, tabNames, waitForRequest, type Spec } from './spec.js';

const header = (page: Page, name: string): Locator => page.getByRole('columnheader', { name, exact: true });
const widthOf = async (locator: Locator): Promise<number> => (await locator.boundingBox())?.width ?? 0;
const labels = (page: Page): Promise<string[]> => page.getByRole('columnheader').allInnerTexts();
const lines = (page: Page): Promise<string[]> =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') })
    .evaluateAll((rows) => rows.map((row) => row.querySelector('bdi')?.textContent ?? ''));

/** Copies of what the page has asked the host to put on the clipboard. */
const lastCopy = async (page: Page): Promise<string> => (await requestsOf<{ text: string }>(page, 'copyText')).at(-1)?.text ?? '';

async function copies(page: Page, text: string): Promise<void> {
  await waitForRequest<{ text: string }>(page, 'copyText', (params) => params.text === text);
  assert.equal(await lastCopy(page), text);
}

async function openModules(page: Page): Promise<Locator> {
  await openTab(page, 'Tensors');
  await page.getByRole('button', { name: 'Modules' }).click();
  const tree = page.getByRole('treegrid', { name: 'Modules' });
  await tree.getByText('layers 0-31').first().waitFor();
  return tree;
}

/** Elements that scroll vertically within a page that does, or within each other. */
const nestedScrollers = (): string[] => {
  const scrolling: Element[] = [];
  const walk = (root: ParentNode): void => {
    for (const element of root.querySelectorAll('*')) {
      const overflow = getComputedStyle(element).overflowY;
      if ((overflow === 'auto' || overflow === 'scroll') && element.scrollHeight > element.clientHeight + 1)
        scrolling.push(element);
      if (element.shadowRoot !== null) walk(element.shadowRoot);
    }
  };
  walk(document);
  const page = document.documentElement;
  const isPageScrolled = page.scrollHeight > page.clientHeight + 1;
  return scrolling.length > (isPageScrolled ? 0 : 1)
    ? scrolling.map(({ className, localName }) => `${localName}.${className}`)
    : [];
};

export const specs: Spec[] = [
  {
    name: 'tables: any column is sorted by a click and by the keyboard, and says so',
    async run({ open }) {
      const page = await open({ scenario: 'sample' });
      await openTab(page, 'Files');
      assert.equal(await header(page, 'bytes').getAttribute('aria-sort'), 'descending');
      await header(page, 'file').getByRole('button').click();
      assert.equal(await header(page, 'file').getAttribute('aria-sort'), 'ascending');
      assert.equal((await lines(page))[0], 'config.json');
      await header(page, 'file').getByRole('button').press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await nextFrames(page);
      const sorted = page.locator('[role=columnheader][aria-sort=ascending]');
      assert.equal(await sorted.innerText(), `${(await labels(page))[2]}`);
      assert.equal(await page.locator('.sort[tabindex="0"]').count(), 1, 'the header is one stop of the keyboard');
    },
  },
  {
    name: 'tables: columns are resized by dragging, by keys and to their content',
    async run({ open }) {
      const page = await open({ scenario: 'sample', width: 1400 });
      await openTab(page, 'Files');
      const format = header(page, 'format');
      const before = await widthOf(format);
      const grip = await format.locator('.grip').boundingBox();
      assert.ok(grip !== null);
      await page.mouse.move(grip.x + 3, grip.y + 10);
      await page.mouse.down();
      await page.mouse.move(grip.x + 43, grip.y + 10, { steps: 4 });
      await page.mouse.up();
      await nextFrames(page);
      assert.equal(await widthOf(format), before + 40);
      await format.getByRole('button').press('Shift+ArrowLeft');
      await nextFrames(page);
      assert.equal(await widthOf(format), before + 24);
      await format.locator('.grip').dblclick();
      await nextFrames(page);
      const fitted = await widthOf(format);
      const at = (await labels(page)).indexOf('format');
      const clipped = await page
        .locator('.space .row')
        .evaluateAll(
          (rows, column) =>
            rows.map(({ children }) => children[column]).filter((cell) => (cell?.scrollWidth ?? 0) > (cell?.clientWidth ?? 0))
              .length,
          at,
        );
      assert.ok(fitted < before + 24 && clipped === 0, `${fitted} of ${before}, ${clipped} are cut`);
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('menuitem', { name: 'Reset columns' }).click();
      await nextFrames(page);
      assert.equal(await widthOf(format), before);
    },
  },
  {
    name: 'tables: columns are hidden and shown, and all is kept while the tab or the panel is hidden',
    async run({ open }) {
      const page = await open({ scenario: 'sample', width: 1400 });
      await openTab(page, 'Files');
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('menuitemcheckbox', { name: 'share' }).click();
      await page.getByRole('menuitemcheckbox', { name: 'what it is for' }).click();
      await page.keyboard.press('Escape');
      await page.getByLabel('Search files').fill('model');
      await page.getByText('6 of 19 files').waitFor();
      await header(page, 'file').getByRole('button').click();
      await header(page, 'file').getByRole('button').press('Shift+ArrowRight');
      await page.locator('[id="row-2"]').click();
      const shown = await labels(page);
      assert.ok(!shown.includes('what it is for'), shown.join());
      const width = await widthOf(header(page, 'file'));
      // Where the reader is is kept once they have come to rest.
      await page.waitForFunction(() => Object.values(sessionStorage).some((state) => String(state).includes('"active":2')));
      for (const leave of [() => openTab(page, 'Findings'), () => page.reload()]) {
        await leave();
        await openTab(page, 'Files');
        assert.deepEqual(await labels(page), shown);
        assert.equal(await page.getByLabel('Search files').inputValue(), 'model');
        await page.getByText('6 of 19 files').waitFor();
        assert.equal(await header(page, 'file').getAttribute('aria-sort'), 'ascending');
        assert.equal(await widthOf(header(page, 'file')), width);
        assert.equal(await page.locator('[id="row-2"]').getAttribute('aria-selected'), 'true');
      }
    },
  },
  {
    name: 'tables: where the reader was among 200,000 rows is kept while the tab is hidden',
    async run({ open }) {
      const page = await open({ scenario: 'many' });
      await openTab(page, 'Tensors');
      const grid = page.getByRole('grid', { name: 'Tensors' });
      await grid.evaluate((table) => (table.scrollTop = 2_600_000));
      await page.locator('[id="row-100003"] bdi').first().waitFor();
      await page.waitForFunction(() => Object.values(sessionStorage).some((state) => String(state).includes('2600000')));
      await openTab(page, 'Files');
      await page.getByRole('tab', { name: 'Tensors' }).click();
      await page.locator('[id="row-100003"] bdi').first().waitFor();
      assert.equal(await grid.evaluate((table) => table.scrollTop), 2_600_000);
    },
  },
  {
    name: 'tables: what all rows have alike is said once, and shown where it is asked for',
    async run({ open }) {
      const page = await open({ scenario: 'many' });
      await openTab(page, 'Tensors');
      await page.getByText('all bf16').waitFor();
      assert.ok(!(await labels(page)).includes('dtype'));
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('menuitemcheckbox', { name: 'dtype' }).click();
      await header(page, 'dtype').waitFor();
      assert.equal(await page.getByText('all bf16').count(), 0);
    },
  },
  {
    name: 'tables: names have 45 % at least, labels are whole, and bytes stay, at any width',
    async run({ open }) {
      for (const [scenario, tabs] of [
        ['sample', ['Files', 'Tensors', 'Imports']],
        ['dataset-text', ['Columns', 'Shards', 'Files']],
        ['run', ['Checkpoints']],
      ] as const)
        for (const width of [1400, 900, 600]) {
          const page = await open({ scenario, width });
          for (const tab of tabs) {
            await openTab(page, tab);
            const heads = page.getByRole('grid').first().getByRole('columnheader');
            const [name = 0, ...others] = await heads.evaluateAll((cells) =>
              cells.map((cell) => cell.getBoundingClientRect().width),
            );
            const total = others.reduce((sum, one) => sum + one, name);
            const where = `${scenario}, ${tab} at ${width}: ${name} of ${total}`;
            assert.ok(name / total >= 0.445 && others.every((one) => one <= name), where);
            const cut = await heads.evaluateAll((cells) =>
              cells
                .map((cell) => cell.querySelector('.clip'))
                .filter((label) => label !== null && label.scrollWidth > label.clientWidth)
                .map((label) => label?.textContent),
            );
            assert.deepEqual(cut, [], where);
            assert.ok(
              (await labels(page)).some((label) => /bytes|size|on disk|files/.test(label)),
              where,
            );
          }
        }
    },
  },
  {
    name: 'tables: long names are shortened in their middle, and copied whole',
    async run({ open }) {
      const page = await open({ scenario: 'sample', width: 600 });
      await openTab(page, 'Tensors');
      const row = page.locator('[id="row-9"]');
      const name = 'model.layers.0.post_attention_layernorm.weight';
      assert.equal(await row.getByRole('rowheader').getAttribute('title'), name);
      const [start, tail] = [row.locator('.middle .start'), row.locator('.middle .tail')];
      assert.ok(await start.evaluate((part) => part.scrollWidth > part.clientWidth), 'the beginning is not shortened');
      assert.equal(await tail.evaluate((part) => part.scrollWidth > part.clientWidth), false);
      assert.equal(`${await start.textContent()}${await tail.textContent()}`, name);
      await row.getByRole('rowheader').click();
      await page.keyboard.press('Control+Shift+C');
      await copies(page, name);
    },
  },
  {
    name: 'tables: the context menu of a row copies its cell, itself or what is selected',
    async run({ open }) {
      const page = await open({ scenario: 'sample' });
      await openTab(page, 'Files');
      const context = (): Promise<string | null> => page.locator('stowage-report').getAttribute('data-vscode-context');
      await page.locator('[id="row-1"]').click();
      await page.locator('[id="row-2"]').click({ modifiers: ['Shift'] });
      await page.locator('[id="row-2"]').getByRole('gridcell').first().click({ button: 'right' });
      assert.deepEqual(JSON.parse((await context()) ?? ''), {
        webviewSection: 'stowageTableRow',
        preventDefaultContextMenuItems: true,
      });
      const send = (extent: 'cell' | 'row' | 'rows'): Promise<void> =>
        page.evaluate((of) => window.fakeHost.send('copyFromTable', { extent: of }), extent);
      await send('cell');
      await copies(page, '4976707848');
      await send('row');
      const [row = ''] = (await waitForRequest<{ text: string }>(page, 'copyText', ({ text }) => text.includes('\t'))).text.split(
        '\n',
      );
      assert.match(row, /^model-00001-of-00004\.safetensors\t4976707848\t/);
      await send('rows');
      await page.getByText('Copied: 2 rows').waitFor();
      assert.deepEqual(
        (await lastCopy(page)).split('\n').map((line) => line.split('\t')[0]),
        ['file', 'model-00002-of-00004.safetensors', 'model-00001-of-00004.safetensors'],
      );
      await page.locator('[id="row-5"]').click({ button: 'right' });
      assert.equal(await page.locator('[role=row][aria-selected=true]').count(), 1);
      await page.getByLabel('Search files').click({ button: 'right' });
      assert.equal(await context(), null, 'a text field keeps its own menu');
    },
  },
  {
    name: 'tables: / and Ctrl+F go to the search of the table, from every tab',
    async run({ open }) {
      for (const scenario of ['sample', 'dataset'] as const) {
        const page = await open({ scenario });
        const tabs = await tabNames(page);
        for (const key of ['/', 'Control+f'])
          for (const tab of tabs) {
            await openTab(page, tab);
            await page.keyboard.press(key);
            await nextFrames(page);
            await page.waitForFunction(() => {
              let element = document.activeElement;
              while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
              return element instanceof HTMLInputElement;
            });
            const focused = await focusedElement(page);
            assert.match(
              await focused.evaluate((field) => (field as HTMLInputElement).placeholder),
              /^Search/,
              `${key} on ${tab}`,
            );
          }
      }
    },
  },
  {
    name: 'tables: nothing scrolls within what scrolls',
    async run({ open }) {
      for (const scenario of ['sample', 'many', 'ranks', 'dataset-huge', 'run'] as const)
        for (const [width, height] of [
          [1400, 900],
          [600, 700],
        ] as const) {
          const page = await open({ scenario, width, height });
          for (const tab of await tabNames(page)) {
            await openTab(page, tab);
            assert.deepEqual(await page.evaluate(nestedScrollers), [], `${scenario}, ${tab} at ${width}`);
          }
        }
    },
  },
  {
    name: 'modules: layers that repeat are one line, which opens to each, by the keyboard of tree grids',
    pictures: 'also',
    async run({ open, keepPicture }) {
      const page = await open({ scenario: 'sample' });
      const tree = await openModules(page);
      const fold = page.locator('[id="row-2"]');
      assert.match(await fold.innerText(), /layers 0-31[\s\S]*32 × 9 tensors[\s\S]*6,979,584,000[\s\S]*14 GB/);
      assert.equal(await fold.getAttribute('aria-level'), '2');
      assert.equal(await fold.getAttribute('aria-expanded'), 'false');
      await tree.focus();
      const active = (): Promise<string | null> => tree.getAttribute('aria-activedescendant');
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
      await page.locator('[id="row-3"]').getByText('layers 0', { exact: true }).first().waitFor();
      assert.equal(await fold.getAttribute('aria-expanded'), 'true');
      assert.equal(await page.locator('[id="row-3"]').getAttribute('aria-setsize'), '32');
      await page.keyboard.press('ArrowRight');
      assert.equal(await active(), 'row-3');
      await page.keyboard.press('ArrowRight');
      await page.locator('[id="row-4"]').getByText('self_attn').first().waitFor();
      await keepPicture(page, 'modules', 'view');
      await page.keyboard.press('ArrowLeft');
      await page.locator('[id="row-4"]').getByText('layers 1', { exact: true }).first().waitFor();
      await page.keyboard.press('ArrowLeft');
      assert.equal(await active(), 'row-2');
      await page.keyboard.press('Enter');
      await page.locator('[id="row-3"]').getByText('norm.weight').first().waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('complementary', { name: 'Tensor' }).getByText('model.norm.weight').waitFor();
    },
  },
  {
    name: 'modules: have the filters, the order and the search of the list, and stay when the tab is hidden',
    async run({ open }) {
      const page = await open({ scenario: 'sample' });
      const tree = await openModules(page);
      await page.locator('[id="row-2"] .twist').click();
      await page.locator('[id="row-3"]').getByText('layers 0', { exact: true }).first().waitFor();
      await openTab(page, 'Files');
      await page.getByRole('tab', { name: 'Tensors' }).click();
      await page.locator('[id="row-3"]').getByText('layers 0', { exact: true }).first().waitFor();
      await header(page, 'bytes').getByRole('button').click();
      await tree.getByText('exp_avg').first().waitFor();
      await page.getByLabel('Search tensor names').fill('lm_head master');
      await page.getByText('1 of 1,164 tensors').waitFor();
      await page.locator('[id="row-0"]').getByText('master.lm_head.weight').first().waitFor();
      await page.getByRole('button', { name: 'List', exact: true }).click();
      await page.getByRole('grid', { name: 'Tensors' }).getByText('master.lm_head.weight').first().waitFor();
      assert.equal(await page.getByRole('row').count(), 2);
    },
  },
  {
    name: 'modules: axe finds nothing serious, in any theme',
    async run({ open }) {
      const page = await open({ scenario: 'sample', foreignScript: true });
      const tree = await openModules(page);
      await tree.focus();
      await page.keyboard.press('ArrowDown');
      await page.getByRole('button', { name: 'Columns' }).click();
      assert.deepEqual(await graveViolationsInThemes(page), []);
    },
  },
  {
    name: 'tables of a plan show their last column, at any width',
    async run({ open }) {
      for (const width of [1400, 1100, 900, 600]) {
        const page = await open({ scenario: 'plan-405b', width });
        await page.getByText('Where saves go').first().waitFor();
        await nextFrames(page);
        const cut = await page
          .locator('stowage-table .scroll-x')
          .evaluateAll((frames) =>
            frames
              .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
              .map(({ textContent }) => textContent?.trim().slice(0, 60)),
          );
        assert.deepEqual(cut, [], `at ${width}`);
      }
    },
  },
];
