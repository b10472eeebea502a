import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { CheckProgress } from '../../../src/core/bandwidth/measurement.js';
import type { BandwidthPanelRequests } from '../../../src/protocol/messages.js';
import { bandwidthReport, checkProgress } from '../../builders/bandwidthCheck.js';
import { bandwidthScenarios, course, type BandwidthScenario } from '../page/bandwidthScenarios.js';
import { themeNames } from '../page/themes.js';
import { allViolationsInThemes } from './axe.js';
import { assertFits } from './fits.js';
import { assertReachedInOrder, namesReachedByTab } from './focus.js';
import { deceptive, look } from './lookAtTexts.js';
import { assertShows, nextFrames, requestsOf, textOf, waitForRequest, type Spec } from './spec.js';

type Params<K extends keyof BandwidthPanelRequests> = Parameters<BandwidthPanelRequests[K]>[0];

const replayOf = '/data/runs/llama-8b/global_step10';

async function send(page: Page, event: 'progress' | 'done' | 'failed' | 'history', payload: unknown): Promise<void> {
  await page.evaluate(([name, value]) => window.fakeHost.send(name as never, value as never), [event, payload] as const);
  await nextFrames(page);
}

function startButton(page: Page) {
  return page.getByRole('button', { name: 'Start check' });
}

async function previewShown(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'What will be written' }).waitFor();
}

/** Types a text into a setting and waits until the answer is of it. */
async function type(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name: label, exact: true }).fill(text);
  await nextFrames(page);
}

const progressOf = (changes: Partial<CheckProgress>): CheckProgress =>
  checkProgress({ done: 2e9, total: 4 * 2 ** 30, bytesPerSecond: 2.1e9, ...changes });

/** Waits for what a state shows last. */
async function stateShown(page: Page, scenario: BandwidthScenario): Promise<void> {
  if (scenario.endsWith('running')) await page.getByRole('button', { name: 'Cancel' }).waitFor();
  else if (scenario.endsWith('done')) await page.getByRole('heading', { name: 'Where and how' }).waitFor();
  else if (/refused|unreadable|failed|cancelled|not-removed/.test(scenario)) await page.getByRole('alert').waitFor();
  else await startButton(page).waitFor();
  await nextFrames(page);
}

/** States whose pictures are looked at in every theme. */
const pictured = ['bandwidth', 'bandwidth-more', 'bandwidth-more-running', 'bandwidth-done', 'bandwidth-more-done'] as const;

export const specs: Spec[] = [
  {
    name: 'bandwidth: the rates stand first, the one that decides against what is needed, in three states',
    async run({ open }) {
      const page = await open({ scenario: 'bandwidth-done' });
      const tiles = page.locator('stowage-check-result .tile');
      assert.equal(await tiles.count(), 2);
      assert.match(await tiles.first().innerText(), /write\s+2\.1 GB\/s\s+may be enough: needs 311 MB\/s/);
      await tiles.first().locator('vscode-icon[name="warning"]').waitFor();
      const box = await tiles.first().boundingBox();
      assert.ok(box !== null && box.y < 100);
      await page.getByText('May be enough: saving these 112 GB takes about 53.3 s').first().waitFor();
      await page.getByText('4.29 GB of 112 GB written: 3.8 %.').first().waitFor();
      await page.getByRole('button', { name: 'Measure sustained rate' }).waitFor();
      const report = bandwidthReport({ replayOf, intervalSeconds: 60 });
      await page.evaluate((payload) => window.fakeHost.send('done' as never, payload as never), { report });
      await tiles.first().locator('vscode-icon[name="error"]').waitFor();
      assert.match(await tiles.first().innerText(), /too slow: needs 18\.7 GB\/s/);
      assert.equal(await page.getByRole('button', { name: 'Measure sustained rate' }).count(), 0);
    },
  },
  {
    name: 'bandwidth: an answer that a burst leaves open leads to the sustained rate, which starts once its bounds are seen',
    async run({ open }) {
      const page = await open({ scenario: 'bandwidth-done' });
      await page.getByRole('button', { name: 'Measure sustained rate' }).click();
      await page.getByText('Last, the sustained rate').waitFor();
      assert.ok(await page.getByRole('checkbox', { name: /the sustained rate/ }).isChecked());
      assert.deepEqual(await requestsOf(page, 'start'), []);
    },
  },
  {
    name: 'bandwidth: a sweep leads to its number of streams, a sustained rate decides, both with their charts',
    pictures: 'also',
    async run({ open, keepPicture }) {
      const page = await open({ scenario: 'bandwidth-more-done' });
      const tiles = page.locator('stowage-check-result .tile');
      assert.equal(await tiles.count(), 3);
      assert.doesNotMatch(await tiles.nth(0).innerText(), /needs/);
      assert.match(await tiles.nth(1).innerText(), /write, sustained\s+680 MB\/s\s+enough: needs 311 MB\/s/);
      await tiles.nth(1).locator('vscode-icon[name="pass"]').waitFor();
      await assertShows(
        page,
        'stowage-check-result',
        'Use 4 streams: 2.06 GB/s past the cache, 93.6 % of the 2.2 GB/s with 8.',
        'Sustained: falls from 2.05 GB/s to 680 MB/s after 127 GB',
        'never more than 4.29 GB at once; ended as the rate had fallen and settled.',
      );
      assert.equal(await page.getByRole('heading', { name: 'Caveats' }).count(), 0);
      const walk = page.getByRole('slider', { name: 'Values of Write rate by number of streams' });
      await walk.focus();
      await page.keyboard.press('Home');
      assert.equal(
        await walk.getAttribute('aria-valuetext'),
        '1: past the cache 620 MB/s, through the cache and synced 496 MB/s',
      );
      await page.getByRole('slider', { name: 'Values of Write rate over time' }).waitFor();
      await keepPicture(page, 'bandwidth-more-result');
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Save as Markdown…' }).click();
      const saved = await waitForRequest<Params<'save'>>(page, 'save', ({ what }) => what === 'report.md');
      assert.deepEqual(
        saved.charts.map(({ name }) => name),
        ['repeats.svg', 'sweep.svg', 'sustained.svg'],
      );
      assert.ok(saved.text.includes(`](${saved.folder}/sweep.svg)`));
      await page.getByRole('button', { name: 'Check with 4 streams' }).click();
      const { settings } = await waitForRequest<Params<'preview'>>(page, 'preview', () => true);
      assert.deepEqual([settings.streams, settings.sweepStreams, settings.isSustained], [4, null, true]);
      await page.getByText('by 4 streams').first().waitFor();
    },
  },
  {
    name: 'bandwidth: a sweep and a sustained rate are asked for with their bounds, which the preview repeats',
    async run({ open }) {
      const page = await open({ scenario: 'bandwidth' });
      await previewShown(page);
      await page.getByRole('checkbox', { name: /other numbers of streams/ }).check();
      await page.getByText('1, 2, 4, 8 and 16 streams write and sync').waitFor();
      for (const [text, problem] of [
        ['1, two', 'Write numbers with commas, like 1, 2, 4, 8.'],
        ['0, 1', 'A sweep takes numbers of streams from 1 to 128.'],
        ['4', 'A sweep takes at least two numbers of streams.'],
      ] as const) {
        await type(page, 'Streams of the sweep', text);
        await page.getByText(problem).waitFor();
        assert.ok(await startButton(page).isDisabled(), text);
      }
      await type(page, 'Streams of the sweep', '8, 2,4');
      await page.getByText('2, 4 and 8 streams write and sync').waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('checkbox', { name: /the sustained rate/ }).check();
      await type(page, 'Bytes, at most', '50 GB');
      await page.getByText('at most 50 GB and 5 minutes').waitFor();
      // What is wrong and then not asked for stands in nobody’s way.
      await type(page, 'Duration, at most', 'long');
      assert.ok(await startButton(page).isDisabled());
      await page.getByRole('checkbox', { name: /the sustained rate/ }).uncheck();
      await page.getByText('Last, the sustained rate').waitFor({ state: 'detached' });
      await page.locator('button.primary:not([disabled])').click();
      const { settings } = await waitForRequest<Params<'start'>>(page, 'start', () => true);
      assert.deepEqual([settings.sweepStreams, settings.isSustained, settings.sustainedBytes], [[2, 4, 8], false, 50e9]);
    },
  },
  {
    name: 'bandwidth: a sustained rate shows how far it is, by its time',
    async run({ open }) {
      const page = await open({ scenario: 'bandwidth-more-running' });
      await page.getByRole('heading', { name: 'Measuring the sustained rate' }).waitFor();
      const share = Number(await page.getByRole('progressbar', { name: 'The whole check' }).getAttribute('aria-valuenow'));
      assert.ok(share > 60 && share < 80, `${share}`);
      await page.getByText('of 300 GB').waitFor();
    },
  },
  {
    name: 'bandwidth: one bar runs over the whole check, with Cancel beside it',
    async run({ open }) {
      const page = await open({ scenario: 'bandwidth-running' });
      const bar = page.getByRole('progressbar', { name: 'The whole check' });
      const [track, cancel] = await Promise.all([bar.boundingBox(), page.getByRole('button', { name: 'Cancel' }).boundingBox()]);
      assert.ok(track !== null && cancel !== null && cancel.y < track.y && track.y < 140);
      const share = Number(await bar.getAttribute('aria-valuenow'));
      assert.ok(share > 30 && share < 50, `${share}`);
    },
  },
  {
    name: 'bandwidth: repeats that will be too short are named before the check starts',
    async run({ open }) {
      const page = await open({ scenario: 'bandwidth' });
      assert.equal(await page.getByText('too short to tell the bandwidth').count(), 0);
      await page.getByRole('textbox', { name: 'Space, at most' }).fill('20 MB');
      await page.getByText('too short to tell the bandwidth').waitFor();
    },
  },
  {
    name: 'bandwidth: before it starts the page says exactly what is written where, and what lies under it',
    async run({ open }) {
      const page = await open({ scenario: 'bandwidth' });
      await previewShown(page);
      await assertShows(
        page,
        'stowage-check-preview',
        'into a new folder in /data/runs',
        'Written, synced, read back, removed; 3 times. Then 1,000 small files',
        'At most 30 s',
        'of the 112 GB in 10 files of /data/runs/llama-8b/global_step10',
        'Never more than 4.29 GB at once',
        'removed at the end, also when the check is cancelled or fails',
        'ext4 mounted at /data from /dev/nvme0n1',
        'rw, relatime',
        '1 TB of 4 TB',
        'a disk of this node',
      );
      assert.deepEqual(await requestsOf(page, 'start'), []);
    },
  },
  {
    name: 'bandwidth: each change of a setting asks anew what would be written, and the start waits for the answer',
    async run({ open }) {
      const page = await open({ scenario: 'bandwidth' });
      await previewShown(page);
      // The first answer never comes: it is waited for until the next change asks anew.
      await page.evaluate(() => (window.fakeHost.delayMs = 1e8));
      await type(page, 'Space, at most', '1 GB');
      await waitForRequest<Params<'preview'>>(page, 'preview', (asked) => asked.settings.spaceBytes === 1e9);
      assert.ok(await startButton(page).isDisabled());
      await page.evaluate(() => (window.fakeHost.delayMs = 0));
      await type(page, 'Streams', '4');
      await page.getByText('by 4 streams').waitFor();
      await page.getByText('Never more than 1 GB at once').waitFor();
      await type(page, 'Time, at most', '2 min');
      await page.getByText('At most 120 s').waitFor();
      await type(page, 'Interval of saves', '30');
      const { settings } = await waitForRequest<Params<'preview'>>(
        page,
        'preview',
        (asked) => asked.settings.intervalSeconds === 1800,
      );
      assert.deepEqual(settings, {
        target: '/data/runs',
        replayOf,
        sizeBytes: null,
        streams: 4,
        blockBytes: null,
        seconds: 120,
        repeats: 3,
        spaceBytes: 1e9,
        intervalSeconds: 1800,
        sweepStreams: null,
        isSustained: false,
        sustainedBytes: null,
        sustainedSeconds: null,
      });
      await page.locator('button.primary:not([disabled])').waitFor();
    },
  },
  {
    name: 'bandwidth: what is no value says so and nothing starts before it is mended',
    async run({ open }) {
      const page = await open({ scenario: 'bandwidth' });
      await previewShown(page);
      for (const [label, text, problem] of [
        ['Streams', 'many', 'This is no amount. Write it like 16,384 or 405B.'],
        ['Streams', '1000', 'It must be at most 128'],
        ['Repeats', '0', 'It must be at least 1'],
        ['Space, at most', '1 B', 'It must be at least 0.000004096 GB.'],
      ] as const) {
        await type(page, label, text);
        await page.getByText(problem).waitFor();
        assert.ok(await startButton(page).isDisabled(), text);
        await type(page, label, '2');
        await page.locator('button.primary:not([disabled])').waitFor();
      }
      assert.deepEqual(await requestsOf(page, 'start'), []);
    },
  },
  {
    name: 'bandwidth: a size takes the place of a checkpoint and back, and others can be chosen',
    async run({ open }) {
      const page = await open({ scenario: 'bandwidth' });
      await previewShown(page);
      await page.getByLabel('a size, in files of equal size').check();
      await type(page, 'Size of a save', '112 GB');
      const sized = await waitForRequest<Params<'preview'>>(page, 'preview', ({ settings }) => settings.sizeBytes === 112e9);
      assert.equal(sized.settings.replayOf, null);
      await page.getByLabel(/this checkpoint:/).check();
      await page.getByText(`files of ${replayOf}`).waitFor();
      await page.getByRole('button', { name: 'Another checkpoint…' }).click();
      await waitForRequest<Params<'preview'>>(page, 'preview', ({ settings }) => settings.replayOf === '/scratch/runs/step-20');
      await page.getByRole('button', { name: 'Another directory…' }).click();
      await page.getByText('into a new folder in /scratch/runs').waitFor();
    },
  },
  {
    name: 'bandwidth: without a checkpoint the choice of one asks for it',
    async run({ open }) {
      const page = await open({ scenario: 'bandwidth-size' });
      await previewShown(page);
      await page.getByLabel('a checkpoint', { exact: true }).click();
      const { purpose } = await waitForRequest<Params<'chooseDirectory'>>(page, 'chooseDirectory', () => true);
      assert.equal(purpose, 'replayOf');
      await page.getByText('files of /scratch/runs/step-20').waitFor();
      assert.ok(await page.getByLabel(/this checkpoint:/).isChecked());
    },
  },
  {
    name: 'bandwidth: a login node and a shared file system are named, and who thinks better of it stays with the settings',
    pictures: 'also',
    async run({ open, keepPicture }) {
      const page = await open({ scenario: 'bandwidth-shared' });
      await previewShown(page);
      await assertShows(
        page,
        'stowage-check-preview',
        'This seems to be a login node (its name begins with login)',
        'Lustre is shared with others',
        'Needs a second confirmation.',
        '4 targets, 4 MiB each',
        '38 TB of 50 TB used',
      );
      await keepPicture(page, 'bandwidth-shared');
      await startButton(page).click();
      await waitForRequest(page, 'start', () => true);
      await nextFrames(page);
      assert.ok(await startButton(page).isVisible());
      await page.locator('button.primary:not([disabled])').waitFor();
    },
  },
  {
    name: 'bandwidth: what another check left is offered for removal, what may still run is not',
    pictures: 'also',
    async run({ open, keepPicture }) {
      const page = await open({ scenario: 'bandwidth-left' });
      await page.getByText('An earlier check left /data/runs/.stowage-bandwidth-left').waitFor();
      await page.getByText('A check is running in /data/runs/.stowage-bandwidth-running').waitFor();
      await keepPicture(page, 'bandwidth-left');
      const remove = page.getByRole('button', { name: /^Remove/ });
      assert.equal(await remove.count(), 1);
      await remove.click();
      const { path } = await waitForRequest<Params<'removeLeft'>>(page, 'removeLeft', () => true);
      assert.equal(path, '/data/runs/.stowage-bandwidth-left');
      await page.getByText('An earlier check left').waitFor({ state: 'detached' });
      assert.deepEqual(await requestsOf(page, 'start'), []);
    },
  },
  {
    name: 'bandwidth: where there is no space, or no directory, it says so and offers no start',
    pictures: 'also',
    async run({ open, keepPicture }) {
      for (const [scenario, words] of [
        ['bandwidth-refused', 'Too little space is free'],
        ['bandwidth-unreadable', 'There is no such directory, bucket or container. (/data/gone)'],
      ] as const) {
        const page = await open({ scenario });
        await page.getByRole('alert').getByText(words).waitFor();
        assert.equal(await startButton(page).count(), 0);
        await keepPicture(page, scenario);
      }
    },
  },
  {
    name: 'bandwidth: a check starts within what was shown, draws its rates, and its result comes with what it means',
    pictures: 'also',
    async run({ open, keepPicture }) {
      const page = await open({ scenario: 'bandwidth' });
      await previewShown(page);
      await page.locator('button.primary:not([disabled])').click();
      const { settings } = await waitForRequest<Params<'start'>>(page, 'start', () => true);
      assert.equal(settings.spaceBytes, 4 * 2 ** 30);
      const phase = page.getByRole('heading', { level: 2 });
      await page.getByRole('button', { name: 'Cancel' }).waitFor();
      for (const progress of course())
        await page.evaluate((next) => window.fakeHost.send('progress' as never, next as never), progress);
      await nextFrames(page);
      assert.equal(await phase.first().innerText(), 'Writing, repeat 2 of 3');
      assert.ok(
        (await page.locator('main [role=status], [role=status]').first().textContent())?.includes('Writing, repeat 2 of 3'),
      );
      const walk = page.getByRole('slider', { name: 'Values of Bytes a second' });
      await walk.focus();
      await page.keyboard.press('Home');
      assert.match((await walk.getAttribute('aria-valuetext')) ?? '', /^100 ms: write 2\.\d+ GB\/s$/);
      await keepPicture(page, 'bandwidth-course');
      await send(
        page,
        'progress',
        progressOf({ phase: 'metadata', done: 300, total: 1000, bytesPerSecond: null, elapsedSeconds: 9 }),
      );
      await page.getByText('300 of 1,000 small files').waitFor();
      await send(
        page,
        'progress',
        progressOf({ phase: 'removing', done: 0, total: 0, bytesPerSecond: null, elapsedSeconds: 9.5 }),
      );
      assert.equal(await phase.first().innerText(), 'Removing what was written');
      const report = bandwidthReport({ replayOf, intervalSeconds: 3600 });
      await send(page, 'done', { report });
      for (const sentence of report.verdict.sentences) await page.getByText(sentence).first().waitFor();
      for (const { text } of report.verdict.caveats) await page.getByText(text).waitFor();
      await assertShows(
        page,
        'stowage-check-result',
        '2.1 GB/s',
        '3.4 GB/s',
        'minimum 2 GB/s',
        'fsync a large file',
        'rename it',
        'past the cache (O_DIRECT)',
        'node-1',
      );
      await keepPicture(page, 'bandwidth-result');
    },
  },
  {
    name: 'bandwidth: each repeat is a dot, read by keys and in a table',
    async run({ open }) {
      const page = await open({ scenario: 'bandwidth-done' });
      const walk = page.getByRole('slider', { name: 'Values of Each repeat' });
      await walk.focus();
      await page.keyboard.press('Home');
      assert.equal(await walk.getAttribute('aria-valuetext'), 'write: repeat 1 2 GB/s, repeat 2 2.2 GB/s, repeat 3 2.1 GB/s');
      await page.keyboard.press('ArrowDown');
      assert.equal(await walk.getAttribute('aria-valuetext'), 'read: repeat 1 3.4 GB/s, repeat 2 3.5 GB/s, repeat 3 3.3 GB/s');
      assert.equal(await page.locator('stowage-check-result circle.dot').count(), 6);
      await page.getByRole('button', { name: /^Show as table.*Each repeat/ }).click();
      await page.getByRole('row', { name: /^write 1 2 GB\/s/ }).waitFor();
      await page.reload();
      await page.getByRole('button', { name: /^Hide the table.*Each repeat/ }).waitFor();
    },
  },
  {
    name: 'bandwidth: Cancel and Escape ask the host once it runs, and the page says that all was removed',
    pictures: 'also',
    async run({ open, keepPicture }) {
      for (const byKey of [false, true]) {
        const page = await open({ scenario: 'bandwidth-running' });
        await page.getByRole('button', { name: 'Cancel' }).waitFor();
        if (byKey) await page.keyboard.press('Escape');
        else await page.getByRole('button', { name: 'Cancel' }).click();
        await waitForRequest(page, 'cancel', () => true);
        await page.getByRole('heading', { name: 'Cancelling: what was written is being removed' }).waitFor();
        await send(page, 'progress', progressOf({ phase: 'removing', bytesPerSecond: null }));
        assert.ok(await page.getByRole('button', { name: 'Cancel' }).isDisabled());
        await send(page, 'failed', { code: 'cancelled', detail: 'the check was cancelled' });
        await page.getByRole('alert').getByText('Everything that it had written was removed.').waitFor();
        if (byKey) await keepPicture(page, 'bandwidth-cancelled');
        await page.getByRole('button', { name: 'Back to the settings' }).click();
        await startButton(page).waitFor();
      }
    },
  },
  {
    name: 'bandwidth: Escape before a check does nothing',
    async run({ open }) {
      const page = await open({ scenario: 'bandwidth' });
      await previewShown(page);
      await page.keyboard.press('Escape');
      assert.deepEqual(await requestsOf(page, 'cancel'), []);
    },
  },
  {
    name: 'bandwidth: a failure says why, what became of what was written, and leads back',
    pictures: 'also',
    async run({ open, keepPicture }) {
      for (const [scenario, ...words] of [
        [
          'bandwidth-failed',
          'The space ran out during the check',
          'ENOSPC',
          'Everything that the check had written was removed.',
        ],
        ['bandwidth-not-removed', 'Some files could not be removed.', 'notes.txt', 'What is left is listed with the settings.'],
      ] as const) {
        const page = await open({ scenario });
        await assertShows(page, 'stowage-check-failure', ...words);
        await keepPicture(page, scenario);
        await page.getByRole('button', { name: 'Back to the settings' }).click();
        await previewShown(page);
      }
    },
  },
  {
    name: 'bandwidth: a result goes into a plan, the clipboard and files',
    async run({ open }) {
      const page = await open({ scenario: 'bandwidth-done' });
      await page.getByRole('button', { name: 'Use in a plan' }).click();
      const plan = await waitForRequest<Params<'plan'>>(page, 'plan', () => true);
      const { inputs, origins } = JSON.parse(plan.text) as {
        inputs: Record<string, number>;
        origins: Record<string, { kind: string }>;
      };
      assert.deepEqual(Object.keys(inputs).sort(), [
        'checkpointBytes',
        'gpus',
        'intervalSeconds',
        'nvmeReadBytesPerSecond',
        'nvmeWriteBytesPerSecond',
        'readBytesPerSecond',
        'store',
        'writeBytesPerSecond',
      ]);
      assert.equal(Math.round((inputs['writeBytesPerSecond'] ?? 0) / 1e6), 2100);
      assert.equal(origins['readBytesPerSecond']?.kind, 'measured');
      await page.getByRole('button', { name: 'Copy as Markdown' }).click();
      const { text } = await waitForRequest<Params<'copyText'>>(page, 'copyText', () => true);
      assert.ok(text.startsWith('# Bandwidth of /data/runs'), text.slice(0, 100));
      for (const [item, what, begins] of [
        ['Save as JSON…', 'report.json', '{\n  "schemaVersion": 3'],
        ['Save as Markdown…', 'report.md', '# Bandwidth of'],
      ] as const) {
        await page.getByRole('button', { name: 'Export', exact: true }).click();
        await page.getByRole('menuitem', { name: item }).click();
        const saved = await waitForRequest<Params<'save'>>(page, 'save', (params) => params.what === what);
        assert.ok(saved.text.startsWith(begins), saved.text.slice(0, 100));
        await page.getByText(`Saved: runs.bandwidth-${what}`).waitFor();
      }
      await page.getByRole('button', { name: 'Check again' }).click();
      await startButton(page).waitFor();
    },
  },
  {
    name: 'bandwidth: earlier checks of the directory stand below, newest first, each against the one before',
    async run({ open }) {
      const page = await open({ scenario: 'bandwidth-done' });
      const text = await textOf(page, 'stowage-check-history');
      assert.ok(text.includes('6 checks'), text);
      const rows = page.locator('stowage-check-history tbody tr');
      assert.equal(await rows.count(), 6);
      assert.match((await rows.nth(0).innerText()).replaceAll(/\s+/g, ' '), /^2026-03-09 10:00 UTC 2\.1 GB\/s 0 %/);
      assert.match((await rows.nth(2).innerText()).replaceAll(/\s+/g, ' '), /^2026-02-23 09:30 UTC 1\.3 GB\/s −37 %/);
      const walk = page.getByRole('slider', { name: 'Values of Over time' });
      await walk.focus();
      await page.keyboard.press('Home');
      assert.equal(await walk.getAttribute('aria-valuetext'), '0 s: write 2 GB/s, read 3.4 GB/s');
      for (const [item, what, begins] of [
        ['Save all as CSV…', 'history.csv', 'measured_at,path,file_system,'],
        ['Save all as JSON…', 'history.json', '{\n  "schemaVersion": 1,\n  "kind": "bandwidth-history"'],
      ] as const) {
        await page.getByRole('button', { name: 'Export all', exact: true }).click();
        await page.getByRole('menuitem', { name: item }).click();
        const saved = await waitForRequest<Params<'save'>>(page, 'save', (params) => params.what === what);
        assert.ok(saved.text.startsWith(begins), saved.text.slice(0, 100));
      }
    },
  },
  {
    name: 'bandwidth: a page that comes back shows the check that runs, with its course',
    async run({ open }) {
      const page = await open({ scenario: 'bandwidth-running' });
      await page.getByRole('heading', { name: 'Writing, repeat 2 of 3' }).waitFor();
      const walk = page.getByRole('slider', { name: 'Values of Bytes a second' });
      assert.ok(Number(await walk.getAttribute('aria-valuemax')) > 20);
      assert.deepEqual(await requestsOf(page, 'preview'), []);
    },
  },
  {
    name: 'bandwidth: text from the system stays text, nothing in it hides or reorders, and damaged results are left out',
    pictures: 'also',
    async run({ open, keepPicture }) {
      for (const scenario of ['bandwidth-hostile', 'bandwidth-hostile-done'] as const) {
        const page = await open({ scenario });
        await stateShown(page, scenario);
        const { texts, foreign, hacked } = await look(page);
        assert.equal(hacked, false);
        assert.deepEqual(foreign, []);
        assert.deepEqual(
          texts.filter((text) => deceptive.test(text)),
          [],
        );
        assert.ok(texts.some((text) => text.includes('window.hacked=1')));
        await keepPicture(page, scenario);
        if (scenario === 'bandwidth-hostile-done') assert.ok((await textOf(page, 'stowage-check-history')).includes('1 check'));
      }
    },
  },
  {
    name: 'bandwidth: the panel is reached by keys, from the settings through the start to the exports',
    async run({ open }) {
      const page = await open({ scenario: 'bandwidth' });
      await page.locator('button.primary:not([disabled])').waitFor();
      const reached = await namesReachedByTab(page, 60);
      assertReachedInOrder(reached, [
        'Another directory…',
        'Time, at most',
        'Streams',
        'Interval of saves',
        'Start check',
        'Export all',
      ]);
    },
  },
  {
    name: 'bandwidth: nothing overlaps or scrolls sideways at any width',
    async run({ open }) {
      for (const scenario of bandwidthScenarios) {
        const page = await open({ scenario });
        await stateShown(page, scenario);
        await assertFits(page, scenario);
      }
    },
  },
  ...themeNames.map(
    (theme) =>
      ({
        name: `bandwidth: looks as it should: ${theme}`,
        pictures: 'only',
        async run({ open, keepPicture }) {
          for (const width of [1280, 400])
            for (const scenario of pictured) {
              const page = await open({ scenario, theme, width });
              await stateShown(page, scenario);
              await keepPicture(page, `${scenario}-${theme}-${width}`);
            }
        },
      }) satisfies Spec,
  ),
  {
    name: 'bandwidth: the result has its picture for the README',
    pictures: 'only',
    async run({ open, keepPicture }) {
      const page = await open({ scenario: 'bandwidth-done', width: 820, height: 960 });
      await stateShown(page, 'bandwidth-done');
      await keepPicture(page, 'bandwidth-result-in-view', 'view');
    },
  },
  {
    name: 'bandwidth: axe finds nothing, in any theme',
    async run({ open }) {
      for (const scenario of bandwidthScenarios) {
        const page = await open({ scenario, foreignScript: true });
        await stateShown(page, scenario);
        if (scenario === 'bandwidth') {
          await type(page, 'Repeats', 'none');
          await page.getByRole('button', { name: 'Export all', exact: true }).click();
        }
        if (scenario === 'bandwidth-done') await page.getByRole('button', { name: /^Show as table.*Each/ }).click();
        await nextFrames(page);
        assert.deepEqual(await allViolationsInThemes(page), [], scenario);
      }
    },
  },
];
