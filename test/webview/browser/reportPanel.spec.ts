import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { TensorQuery } from '../../../src/core/tensors/tensorQuery.js';
import { focusedElement } from './focus.js';
import { assertShows, clippedCells, nextFrames, openTab, requestsOf, textOf, waitForRequest, type Spec } from './spec.js';

type PageRequest = { query: TensorQuery; from: number; count: number };

async function focusedText(page: Page): Promise<string> {
  const focused = await focusedElement(page);
  return focused.evaluate(({ textContent }) => (textContent ?? '').replaceAll(/\s+/g, ' ').trim());
}

async function topOf(page: Page, selector: string): Promise<number> {
  const box = await page.locator(selector).first().boundingBox();
  assert.ok(box !== null, selector);
  return box.y;
}

export const specs: Spec[] = [
  {
    name: 'the report answers in its first lines, and says at the end what it cost',
    async run({ open }) {
      const page = await open({ scenario: 'sample' });
      await assertShows(
        page,
        'stowage-report',
        '112 GB',
        '105 GiB',
        '14.00 bytes per parameter',
        'Resumes without data-loader position: data order restarts',
        '8,030,261,248',
      );
      const text = await textOf(page, 'stowage-report');
      assert.match(text, /read 413 kB of 112 GB \(0\.00037 %\)/);
      assert.match(text, /38 reads[\s\S]*< 1 s[\s\S]*nothing was executed/);
      for (const tab of ['Components 11', 'Files 19', 'Tensors 1,164', 'Objects 2', 'Findings 3', 'Imports 6']) {
        await page.getByRole('tab', { name: tab }).waitFor();
      }
    },
  },
  {
    name: 'the first screen holds the verdict, the reason for the size and eight rows; a table gets the page',
    async run({ open }) {
      const page = await open({ scenario: 'sample', width: 1400, height: 900 });
      assert.ok((await topOf(page, '[role=tablist]')) <= 380);
      const eighth = await page.locator('stowage-components-table tbody tr').nth(7).boundingBox();
      assert.ok(eighth !== null && eighth.y + eighth.height <= 900);
      await openTab(page, 'Tensors');
      await page.locator('stowage-report-header').getByText('112 GB').waitFor();
      assert.ok((await topOf(page, '[role=tablist]')) <= 64);
      const narrow = await open({ scenario: 'sample', width: 600, height: 900 });
      const bar = await topOf(narrow, 'stowage-stacked-bar .bar');
      const findings = await topOf(narrow, 'stowage-summary-cards .card');
      assert.ok(bar < 300 && findings < 600, `${bar}, ${findings}`);
    },
  },
  {
    name: 'the path stands above the name as folders, is copied and shown in the Explorer; refreshing is in the title bar alone',
    async run({ open }) {
      for (const width of [1400, 360]) {
        const page = await open({ scenario: 'sample', width });
        const path = page.getByRole('navigation', { name: 'Path' });
        assert.deepEqual(await path.getByRole('listitem').allInnerTexts(), ['scratch', 'runs', 'llama-8b-sft']);
        await page.getByRole('button', { name: 'Copy Path' }).click();
        await waitForRequest<{ text: string }>(
          page,
          'copyText',
          ({ text }) => text === '/scratch/runs/llama-8b-sft/checkpoint-1000',
        );
        await page.getByText('Copied: the path').waitFor();
        await page.getByRole('button', { name: 'Reveal in Explorer' }).click();
        await waitForRequest(page, 'reveal', () => true);
        assert.equal(await page.getByRole('button', { name: 'Refresh' }).count(), 0);
      }
    },
  },
  {
    name: 'what does not load opens with its errors',
    async run({ open }) {
      const page = await open({ scenario: 'broken' });
      await page.getByRole('tab', { name: 'Findings', selected: true }).waitFor();
      await page.locator('stowage-headline').getByText('Resume: fails (1 error). The RNG state of rank 3 ends early.').waitFor();
    },
  },
  {
    name: 'a part of the bar and a row of the table lead to the tensors of that component',
    async run({ open }) {
      const page = await open({ scenario: 'sample' });
      const choices = [
        page.locator('stowage-stacked-bar').getByRole('button', { name: /^master weights/ }),
        page.locator('stowage-stacked-bar').getByRole('button', { name: /^weights/ }),
        page.locator('stowage-components-table').getByRole('button', { name: 'second moment' }),
      ];
      const expected = ['masterWeights', 'weights', 'optimizer:secondMoment'];
      for (const [index, choice] of choices.entries()) {
        await page.getByRole('tab', { name: 'Components' }).click();
        await choice.click();
        await waitForRequest<PageRequest>(page, 'tensorPage', ({ query }) => query.components?.[0] === expected[index]);
        assert.equal(await page.getByRole('tab', { name: 'Tensors' }).getAttribute('aria-selected'), 'true');
        assert.match(await focusedText(page), /^Tensors/);
      }
      await page.getByText('291 of 1,164 tensors').waitFor();
    },
  },
  {
    name: 'a number of the sum opens into where it comes from',
    pictures: 'also',
    async run({ open, keepPicture }) {
      const page = await open({ scenario: 'sample' });
      const number = page.getByRole('button', { name: /4\.00 first moment/ });
      await number.click();
      const source = page.getByRole('region', { name: 'Where this comes from' });
      await source.getByText('291 tensors named exp_avg in optimizer.pt').waitFor();
      assert.equal(await number.getAttribute('aria-expanded'), 'true');
      await keepPicture(page, 'where-this-comes-from');
      await number.press('Escape');
      await source.waitFor({ state: 'hidden' });
    },
  },
  {
    name: 'the list of files clips neither what a shard is for nor what its bytes are',
    async run({ open }) {
      const page = await open({ scenario: 'sample' });
      await openTab(page, 'Files');
      const row = page.getByRole('row', { name: /model-00001-of-00004\.safetensors/ });
      await row.getByText('container overhead').waitFor();
      assert.deepEqual(await clippedCells(row), []);
      assert.deepEqual(await clippedCells(page.getByRole('row', { name: /model\.safetensors\.index\.json/ })), []);
    },
  },
  {
    name: 'tabs follow the arrow keys',
    async run({ open }) {
      const page = await open({ scenario: 'sample' });
      await page.getByRole('tab', { name: 'Components' }).focus();
      for (const [key, tab] of [
        ['ArrowRight', 'Files'],
        ['End', 'Integrity'],
        ['ArrowRight', 'Components'],
        ['ArrowLeft', 'Integrity'],
        ['Home', 'Components'],
      ]) {
        await page.keyboard.press(key ?? '');
        await page.getByRole('tab', { name: tab ?? '', selected: true }).waitFor();
        assert.match(await focusedText(page), new RegExp(`^${tab}`));
      }
    },
  },
  {
    name: 'findings stand errors first, and open the file at the offset',
    async run({ open }) {
      const page = await open({ scenario: 'sample' });
      await page.getByRole('tab', { name: 'Findings' }).click();
      const titles = await page.locator('stowage-findings-view').getByRole('heading', { level: 3 }).allInnerTexts();
      assert.match(titles[0] ?? '', /ends early/);
      assert.match(titles[1] ?? '', /data-loader/);
      assert.match(titles[2] ?? '', /notes\.txt/);
      await page.getByRole('button', { name: 'rng_state_3.pth at byte 14,336' }).click();
      await waitForRequest<{ path: string; offsetBytes: number | null }>(
        page,
        'openFile',
        ({ path, offsetBytes }) => path === 'rng_state_3.pth' && offsetBytes === 14_336,
      );
    },
  },
  {
    name: 'without findings the panel says what was checked and what was not',
    async run({ open }) {
      const page = await open({ scenario: 'clean' });
      await page.getByRole('button', { name: 'Findings: what was checked' }).click();
      const text = await textOf(page, 'stowage-findings-view');
      assert.match(text, /No problems in \d+ checks?; \d+ checks? not done/);
      assert.match(text, /no tensor overlaps another/);
      assert.match(text, /whether the values themselves are intact/);
    },
  },
  {
    name: 'the export menu is reached by keyboard and asks the host',
    async run({ open }) {
      const page = await open({ scenario: 'sample' });
      const steps: [downs: number, method: string, said: string][] = [
        [0, 'copyMarkdown', 'Copied: the report as Markdown'],
        [1, 'saveJson', 'Saved: report.json'],
        [2, 'saveTensors', 'Saved: tensors.csv'],
        [3, 'saveTensors', 'Saved: tensors.arrow'],
      ];
      for (const [downs, method, said] of steps) {
        await page.getByRole('button', { name: 'Export' }).focus();
        await page.keyboard.press('ArrowDown');
        await page.getByRole('menu').waitFor();
        for (let step = 0; step < downs; step += 1) await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        await waitForRequest(page, method, () => true);
        await page.getByText(said).waitFor();
      }
      await page.keyboard.press('ArrowDown');
      await page.getByRole('menu').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
      assert.equal(await focusedText(page), 'Export');
    },
  },
  {
    name: 'objects are a tree that the keyboard opens, with facts above',
    pictures: 'also',
    async run({ open, keepPicture }) {
      const page = await open({ scenario: 'sample' });
      await page.getByRole('tab', { name: 'Objects' }).click();
      await page.getByRole('row', { name: /learning rate 1\.8734e-05/ }).waitFor();
      await page.getByRole('treeitem').first().focus();
      for (const key of [
        'ArrowRight',
        'ArrowRight',
        'ArrowDown',
        'ArrowRight',
        'ArrowDown',
        'ArrowRight',
        'ArrowDown',
        'ArrowDown',
      ]) {
        await page.keyboard.press(key);
        await nextFrames(page);
      }
      assert.match(await focusedText(page), /^betas/);
      assert.equal(await page.getByRole('treeitem', { name: /^betas/ }).getAttribute('aria-level'), '4');
      await page.keyboard.press('Control+c');
      await waitForRequest<{ text: string }>(page, 'copyText', ({ text }) => text === 'param_groups[0].betas = (…)');
      await page.keyboard.press('ArrowLeft');
      assert.match(await focusedText(page), /^0/);
      await keepPicture(page, 'objects-open');
      await page.getByRole('treeitem', { name: /^state/ }).click();
      await page.getByText('show 50 more of 50; 41 not listed in the report').click();
      await page.getByRole('treeitem', { name: /^249/ }).waitFor();
    },
  },
  {
    name: 'imports are facts, the unexpected first, and nothing is called safe',
    async run({ open }) {
      const page = await open({ scenario: 'sample' });
      await page.getByRole('button', { name: 'list' }).click();
      const view = page.locator('stowage-imports-view');
      const rows = await view.getByRole('row').allInnerTexts();
      assert.match(rows[1] ?? '', /my_project\.callbacks\.WandbResume[\s\S]*needs its code/);
      assert.doesNotMatch(await textOf(page, 'stowage-imports-view'), /\bsafe\b/i);
    },
  },
  {
    name: 'loading shows counts and can be cancelled; a failure says so and can be tried again',
    async run({ open }) {
      const page = await open({ scenario: 'loading' });
      await page.getByText('18 of 64 files ·').waitFor();
      await page.getByText('optimizer.pt').waitFor();
      assert.equal(await page.getByRole('progressbar').getAttribute('aria-valuenow'), '18');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('The inspection was cancelled').waitFor();
      await page.getByRole('button', { name: 'Inspect again' }).click();
      await waitForRequest(page, 'refresh', () => true);
      await page.getByText('18 of 64 files ·').waitFor();
    },
  },
  {
    name: 'nothing moves when the report takes the place of the loading frame',
    async run({ open }) {
      const places = [
        ['stowage-skeleton .row:nth-child(1) > div', 'stowage-stacked-bar .bar'],
        ['stowage-skeleton .row:nth-child(2) > div', 'stowage-bytes-per-parameter .box'],
        ['stowage-skeleton .row:nth-child(3) > div:first-child', 'stowage-summary-cards .card'],
      ] as const;
      const loading = await open({ scenario: 'loading' });
      const before: number[] = [];
      for (const [block] of places) before.push(await topOf(loading, block));
      const report = await open({ scenario: 'sample' });
      for (const [index, [, part]] of places.entries()) {
        const moved = (await topOf(report, part)) - (before[index] ?? 0);
        assert.ok(Math.abs(moved) <= 4, `${part} moves by ${moved} px`);
      }
    },
  },
  {
    name: 'inspecting again keeps the report in place until the next is here',
    async run({ open }) {
      const page = await open({ scenario: 'sample' });
      const before = await topOf(page, 'stowage-stacked-bar .bar');
      await page.evaluate(() => {
        window.fakeHost.send('started', { path: '/scratch/runs/llama-8b-sft/checkpoint-1000', name: 'checkpoint-1000' });
        window.fakeHost.send('progress', { filesDone: 3, filesTotal: 19, bytesRead: 1, file: 'optimizer.pt' });
      });
      await page.getByText('Inspecting again: 3 of 19 files').waitFor();
      assert.equal(await topOf(page, 'stowage-stacked-bar .bar'), before);
      await page.getByRole('button', { name: 'Cancel' }).waitFor();
    },
  },
  {
    name: 'where the reader stood survives a reload; it holds no data',
    async run({ open }) {
      const page = await open({ scenario: 'sample' });
      await page.getByRole('tab', { name: 'Tensors' }).click();
      await page.getByLabel('Search tensor names').fill('q_proj');
      await page.getByRole('button', { name: 'bytes', exact: true }).click();
      await waitForRequest<PageRequest>(
        page,
        'tensorPage',
        ({ query }) => query.search === 'q_proj' && query.sort?.column === 'bytes',
      );
      await page.reload();
      await page.getByText('128 of 1,164 tensors').waitFor();
      assert.equal(await page.getByLabel('Search tensor names').inputValue(), 'q_proj');
      assert.equal(await page.getByRole('columnheader', { name: 'bytes' }).getAttribute('aria-sort'), 'descending');
      const first = await requestsOf<PageRequest>(page, 'tensorPage');
      assert.deepEqual(first[0]?.query, { search: 'q_proj', sort: { column: 'bytes', descending: true } });
      const state = await page.evaluate(() => sessionStorage.getItem('view-state') ?? '');
      assert.ok(state.length < 600 && !state.includes('model.layers'), state);
    },
  },
  {
    name: 'empty and failed say what is the matter',
    async run({ open }) {
      await (await open({ scenario: 'empty' })).getByText('This folder is empty').waitFor();
      const failed = await open({ scenario: 'failed' });
      await failed.getByText('permission denied').waitFor();
      await failed.getByText('Check that the path exists').waitFor();
    },
  },
];
