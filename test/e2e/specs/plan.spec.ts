import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import type { Spec } from '../spec.js';
import type { Workbench } from '../workbench.js';

const planSuffix = '.stowage-plan.json';

interface PlanText {
  inputs: Record<string, unknown>;
  origins: Record<string, { kind: string }>;
}

export const specs: Spec[] = [
  {
    name: 'a plan from a report is saved, reopened, changed and exported',
    needs: 'own window',
    pictures: 'also',
    async run({ workbench, workspace, keepPicture }) {
      const { page } = workbench;
      await workbench.pickInContextMenu('deepspeed-zero3', 'Inspect Checkpoint or Dataset');
      await workbench.reportShown();
      await workbench.report.getByRole('button', { name: 'Plan storage' }).click();
      await plannerShown(workbench);
      await keepPicture('plan-from-report');

      const file = path.join(workspace, `zero3${planSuffix}`);
      await workbench.report.getByRole('button', { name: 'Save', exact: true }).click();
      await workbench.answerFileDialog(file);
      const saved = await planIn(file);
      assert.equal(saved.origins['checkpointBytes']?.kind, 'measured');

      // The editor of the file takes the place of the one that had none.
      await workbench.report.getByText(path.basename(file), { exact: false }).first().waitFor();
      await workbench.tab(`deepspeed-zero3${planSuffix}`).waitFor({ state: 'detached' });
      await page.keyboard.press('ControlOrMeta+k');
      await page.keyboard.press('ControlOrMeta+w');
      await workbench.openFile(path.basename(file));
      await plannerShown(workbench);
      const gpus = input(workbench.report, 'GPUs');
      await gpus.fill('16384');
      await gpus.press('Enter');
      await workbench.report.getByText('changed').first().waitFor();
      await page.keyboard.press('ControlOrMeta+s');
      await until(async () => (await planIn(file)).inputs['gpus'] === 16_384, 'the saved change');

      await workbench.report.getByRole('button', { name: 'Export', exact: true }).click();
      await workbench.report.getByRole('menuitem', { name: /Markdown/ }).click();
      const markdown = path.join(workspace, 'zero3-plan.md');
      await workbench.answerFileDialog(markdown);
      await until(async () => (await textOf(markdown)).includes('16,384'), 'the exported plan');
      const links = [...(await textOf(markdown)).matchAll(/\]\(([^)]+\.svg)\)/g)].map(([, link]) =>
        decodeURIComponent(link ?? ''),
      );
      assert.ok(links.length >= 3, links.join());
      for (const link of links)
        await until(async () => /^<svg [^]*<\/svg>\s*$/.test(await textOf(path.join(workspace, link))), link);
      await keepPicture('plan-reopened');
    },
  },
  {
    name: 'the palette plans for a model, and typing moves every answer',
    pictures: 'also',
    async run({ workbench, keepPicture }) {
      const { page } = workbench;
      await workbench.run('Stowage: Plan Checkpoint Storage');
      await page.locator('.quick-input-list').getByRole('option', { name: /405B/ }).click();
      await plannerShown(workbench);
      await workbench.report.getByText('171 GB/s').first().waitFor();
      await workbench.report.getByText('every 5.5 minutes').first().waitFor();
      await keepPicture('plan-405b');
      await workbench.report
        .getByRole('navigation', { name: 'Answers' })
        .getByRole('button', { name: 'How often to save' })
        .click();
      await keepPicture('plan-interval');
      await input(workbench.report, 'Interval').fill('60');
      await workbench.report.getByText('15.8 GB/s').first().waitFor();
    },
  },
  {
    name: 'the card over a config leads to a plan with its numbers',
    async run({ workbench }) {
      await workbench.expand('training-configs', 'llama3_8b.toml');
      await workbench.openFile('llama3_8b.toml');
      const lens = workbench.page.locator('.codelens-decoration a').filter({ hasText: 'Plan storage' });
      await lens.waitFor();
      // The lens is drawn anew when its numbers are; a click in that moment is lost.
      await workbench.repeatUntil(workbench.report.locator('stowage-planner'), () => lens.click({ timeout: 5_000 }));
      await plannerShown(workbench);
      assert.equal(await input(workbench.report, 'Parameters').inputValue(), '8,030,261,248');
    },
  },
];

function input(planner: FrameLocator, label: string) {
  return planner.getByRole('textbox', { name: label, exact: true });
}

async function plannerShown(workbench: Workbench): Promise<void> {
  await input(workbench.report, 'Parameters').waitFor();
}

async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}

/** The plan in a file, once all of it is written. */
async function planIn(file: string): Promise<PlanText> {
  let text = '';
  await until(async () => (text = await textOf(file)).endsWith('}\n'), file);
  return JSON.parse(text) as PlanText;
}

async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`waited for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
