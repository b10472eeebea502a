import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { themeNames } from '../page/themes.js';
import { nextFrames, openTab, requestsOf, tabNames, textOf, waitForRequest, type Spec } from './spec.js';

const strip = (page: Page) => page.getByRole('slider', { name: 'Bytes of each rank' });
const valueText = (page: Page): Promise<string | null> => strip(page).getAttribute('aria-valuetext');

export const specs: Spec[] = [
  {
    name: 'among 1,024 ranks the odd one is named in the card, in the sentence and in the first row',
    pictures: 'also',
    async run({ open, keepPicture }) {
      const page = await open({ scenario: 'ranks' });
      assert.match(await textOf(page, 'stowage-summary-cards'), /Ranks 1,024 rank 517 has 336 MB, 59\.0 % less than usual/);
      await page.getByRole('button', { name: 'Ranks: what each wrote' }).click();
      assert.match(await textOf(page, 'stowage-ranks-view'), /1,024 ranks wrote files, usually 820 MB each: rank 517/);
      const rows = page.getByRole('grid', { name: 'Ranks' }).getByRole('row');
      assert.equal(await page.getByRole('grid', { name: 'Ranks' }).getAttribute('aria-rowcount'), '1025');
      assert.ok((await rows.count()) < 100);
      assert.match(await rows.nth(1).innerText(), /^517\s+336 MB\s+−59\.0 %\s+2026-03-14 15:09:26/);
      await keepPicture(page, 'ranks');
      await page.getByRole('grid', { name: 'Ranks' }).focus();
      await page.keyboard.press('End');
      await page.locator('[id="row-1023"]').getByText('1023', { exact: true }).waitFor();
      assert.ok((await rows.count()) < 100);
    },
  },
  {
    name: 'the strip says what each rank has, to the pointer and to the arrow keys, and leads to its files',
    async run({ open }) {
      const page = await open({ scenario: 'ranks' });
      await openTab(page, 'Ranks');
      assert.match(await textOf(page, 'stowage-rank-strip'), /820 MB 0/);
      assert.match((await valueText(page)) ?? '', /^rank 517: 336 MB in 1 file, 59\.0 % less than usual/);
      await strip(page).focus();
      for (const [key, rank] of [
        ['Home', 0],
        ['ArrowRight', 1],
        ['PageUp', 103],
        ['ArrowLeft', 102],
        ['End', 1023],
        ['ArrowRight', 1023],
      ] as const) {
        await page.keyboard.press(key);
        await nextFrames(page);
        assert.match((await valueText(page)) ?? '', new RegExp(`^rank ${rank}: `), key);
      }
      const box = await strip(page).boundingBox();
      assert.ok(box !== null);
      await page.mouse.move(box.x + (box.width * 200.5) / 1024, box.y + box.height - 5);
      await page.getByText('rank 200: 820 MB').waitFor();
      await page.mouse.click(box.x + (box.width * 517.5) / 1024, box.y + box.height - 5);
      await page.getByRole('tab', { name: 'Files', selected: true }).waitFor();
      assert.match(await textOf(page, 'stowage-files-view'), /1 of 1,024 files ?, 336 MB/);
      await page.getByText('__517_0.distcp').waitFor();
      await page.getByRole('button', { name: 'rank 517' }).click();
      await page.getByText('__0_0.distcp').waitFor({ state: 'detached' });
      assert.match(await textOf(page, 'stowage-files-view'), /(?<! of )1,024 files, /);
    },
  },
  {
    name: 'a run opens with its checkpoints, the newest first, and a checkpoint opens its own report',
    pictures: 'also',
    async run({ open, keepPicture }) {
      const page = await open({ scenario: 'run' });
      assert.equal((await tabNames(page))[0], 'Checkpoints');
      const rows = page.getByRole('grid', { name: 'Checkpoints of the run' }).getByRole('row');
      assert.deepEqual((await rows.allInnerTexts()).map((text) => text.split(/\s+/).slice(0, 4).join(' ')).slice(1), [
        'checkpoint-1500 1,500 60 GB',
        'checkpoint-1000 1,000 112 GB',
        'checkpoint-500 500 112 GB',
      ]);
      const text = await textOf(page, 'stowage-report');
      assert.match(text, /training run · Hugging Face Trainer/);
      assert.match(text, /3 checkpoints from step 500 to step 1,500, 1 unfinished:/);
      assert.match(text, /The newest that was finished is checkpoint-1000\./);
      assert.match(await rows.nth(1).innerText(), /unfinished/);
      assert.match(text, /best points to checkpoint-700 , which is missing/);
      await keepPicture(page, 'run');
      await page.getByRole('button', { name: 'checkpoint-500' }).press('Enter');
      await waitForRequest<{ path: string }>(page, 'inspectCheckpoint', ({ path }) => path === 'checkpoint-500');
      assert.equal((await requestsOf(page, 'inspectCheckpoint')).length, 1);
    },
  },
  {
    name: 'without ranks or checkpoints there is no tab of them',
    async run({ open }) {
      assert.deepEqual(await tabNames(await open({ scenario: 'empty' })), [
        'Components',
        'Files',
        'Tensors',
        'Objects',
        'Findings',
        'Imports',
      ]);
    },
  },
  {
    name: 'ranks and runs have their pictures',
    pictures: 'only',
    async run({ open, keepPicture }) {
      for (const theme of themeNames) {
        for (const width of [1280, 480]) {
          const ranks = await open({ scenario: 'ranks', theme, width });
          await openTab(ranks, 'Ranks');
          await strip(ranks).focus();
          await keepPicture(ranks, `ranks-${theme}-${width}`);
          await keepPicture(await open({ scenario: 'run', theme, width }), `run-${theme}-${width}`);
        }
      }
    },
  },
];
