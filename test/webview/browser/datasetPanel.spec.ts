import assert from 'node:assert/strict';
import { hostileTexts } from '../../builders/hostileReport.js';
import { focusedElement } from './focus.js';
import { clippedCells, nextFrames, openTab, requestsOf, tabNames, textOf, waitForRequest, type Spec } from './spec.js';

export const specs: Spec[] = [
  {
    name: 'a dataset: the answer, the bar, the cards and the tabs',
    async run({ open }) {
      const page = await open({ scenario: 'dataset' });
      assert.match(
        await textOf(page, 'stowage-headline'),
        /^2 notes\. .* 170,917,888 tokens in 83,456 samples\. 344 MB .*uint16, 2 bytes each/,
      );
      assert.match(
        await textOf(page, 'stowage-report-header'),
        /MosaicML streaming \(MDS\) · mosaicml-streaming 0\.13\.0 · 12 shards · 2 splits/,
      );
      assert.deepEqual(await tabNames(page), [
        'Columns',
        'Shards',
        'Splits',
        'Lengths',
        'Read load',
        'Files',
        'Findings',
        'Facts',
        'Integrity',
      ]);
      await page.getByRole('button', { name: /^tokens, 175 MB, 50\.9 %: show the columns$/ }).click();
      await page.getByRole('tab', { name: /^Columns/, selected: true }).waitFor();
      await page.getByRole('grid', { name: 'Columns' }).getByText('attention_mask').waitFor();
    },
  },
  {
    name: 'a dataset: each number opens where it comes from, and Escape closes it',
    async run({ open }) {
      const page = await open({ scenario: 'dataset-text' });
      const region = page.getByRole('region', { name: 'Where this comes from' });
      const button = page.getByRole('button', { name: 'Tokens: where this comes from' });
      await button.click();
      await region.getByText('400 windows at random places were tokenized with tokenizer.json').waitFor();
      await region.getByRole('row', { name: /uint16 .*2\.1 TB 2\.04 TB 2\.16 TB vocabularies of at most/ }).waitFor();
      assert.equal(await button.getAttribute('aria-expanded'), 'true');
      await page.keyboard.press('Escape');
      await region.waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Bytes of text a token: where' }).click();
      await region.getByText('3.1 MB of this text, tokenized with tokenizer.json').waitFor();
    },
  },
  {
    name: 'a dataset: an estimate is marked as one, an exact number is not',
    async run({ open }) {
      const estimated = await open({ scenario: 'dataset-text' });
      assert.equal(await estimated.locator('stowage-dataset-cards .assumed').count(), 3);
      const exact = await open({ scenario: 'dataset' });
      // The padding alone is estimated.
      assert.equal(await exact.locator('stowage-dataset-cards .assumed').count(), 1);
    },
  },
  {
    name: 'a dataset: odd shards are marked and can be shown alone, a shard opens its file',
    async run({ open }) {
      const page = await open({ scenario: 'dataset' });
      await openTab(page, 'Shards');
      await page.getByRole('gridcell', { name: '0.06 × the median' }).waitFor();
      await page.getByRole('button', { name: 'odd ones: 1' }).click();
      await nextFrames(page);
      assert.equal(await page.getByRole('grid').getAttribute('aria-rowcount'), '2');
      await page.getByRole('grid').focus();
      await page.keyboard.press('Enter');
      const file = await waitForRequest<{ path: string }>(page, 'openFile', () => true);
      assert.equal(file.path, 'train/shard.00004.mds.zstd');
    },
  },
  {
    name: 'a dataset: a hundred thousand shards sort and scroll with a page of rows in the document',
    async run({ open }) {
      const page = await open({ scenario: 'dataset-huge' });
      await openTab(page, 'Shards');
      await page.getByRole('button', { name: 'bytes', exact: true }).click();
      await page.getByRole('button', { name: 'bytes', exact: true }).click();
      await page.getByRole('gridcell', { name: 'empty' }).first().waitFor();
      await page.getByRole('grid').focus();
      await page.keyboard.press('End');
      await page.locator('[id="row-99999"]').waitFor();
      assert.ok((await page.locator('stowage-data-grid .window .row').count()) < 80);
    },
  },
  {
    name: 'a dataset: lengths that were left out are read on request',
    async run({ open }) {
      const page = await open({ scenario: 'dataset-huge' });
      await openTab(page, 'Lengths');
      await page.getByRole('button', { name: 'Read all lengths' }).click();
      await waitForRequest<{ allLengths?: boolean }>(page, 'refresh', ({ allLengths }) => allLengths === true);
    },
  },
  {
    name: 'a dataset: raw text that was not tokenized offers to choose a tokenizer, and says why the one there was not used',
    pictures: 'also',
    async run({ open, keepPicture }) {
      const page = await open({ scenario: 'dataset-untokenized', width: 480 });
      await page.getByText('The tokenizer was not used: odd/tokenizer.json: it has no vocabulary.').waitFor();
      await keepPicture(page, 'dataset-untokenized');
      await page.getByRole('button', { name: 'Choose a tokenizer.json…' }).click();
      await page.getByText('A sample was tokenized with tokenizer.json.').waitFor();
      await page.getByRole('button', { name: 'Choose another tokenizer.json…' }).waitFor();
    },
  },
  {
    name: 'sampling says how many places it has looked at',
    async run({ open }) {
      const page = await open({ scenario: 'loading' });
      await page.evaluate(() =>
        window.fakeHost.send('progress', {
          filesDone: 3,
          filesTotal: 3,
          bytesRead: 402_113,
          file: 'part-2.jsonl',
          sampling: { placesDone: 34, placesTotal: 128 },
        }),
      );
      await page.getByText('Sampling text: 34 of 128 places').first().waitFor();
      assert.equal(await page.getByRole('progressbar').getAttribute('aria-valuenow'), '34');
    },
  },
  {
    name: 'a dataset: the list of shards clips nothing of an odd one',
    async run({ open }) {
      const page = await open({ scenario: 'dataset' });
      await openTab(page, 'Shards');
      const row = page.getByRole('row', { name: /shard\.00004/ });
      await row.getByText('0.06 × the median').waitFor();
      assert.deepEqual(await clippedCells(row), []);
    },
  },
  {
    name: 'a dataset: lengths are a picture with words and a table',
    async run({ open }) {
      const page = await open({ scenario: 'dataset' });
      await openTab(page, 'Lengths');
      await page.getByRole('img', { name: /^Histogram\. 83,456 samples of 0 to 2,048 tokens, mean 871\.4/ }).waitFor();
      await page.getByRole('button', { name: 'Show as table' }).click();
      await page
        .getByRole('table', { name: 'Samples by length' })
        .getByRole('row', { name: /^0 12 < 0\.1 %$/ })
        .waitFor();
    },
  },
  {
    name: 'a dataset: the read load answers what is typed, and keeps it over a reload',
    async run({ open }) {
      const page = await open({ scenario: 'dataset' });
      await openTab(page, 'Read load');
      await page.getByLabel('Speed of the whole job').fill('2.69M');
      await page.getByLabel('Sequence length').fill('8192');
      const answers = page.getByRole('region', { name: 'What it reads' });
      await answers.getByText('5.38 MB/s', { exact: true }).waitFor();
      await answers.getByText('328 a second').waitFor();
      await answers.getByText('16.4 kB', { exact: true }).waitFor();
      await page.getByLabel('Tokens to train on').fill('many');
      await answers.getByText('Correct the numbers').waitFor();
      assert.equal(await page.getByLabel('Tokens to train on').getAttribute('aria-invalid'), 'true');
      await page.getByLabel('Tokens to train on').fill('');
      await answers.getByText('5.38 MB/s', { exact: true }).waitFor();
      assert.equal(await answers.getByText('epochs').count(), 0);
      await page.reload();
      await answers.getByText('328 a second').waitFor();
    },
  },
  {
    name: 'a dataset: the keyboard reaches the tabs, the plan and leaves it again',
    async run({ open }) {
      const page = await open({ scenario: 'dataset' });
      await page.getByRole('tab', { name: /^Columns/ }).focus();
      for (let tab = 0; tab < 4; tab += 1) await page.keyboard.press('ArrowRight');
      await page.getByRole('tab', { name: 'Read load', selected: true }).waitFor();
      await nextFrames(page);
      const reached: string[] = [];
      for (let step = 0; step < 4; step += 1) {
        await page.keyboard.press('Tab');
        const focused = await focusedElement(page);
        reached.push(await focused.evaluate(({ id }) => id));
      }
      assert.deepEqual(reached.slice(0, 3), ['tokensPerSecond', 'sequenceLength', 'trainingTokens']);
      assert.notEqual(reached[3], 'trainingTokens');
    },
  },
  {
    name: 'a dataset: exports have no tensors',
    async run({ open }) {
      const page = await open({ scenario: 'dataset' });
      await page.getByRole('button', { name: 'Export' }).click();
      assert.equal(await page.getByRole('menuitem').count(), 2);
      await page.getByRole('menuitem', { name: 'Copy as Markdown' }).click();
      await waitForRequest(page, 'copyMarkdown', () => true);
      assert.equal((await requestsOf(page, 'tensorFacets')).length, 0);
    },
  },
  {
    name: 'a dataset: hostile names stay text on every tab',
    async run({ open }) {
      const page = await open({ scenario: 'dataset-hostile' });
      for (const tab of await tabNames(page)) {
        await openTab(page, tab);
        const text = await textOf(page, 'stowage-report');
        // oxlint-disable-next-line no-control-regex -- that none is there is what is tested
        assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069\u0000-\u0008]/, tab);
        assert.equal(await page.evaluate(() => 'hacked' in window), false, tab);
        assert.equal(await page.locator('img').count(), 0, tab);
      }
      await openTab(page, 'Facts');
      await page.getByText(hostileTexts.image).first().waitFor();
    },
  },
  {
    name: 'a dataset of nothing says so',
    async run({ open }) {
      const page = await open({ scenario: 'dataset-empty' });
      await page.getByRole('note').getByText('The 1 file here is empty').waitFor();
      assert.deepEqual(await tabNames(page), ['Columns', 'Files', 'Findings']);
    },
  },
];
