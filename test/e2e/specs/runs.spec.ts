import path from 'node:path';
import { writeSampleRun } from '../../../scripts/samples/writeSampleRun.js';
import type { Spec } from '../spec.js';

const minuteMs = 60_000;

export const specs: Spec[] = [
  {
    name: 'the Checkpoints view looks for runs when it is asked, and a run shows its saves over time',
    needs: 'own window',
    pictures: 'also',
    async run({ workbench, workspace, keepPicture }) {
      await writeSampleRun(path.join(workspace, 'llama-8b'), Date.now() - 40 * minuteMs);
      const { page, report } = workbench;
      await page.getByRole('tab', { name: 'Stowage', exact: true }).click();
      await page.getByRole('button', { name: 'Look for Checkpoints' }).first().click();
      const run = page.getByRole('treeitem', { name: /^llama-8b, 13 checkpoints/ });
      await run.waitFor();
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
];
