import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { writeSampleRun } from '../../../scripts/samples/writeSampleRun.js';
import type { Spec } from '../spec.js';
import type { Workbench } from '../workbench.js';

const minuteMs = 60_000;

export const specs: Spec[] = [
  {
    name: 'the Checkpoints view looks for runs when it is asked, and a run shows its saves over time',
    needs: 'own window',
    pictures: 'also',
    async run({ workbench, workspace, keepPicture }) {
      await writeSampleRun(path.join(workspace, 'llama-8b'), Date.now() - 40 * minuteMs);
      const { page, report } = workbench;
      const run = await sampleRunIn(workbench);
      await run.click();
      await page.getByRole('treeitem', { name: /^checkpoint-5000, step 5,000 · 112 GB/ }).waitFor();
      await workbench.repeatUntil(report.locator('h1'), async () => {
        await run.hover();
        await run.getByRole('button', { name: 'Show Saves Over Time' }).click();
      });
      await report.getByText('checkpoint-5200 lacks files').first().waitFor();
      await report.getByText('41 minutes after the others').waitFor();
      await keepPicture('saves');
      await report.getByRole('button', { name: 'checkpoint-5000' }).click();
      await workbench.reportSays(/112 GB/);
    },
  },
  {
    name: 'a checkpoint is held, and the policy of its run lets others go, in words and as scripts',
    needs: 'own window',
    async run({ workbench, workspace }) {
      const run = path.join(workspace, 'llama-8b');
      await writeSampleRun(run, Date.now() - 120 * minuteMs);
      mkdirSync(path.join(run, '.stowage'));
      writeFileSync(path.join(run, '.stowage', 'retention.yaml'), 'keepLast: 2\nkeepEverySteps: 2000\n');
      const { page, report } = workbench;
      const line = await sampleRunIn(workbench);
      await line.click();
      await pick(workbench, page.getByRole('treeitem', { name: /^checkpoint-2500, / }), 'Hold Checkpoint');
      await page.locator('.quick-input-widget').getByText('golden', { exact: true }).click();
      await page.getByRole('treeitem', { name: /^checkpoint-2500, .* held: golden/ }).waitFor();
      await pick(workbench, line, 'Plan Retention');
      await page
        .getByText(/^Drops \d of 13 checkpoints/)
        .first()
        .waitFor();
      await report.getByText('held: golden').waitFor();
      await page.getByRole('button', { name: 'Save Scripts…' }).click();
      const input = page.locator('.quick-input-widget input[type="text"]');
      await input.waitFor();
      await input.press('Enter');
      await page.getByRole('tab', { name: 'prune.sh' }).waitFor();
      const listed = execFileSync('sh', [path.join(run, '.stowage', 'prune.sh')], { encoding: 'utf8' });
      assert.match(listed, /checkpoint-3000/);
      assert.doesNotMatch(listed, /checkpoint-2500/);
    },
  },
  {
    name: 'two checkpoints of the view are compared, the earlier one on the left',
    needs: 'own window',
    async run({ workbench, workspace }) {
      await writeSampleRun(path.join(workspace, 'llama-8b'), Date.now() - 120 * minuteMs);
      const { page } = workbench;
      await (await sampleRunIn(workbench)).click();
      await pick(workbench, page.getByRole('treeitem', { name: /^checkpoint-5000, / }), 'Compare With…');
      await page.locator('.quick-input-widget').getByText('llama-8b/checkpoint-4500').first().click();
      await workbench.tab('checkpoint-4500 ↔ checkpoint-5000').waitFor();
      await workbench.reportSays('Training resumes at step 5,000 instead of 4,500');
    },
  },
];

/** Has the view look for checkpoints; answers the line of the sample run. A view that has just been opened may miss a click. */
async function sampleRunIn(workbench: Workbench): Promise<Locator> {
  const { page } = workbench;
  await page.getByRole('tab', { name: 'Stowage', exact: true }).click();
  const run = page.getByRole('treeitem', { name: /^llama-8b, 13 checkpoints/ });
  const button = page.getByRole('button', { name: 'Look for Checkpoints' }).first();
  await workbench.repeatUntil(run, async () => {
    if (await button.isVisible()) await button.click({ timeout: 5_000 });
  });
  return run;
}

/** Picks an entry of the context menu of a line of the view. */
async function pick(workbench: Workbench, line: Locator, entry: string): Promise<void> {
  const { page } = workbench;
  const item = page.getByRole('menuitem', { name: entry });
  await workbench.repeatUntil(item, () => line.click({ button: 'right' }));
  await item.hover();
  await page.keyboard.press('Enter');
}
