/** Values of one tensor in its details, slices of it, and a scan of all: asked for, under way, cancelled, and what came of it. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { describeFindings } from '../../../src/core/findings/describeFindings.js';
import { scannedValues, type ScannedValues } from '../../../src/core/pages/values/scannedValues.js';
import type { ValuesReport } from '../../../src/core/values/valuesReport.js';
import { hostileTexts } from '../../builders/hostileReport.js';
import { damagedValues, tensorValues, valuesReport } from '../../builders/valuesReport.js';
import { themeNames } from '../page/themes.js';
import { graveViolationsInThemes } from './axe.js';
import { assertFits } from './fits.js';
import {
  assertShows,
  nextFrames,
  openTab,
  textOf,
  waitForRequest,
  type OpenOptions,
  type Spec,
  type SpecContext,
} from './spec.js';

const path = '/runs/checkpoint-300';

/** The details of the second tensor. */
async function openDetail(open: SpecContext['open'], options: OpenOptions): Promise<Page> {
  const page = await open(options);
  await openTab(page, 'Tensors');
  await page.locator('stowage-data-grid .table').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Read values' }).waitFor();
  return page;
}

async function startReading(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Read values' }).click();
  await page.getByRole('progressbar', { name: 'Values' }).waitFor();
}

async function openRead(open: SpecContext['open'], options: OpenOptions, report: ValuesReport): Promise<Page> {
  const page = await openDetail(open, options);
  await startReading(page);
  // The request is on its way to the host.
  await page.waitForFunction(() => window.fakeHost.endReading !== undefined);
  await page.evaluate((answer) => window.fakeHost.endReading?.(answer), report);
  await page.locator('stowage-tensor-values [role=status]').waitFor();
  await nextFrames(page);
  return page;
}

/** What a scan of two tensors found. */
function scanned(name = damagedValues().name): ScannedValues {
  const damaged = damagedValues({ name });
  const usual = tensorValues({ name: 'model.embed_tokens.weight' });
  const facts = { tensor: name, index: '[17, 2044]', nan: 3, inf: 1, count: damaged.count, component: 'weights' as const };
  const { path: file, offset } = damaged.first ?? { path: '', offset: 0 };
  const findings = describeFindings([{ code: 'values-not-finite', path: file, offset, facts }]);
  return scannedValues(valuesReport(path, [usual, damaged], { findings }));
}

async function openScanned(open: SpecContext['open'], options: OpenOptions, report = scanned()): Promise<Page> {
  const page = await open(options);
  await openTab(page, 'Integrity');
  await page.getByRole('button', { name: 'Scan values' }).click();
  await page.getByRole('progressbar', { name: 'Scan of values' }).waitFor();
  await page.evaluate((state) => window.fakeHost.send('values', state), { kind: 'done' as const, report });
  await page.getByText('NaN or Inf in 1 tensor of 2').waitFor();
  return page;
}

export const specs: Spec[] = [
  ...themeNames.flatMap((theme) =>
    [1400, 600].map(
      (width) =>
        ({
          name: `a scan of values looks as it should: ${theme} at ${width}`,
          pictures: 'only',
          async run({ open, keepPicture }) {
            const shown: OpenOptions = { scenario: 'sample', theme, width, height: 900 };
            const page = await open(shown);
            await openTab(page, 'Integrity');
            await keepPicture(page, `scan-ask-${theme}-${width}`, 'view');
            await page.getByRole('button', { name: 'Scan values' }).click();
            await page.getByRole('progressbar', { name: 'Scan of values' }).waitFor();
            await keepPicture(page, `scan-running-${theme}-${width}`, 'view');
            const done = await openScanned(open, shown);
            await done.locator('stowage-values-scan').evaluate((element) => element.scrollIntoView());
            await nextFrames(done);
            await keepPicture(done, `scan-done-${theme}-${width}`, 'view');
          },
        }) satisfies Spec,
    ),
  ),
  {
    name: 'a scan of values is asked for, shows how far it is, and is cancelled',
    async run({ open }) {
      const page = await open({ scenario: 'sample' });
      await openTab(page, 'Integrity');
      await page.getByRole('button', { name: 'Scan values' }).click();
      await waitForRequest(page, 'scanValues', () => true);
      await assertShows(page, 'stowage-values-scan', '28 GB of 112 GB');
      assert.equal(await page.getByRole('progressbar', { name: 'Scan of values' }).getAttribute('aria-valuenow'), '25');
      await page.locator('stowage-values-scan').getByRole('button', { name: 'Cancel' }).click();
      await waitForRequest(page, 'cancelValues', () => true);
      await page.getByRole('button', { name: 'Scan values' }).waitFor();
      await page.evaluate(() => window.fakeHost.send('values', { kind: 'failed', message: 'the thread ended' }));
      await assertShows(page, 'stowage-values-scan', 'Not scanned: the thread ended');
    },
  },
  {
    name: 'a scan of values has what is not finite first, and opens the file there',
    async run({ open }) {
      const page = await openScanned(open, { scenario: 'sample' });
      await assertShows(page, 'stowage-values-scan', '3 NaN and 1 Inf among 16,777,216 values');
      const [first] = (await page.locator('stowage-values-scan [role=row]').allTextContents()).slice(1);
      assert.match(first ?? '', /q_proj/);
      await page.locator('stowage-values-scan [role=row]').nth(1).dblclick();
      await waitForRequest<{ offsetBytes: number }>(page, 'openFile', ({ offsetBytes }) => offsetBytes === 152_536);
      await page.locator('stowage-values-scan').getByRole('button', { name: 'Copy as Markdown' }).click();
      await waitForRequest(page, 'copyValues', () => true);
    },
  },
  {
    name: 'names of tensors are shown as text where values were scanned',
    async run({ open }) {
      const page = await openScanned(open, { scenario: 'sample', foreignScript: true }, scanned(hostileTexts.image));
      assert.ok((await textOf(page, 'stowage-values-scan')).includes('<img'));
      assert.deepEqual(await page.evaluate(() => window.violations ?? []), []);
    },
  },
  {
    name: 'a scan of values fits any width, and axe finds nothing serious in it',
    async run({ open }) {
      await assertFits(await openScanned(open, { scenario: 'sample' }), 'scan of values');
      assert.deepEqual(await graveViolationsInThemes(await openScanned(open, { scenario: 'sample', foreignScript: true })), []);
    },
  },
  ...themeNames.flatMap((theme) =>
    [1400, 600].map(
      (width) =>
        ({
          name: `values of a tensor look as they should: ${theme} at ${width}`,
          pictures: 'only',
          async run({ open, keepPicture }) {
            const shown: OpenOptions = { scenario: 'sample', theme, width, height: 900 };
            const page = await openDetail(open, shown);
            await startReading(page);
            await keepPicture(page, `values-running-${theme}-${width}`, 'view');
            const done = await openRead(open, shown, valuesReport(path, [damagedValues()]));
            await keepPicture(done, `values-done-${theme}-${width}`, 'view');
            await done.getByRole('button', { name: 'Show the values around it' }).click();
            await done.getByRole('button', { name: 'Draw all of it as a heat map' }).click();
            const picture = done.getByRole('img', { name: /^Heat map/ });
            await picture.waitFor();
            await done.getByRole('group', { name: 'rows' }).evaluate((element) => element.scrollIntoView());
            await keepPicture(done, `values-slice-${theme}-${width}`, 'view');
            await picture.evaluate((element) => element.scrollIntoView());
            await keepPicture(done, `values-heat-${theme}-${width}`, 'view');
          },
        }) satisfies Spec,
    ),
  ),
  {
    name: 'values of a tensor are asked for, show how far they are, and are cancelled',
    async run({ open }) {
      const page = await openDetail(open, { scenario: 'sample' });
      await startReading(page);
      assert.deepEqual(await waitForRequest(page, 'readTensorValues', () => true), { row: 1 });
      await assertShows(page, 'stowage-tensor-values', '8.39 MB of 33.6 MB');
      assert.equal(await page.getByRole('progressbar', { name: 'Values' }).getAttribute('aria-valuenow'), '25');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Read values' }).waitFor();
      await waitForRequest(page, 'cancelTensorValues', () => true);
    },
  },
  {
    name: 'values of a tensor that are read while the panel is hidden are there when it is shown again',
    async run({ open }) {
      const page = await openDetail(open, { scenario: 'sample' });
      await startReading(page);
      await page.reload();
      await page.getByRole('button', { name: 'Read values' }).waitFor();
      const running = { row: 1, state: { kind: 'running' as const, progress: { bytesRead: 1, totalBytes: 2 } } };
      await page.evaluate((state) => window.fakeHost.send('tensorValues', state), running);
      await page.getByRole('progressbar', { name: 'Values' }).waitFor();
      const done = { row: 1, state: { kind: 'done' as const, report: valuesReport(path, [damagedValues()]) } };
      await page.evaluate((state) => window.fakeHost.send('tensorValues', state), done);
      await assertShows(page, 'stowage-tensor-values', '3 NaN and 1 Inf among 16,777,216 values.');
      await openTab(page, 'Files');
      await openTab(page, 'Tensors');
      await assertShows(page, 'stowage-tensor-values', '3 NaN and 1 Inf among 16,777,216 values.');
      await page.getByRole('button', { name: 'Close the details' }).click();
      await page.reload();
      await page.locator('[id="row-0"] bdi').first().waitFor();
      assert.equal(await page.locator('stowage-tensor-detail').count(), 0);
    },
  },
  {
    name: 'values of a tensor are numbers and a histogram, whose counts are a table as well',
    async run({ open }) {
      const page = await openRead(open, { scenario: 'sample' }, valuesReport(path, [damagedValues()]));
      await assertShows(page, 'stowage-tensor-values', '3 NaN and 1 Inf among 16,777,216 values.', '[17, 2044]', '0.030273');
      const chart = page.getByRole('img', {
        name: /^Histogram of 16,777,212 finite values from −0\.28711 to 0\.29102 in 64 bins/,
      });
      await chart.waitFor();
      await page.getByRole('slider', { name: 'Values of Histogram' }).focus();
      await page.keyboard.press('End');
      await assertShows(page, 'stowage-tensor-values', '0.282 to 0.291');
      await page.getByRole('button', { name: /^Show as table/ }).click();
      await page.getByRole('rowheader', { name: '−0.28711' }).waitFor();
      await page.getByRole('button', { name: 'Open the file there' }).click();
      await waitForRequest<{ offsetBytes: number }>(page, 'openFile', ({ offsetBytes }) => offsetBytes === 152_536);
    },
  },
  {
    name: 'a slice of a tensor is a grid that is paged by inputs and arrows, and NaN in it is said',
    async run({ open }) {
      const page = await openDetail(open, { scenario: 'sample' });
      await page.getByRole('button', { name: 'Show a slice' }).click();
      const shown = { row: 1, index: [0, 0], rows: 16, columns: 8 };
      assert.deepEqual(await waitForRequest(page, 'tensorGrid', () => true), shown);
      await page.getByText('Rows 0 to 15, columns 0 to 7.').waitFor();
      assert.equal(await page.locator('stowage-tensor-slice tbody tr').count(), 16);
      assert.ok(await page.getByRole('button', { name: 'Previous rows' }).isDisabled());
      await page.getByRole('button', { name: 'Next rows' }).click();
      await page.getByText('Rows 16 to 31, columns 0 to 7.').waitFor();
      const columns = page.getByRole('group', { name: 'columns' });
      await columns.getByLabel('columns from').fill('2042');
      await columns.getByLabel('columns from').press('Enter');
      await page.getByText('Rows 16 to 31, columns 2,042 to 2,049.').waitFor();
      assert.equal(await page.locator('stowage-tensor-slice .odd').innerText(), 'NaN');
      await columns.getByLabel('count').fill('99');
      await columns.getByLabel('count').press('Enter');
      await page.getByText('Rows 16 to 31, columns 2,042 to 2,057.').waitFor();
      await columns.getByLabel('columns from').fill('-3');
      await columns.getByLabel('columns from').press('Enter');
      await page.getByText('Rows 16 to 31, columns 0 to 15.').waitFor();
      await page.getByRole('button', { name: 'Draw all of it as a heat map' }).click();
      const picture = page.getByRole('img', { name: /^Heat map of 4,096 rows and 4,096 columns\. Drawn is every 32nd row/ });
      assert.ok((await picture.locator('path').count()) <= 17);
      await page.getByText('16,384 of 16,777,216 values').waitFor();
    },
  },
  {
    name: 'a slice begins around the first value that is not finite, and one that cannot be shown says why',
    async run({ open }) {
      const page = await openRead(open, { scenario: 'sample' }, valuesReport(path, [damagedValues()]));
      await page.getByRole('button', { name: 'Show the values around it' }).click();
      await page.getByText('Rows 14 to 29, columns 2,041 to 2,048.').waitFor();
      await page.evaluate((why) => (window.fakeHost.noSlice = why), `No slice: ${hostileTexts.image}`);
      await page.getByRole('button', { name: 'Next columns' }).click();
      await page.getByText('No slice: <img').waitFor();
    },
  },
  {
    name: 'another tensor has other values, and what is not read says why',
    async run({ open }) {
      const page = await openRead(open, { scenario: 'sample' }, valuesReport(path, [tensorValues()]));
      await assertShows(page, 'stowage-tensor-values', 'No NaN and no Inf among 16,777,216 values.');
      await page.locator('stowage-data-grid .table').focus();
      await page.keyboard.press('ArrowDown');
      await page.getByRole('button', { name: 'Read values' }).waitFor();
      await startReading(page);
      const missing = { name: 'w', dtype: 'q8_k', bytes: 9, code: 'dtype' as const, detail: 'q8_k' };
      await page.waitForFunction(() => window.fakeHost.endReading !== undefined);
      await page.evaluate((answer) => window.fakeHost.endReading?.(answer), valuesReport(path, [], { notRead: [missing] }));
      await page.getByText('Not read: values of its type are not known (q8_k).').waitFor();
    },
  },
  {
    name: 'texts of files are shown as text where values are',
    async run({ open }) {
      const first = { index: null, path: hostileTexts.image, offset: 8 };
      const report = valuesReport(path, [damagedValues({ first })]);
      const page = await openRead(open, { scenario: 'sample', foreignScript: true }, report);
      assert.ok((await textOf(page, 'stowage-tensor-values')).includes('<img'));
      assert.deepEqual(await page.evaluate(() => window.violations ?? []), []);
    },
  },
  {
    name: 'values of a tensor fit any width, and axe finds nothing serious in them',
    async run({ open }) {
      const report = valuesReport(path, [damagedValues()]);
      const page = await openRead(open, { scenario: 'sample' }, report);
      await page.getByRole('button', { name: 'Show the values around it' }).click();
      await page.getByRole('button', { name: 'Draw all of it as a heat map' }).click();
      await page.getByRole('img', { name: /^Heat map/ }).waitFor();
      // The details lie on the table, which is looked at elsewhere.
      await page.locator('stowage-data-grid').evaluate(({ style }: HTMLElement) => (style.visibility = 'hidden'));
      await assertFits(page, 'values');
      const other = await openRead(open, { scenario: 'sample', foreignScript: true }, report);
      await other.getByRole('button', { name: 'Show the values around it' }).click();
      await other.getByRole('button', { name: 'Draw all of it as a heat map' }).click();
      await other.getByRole('img', { name: /^Heat map/ }).waitFor();
      assert.deepEqual(await graveViolationsInThemes(other), []);
    },
  },
];
