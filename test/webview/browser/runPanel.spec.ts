/** The panel of runs: what is shown of a directory, what a click opens, and that it follows a run. */
import assert from 'node:assert/strict';
import { runScenarios } from '../page/runScenarios.js';
import { themeNames } from '../page/themes.js';
import { graveViolationsInThemes } from './axe.js';
import { assertFits } from './fits.js';
import { assertShows, textOf, type Spec, waitForRequest } from './spec.js';

export const specs: Spec[] = [
  ...themeNames.flatMap((theme) =>
    [1400, 600].map(
      (width) =>
        ({
          name: `saves look as they should: ${theme} at ${width}`,
          pictures: 'only',
          async run({ open, keepPicture }) {
            for (const scenario of ['saves', 'saves-of-runs'] as const)
              await keepPicture(await open({ scenario, theme, width, height: 900 }), `${scenario}-${theme}-${width}`, 'view');
          },
        }) satisfies Spec,
    ),
  ),
  {
    name: 'every odd list of saves has its picture',
    pictures: 'only',
    async run({ open, keepPicture }) {
      for (const scenario of ['saves-followed', 'saves-copied', 'saves-of-two', 'saves-none', 'saves-failed'] as const)
        await keepPicture(await open({ scenario, width: 1100 }), scenario);
    },
  },
  ...runScenarios.map(
    (scenario) =>
      ({
        name: `nothing overlaps or scrolls sideways at any width: ${scenario}`,
        async run({ open }) {
          await assertFits(await open({ scenario }), scenario);
        },
      }) satisfies Spec,
  ),
  {
    name: 'a run says what matters first, and what it rests on',
    async run({ open }) {
      const page = await open({ scenario: 'saves' });
      await assertShows(page, 'stowage-headline', 'checkpoint-5200 lacks files', 'no', 'opened');
      await assertShows(page, 'stowage-run-view .said', '41 minutes after the others', 'went back from step 5,000', '1.91 GB/s');
      assert.equal(await page.locator('stowage-chart').count(), 4);
    },
  },
  {
    name: 'times that a copy lost give no rate',
    async run({ open }) {
      const page = await open({ scenario: 'saves-copied' });
      await assertShows(page, 'stowage-run-view', 'All have the same time');
      assert.equal(await page.locator('stowage-chart').count(), 1);
    },
  },
  {
    name: 'a save of a run opens, and its buttons ask for a plan and a check',
    async run({ open }) {
      const page = await open({ scenario: 'saves' });
      await page.getByRole('button', { name: 'checkpoint-4800' }).click();
      await waitForRequest<{ path: string }>(page, 'inspectCheckpoint', ({ path }) => path === 'checkpoint-4800');
      await page.getByRole('button', { name: 'Plan storage' }).click();
      assert.deepEqual(await waitForRequest(page, 'plan', () => true), { path: '', names: null });
      await page.getByRole('button', { name: 'Check bandwidth' }).click();
      await waitForRequest(page, 'checkBandwidth', () => true);
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('menuitem', { name: 'Copy as Markdown' }).click();
      await page.getByText('Copied: the saves as Markdown').waitFor();
    },
  },
  {
    name: 'of several runs one opens',
    async run({ open }) {
      const page = await open({ scenario: 'saves-of-runs' });
      await assertShows(page, 'stowage-headline', '3 runs');
      await page.getByRole('button', { name: 'ablations/small' }).click();
      assert.deepEqual(await waitForRequest(page, 'openRun', () => true), { path: 'ablations/small' });
    },
  },
  {
    name: 'of two runs in one directory each opens in the same panel, and has its plan',
    async run({ open }) {
      const page = await open({ scenario: 'saves-of-two' });
      await assertShows(page, 'stowage-headline', '2 runs');
      await page.getByRole('button', { name: 'hf_step_…' }).click();
      await assertShows(page, 'stowage-run-view', 'hf_step_…', '3 checkpoints');
      await page.getByRole('button', { name: 'Plan storage' }).click();
      assert.deepEqual(await waitForRequest(page, 'plan', () => true), { path: '', names: 'hf_step_…' });
      await page.getByRole('button', { name: 'All runs here' }).click();
      await page.getByRole('button', { name: 'checkpoint-…' }).click();
      await assertShows(page, 'stowage-headline', 'checkpoint-5200 lacks files');
    },
  },
  {
    name: 'a run is followed until that is taken back',
    async run({ open }) {
      const page = await open({ scenario: 'saves' });
      await page.getByRole('button', { name: 'Follow', exact: true }).click();
      await page.getByRole('button', { name: 'Stop following' }).waitFor();
      await assertShows(page, 'stowage-run-view .said', 'Saving step 5,200: 14');
      await page.evaluate(() => window.fakeHost.send('runs' as never, null as never));
      await page.locator('stowage-headline').getByText('Rank').waitFor();
      assert.ok(!(await textOf(page, 'stowage-run-view')).includes('checkpoint-5200'));
      await page.getByRole('button', { name: 'Stop following' }).click();
      await waitForRequest<{ isFollowed: boolean }>(page, 'follow', ({ isFollowed }) => !isFollowed);
    },
  },
  {
    name: 'a directory without runs, and one that cannot be listed, are said in words',
    async run({ open }) {
      await assertShows(await open({ scenario: 'saves-none' }), 'stowage-headline', 'No checkpoints of a run are here');
      await assertShows(await open({ scenario: 'saves-failed' }), 'stowage-headline', 'could not be listed', 'EACCES');
    },
  },
  {
    name: 'axe finds nothing serious in runs',
    async run({ open }) {
      for (const scenario of ['saves', 'saves-of-runs'] as const)
        assert.deepEqual(await graveViolationsInThemes(await open({ scenario, foreignScript: true })), [], scenario);
    },
  },
];
