import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import type { Spec } from '../spec.js';
import type { Workbench } from '../workbench.js';

export const specs: Spec[] = [
  {
    name: 'a check from a report measures the directory of the run, leaves nothing there and goes into a plan',
    pictures: 'also',
    async run({ workbench, workspace, keepPicture }) {
      const before = await readdir(workspace);
      await workbench.pickInContextMenu('deepspeed-zero3', 'Inspect Checkpoint or Dataset');
      await workbench.reportShown();
      await workbench.report.getByRole('button', { name: 'Check bandwidth' }).click();
      await startShown(workbench);
      await workbench.report.getByText(`into a new folder in ${workspace}`).first().waitFor();
      await setting(workbench, 'Space, at most', '32 MB');
      await workbench.report.getByText(/^Never more than/).waitFor();
      await keepPicture('bandwidth-before');
      await start(workbench);
      await workbench.report.getByRole('heading', { name: 'Caveats' }).waitFor();
      await workbench.report.getByRole('heading', { name: 'Earlier checks here' }).waitFor();
      await keepPicture('bandwidth-after');
      assert.deepEqual(await readdir(workspace), before);
      await workbench.report.getByRole('button', { name: 'Use in a plan' }).click();
      await workbench.report.getByRole('button', { name: /^Storage (?!against)/ }).click();
      const bandwidth = workbench.report.getByRole('textbox', { name: 'Write bandwidth', exact: true });
      await bandwidth.waitFor();
      assert.ok(Number(await bandwidth.inputValue()) > 0, await bandwidth.inputValue());
    },
  },
  {
    name: 'a check from the Explorer is cancelled by Escape, and removes what it wrote',
    pictures: 'also',
    async run({ workbench, workspace, keepPicture }) {
      const folder = `${workspace}/training-configs`;
      const before = await readdir(folder);
      await workbench.pickInContextMenu('training-configs', 'Check Checkpoint Bandwidth…', 'Stowage');
      await startShown(workbench);
      // Long enough that it runs still when it is cancelled.
      await setting(workbench, 'Time, at most', '10 min');
      await setting(workbench, 'Repeats', '20');
      await setting(workbench, 'Space, at most', '256 MB');
      await start(workbench);
      await workbench.report.getByRole('heading', { name: /^(Writing|Reading back), repeat/ }).waitFor();
      await keepPicture('bandwidth-running');
      assert.notDeepEqual(await readdir(folder), before);
      await workbench.report.getByRole('button', { name: 'Cancel' }).press('Escape');
      await workbench.report.getByText('Everything that it had written was removed.').waitFor();
      assert.deepEqual(await readdir(folder), before);
      await keepPicture('bandwidth-cancelled');
    },
  },
];

async function startShown(workbench: Workbench): Promise<void> {
  await workbench.report.getByRole('button', { name: 'Start check' }).waitFor();
}

async function setting(workbench: Workbench, label: string, text: string): Promise<void> {
  const input = workbench.report.getByRole('textbox', { name: label, exact: true });
  await input.fill(text);
  await input.press('Enter');
}

/** Starts once the answer is of what was typed; agrees where it is asked a second time. */
async function start(workbench: Workbench): Promise<void> {
  await workbench.report.locator('button.primary:not([disabled])', { hasText: 'Start check' }).click();
  const second = workbench.page.getByRole('button', { name: 'Start Check', exact: true });
  const started = workbench.report.getByRole('button', { name: 'Start check' });
  // A machine with a batch system may be taken for one that people log in to.
  await Promise.race([second.waitFor().then(() => second.click()), started.waitFor({ state: 'detached' })]);
}
