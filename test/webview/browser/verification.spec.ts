/** Verifying in the report panel: asked for, under way, cancelled, and what came of it. */
import assert from 'node:assert/strict';
import { hostileTexts } from '../../builders/hostileReport.js';
import { verificationReport } from '../../builders/verificationReport.js';
import { themeNames } from '../page/themes.js';
import { graveViolationsInThemes } from './axe.js';
import { assertFits } from './fits.js';
import { assertShows, textOf, openTab, type Spec, type OpenOptions, type SpecContext, waitForRequest } from './spec.js';

const done = (report: ReturnType<typeof verificationReport>) => ({ kind: 'done' as const, report });

/** The tab of a report whose verification has ended. */
async function openVerified(open: SpecContext['open'], options: OpenOptions, changes = {}) {
  const page = await open(options);
  await page.getByRole('button', { name: 'Verify', exact: true }).first().click();
  // What the fake host says to the click comes before how it ended.
  await page.getByRole('progressbar', { name: 'Verification' }).waitFor();
  await page.evaluate(
    (state) => window.fakeHost.send('verification', state as never),
    done(verificationReport('/runs/checkpoint-300', changes)),
  );
  await page.getByText('2 of 4 files failed').waitFor();
  return page;
}

export const specs: Spec[] = [
  ...themeNames.flatMap((theme) =>
    [1400, 600].map(
      (width) =>
        ({
          name: `verification looks as it should: ${theme} at ${width}`,
          pictures: 'only',
          async run({ open, keepPicture }) {
            const page = await open({ scenario: 'sample', theme, width, height: 900 });
            await openTab(page, 'Integrity');
            await keepPicture(page, `verification-ask-${theme}-${width}`, 'view');
            await page.getByRole('button', { name: 'Verify', exact: true }).first().click();
            await page.getByRole('progressbar', { name: 'Verification' }).waitFor();
            await keepPicture(page, `verification-running-${theme}-${width}`, 'view');
            const verified = await openVerified(open, { scenario: 'sample', theme, width, height: 900 });
            await keepPicture(verified, `verification-done-${theme}-${width}`, 'view');
            const logged = await open({ scenario: 'logged', theme, width, height: 900 });
            await openTab(logged, 'Integrity');
            await keepPicture(logged, `verification-logged-${theme}-${width}`, 'view');
          },
        }) satisfies Spec,
    ),
  ),
  {
    name: 'verification is asked for, shows how far it is, and is cancelled',
    async run({ open }) {
      const page = await open({ scenario: 'sample' });
      await page.getByRole('button', { name: 'Verify', exact: true }).first().click();
      assert.deepEqual(await waitForRequest(page, 'verify', () => true), { create: false });
      await assertShows(page, 'stowage-verification-view', '2.1 GB of 9.26 GB', '1 of 4 files');
      assert.equal(await page.getByRole('progressbar', { name: 'Verification' }).getAttribute('aria-valuenow'), '22');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await waitForRequest(page, 'cancelVerification', () => true);
      await assertShows(page, 'stowage-verification-view', 'The report is by headers');
      await page.getByRole('button', { name: 'Write a manifest' }).click();
      await waitForRequest<{ create: boolean }>(page, 'verify', ({ create }) => create);
    },
  },
  {
    name: 'a damaged file stands first, with the tensors that are damaged, and opens there',
    async run({ open }) {
      const page = await openVerified(open, { scenario: 'sample' });
      const [first] = (await page.locator('stowage-verification-view [role=row]').allTextContents()).slice(1);
      assert.match(first ?? '', /optimizer\.pt.*changed.*state\.4\.exp_avg/s);
      await page.locator('stowage-verification-view [role=row]').nth(1).dblclick();
      await waitForRequest<{ path: string; offsetBytes: number }>(
        page,
        'openFile',
        ({ path, offsetBytes }) => path === 'optimizer.pt' && offsetBytes === 1_048_576,
      );
      await page.getByRole('button', { name: 'Copy as Markdown' }).click();
      await waitForRequest(page, 'copyVerification', () => true);
    },
  },
  {
    name: 'what the log has is shown before anything is asked for, and that a verification was logged',
    async run({ open }) {
      const page = await open({ scenario: 'logged' });
      await openTab(page, 'Integrity');
      await assertShows(
        page,
        'stowage-verification-view',
        'Checksums: 11 of 12 files matched on 2026-11-20 (94 % of bytes covered). Names, sizes and times of files are the same since.',
      );
      await assertShows(page, 'stowage-values-scan', 'NaN or Inf in 2 tensors', 'Changed since: 3 files are newer.');
      assert.equal(await page.getByRole('list', { name: 'From the log' }).count(), 2);
      await page.getByRole('button', { name: 'Verify', exact: true }).first().click();
      await page.getByRole('progressbar', { name: 'Verification' }).waitFor();
      const report = { ...verificationReport('/m'), log: { path: '/.stowage/verified.json', problem: null } };
      await page.evaluate((state) => window.fakeHost.send('verification', state as never), done(report));
      await assertShows(page, 'stowage-verification-view', 'Logged in /.stowage/verified.json.');
      const refused = { ...report, log: { path: '/.stowage/verified.json', problem: 'it is no JSON' } };
      await page.evaluate((state) => window.fakeHost.send('verification', state as never), done(refused));
      await assertShows(page, 'stowage-verification-view', 'Not logged in /.stowage/verified.json: it is no JSON.');
    },
  },
  {
    name: 'another report has another verification',
    async run({ open }) {
      const page = await openVerified(open, { scenario: 'dataset' });
      await page.evaluate(() => window.fakeHost.send('verification', { kind: 'failed', message: 'the thread ended' }));
      await assertShows(page, 'stowage-verification-view', 'Not verified: the thread ended');
    },
  },
  {
    name: 'texts of files are shown as text where they are verified',
    async run({ open }) {
      const page = await openVerified(
        open,
        { scenario: 'sample', foreignScript: true },
        { path: hostileTexts.image, what: hostileTexts.bidi },
      );
      assert.ok((await textOf(page, 'stowage-verification-view')).includes('<img'));
      assert.deepEqual(await page.evaluate(() => window.violations ?? []), []);
    },
  },
  {
    name: 'verification fits any width, and axe finds nothing serious in it',
    async run({ open }) {
      await assertFits(await openVerified(open, { scenario: 'sample' }), 'verification');
      assert.deepEqual(await graveViolationsInThemes(await openVerified(open, { scenario: 'sample', foreignScript: true })), []);
    },
  },
];
