import type { Page } from 'playwright-core';
import type { Workbench } from '../workbench.js';
import type { Spec } from '../spec.js';

const themes = [
  ['light', 'Default Light Modern'],
  ['contrast', 'Default High Contrast'],
] as const;

/** Pictures for a person to look at; that the card is shown is all that is asserted. */
const themed: Spec[] = themes.map(([id, theme]) => ({
  name: `the card over a key in the ${id} theme`,
  async run({ workbench, setTheme, keepPicture }) {
    await setTheme(theme);
    await openConfig(workbench, 'llama3_8b.toml');
    await hoverOver(workbench.page, 'keep_latest_k', 'one more kept');
    await keepPicture(`config-hover-${id}`);
  },
}));

export const specs: Spec[] = [
  ...themed,
  {
    name: 'a training config says above its first line what it will write, and a click opens the whole estimate',
    async run({ workbench, keepPicture }) {
      await openConfig(workbench, 'axolotl.yaml');
      const { page } = workbench;
      const lens = page.locator('.codelens-decoration a').filter({ hasText: '4 kept = 1.0 GB' });
      await lens.waitFor();
      await keepPicture('config-lens');
      const estimate = workbench.report.getByText('checkpoints stay on disk', { exact: false });
      // The lens is drawn anew when its numbers are; a click in that moment is lost.
      for (let tries = 0; tries < 5 && !(await estimate.isVisible()); tries += 1) {
        await lens.click();
        await estimate.waitFor({ timeout: 5_000 }).catch(() => undefined);
      }
      await estimate.waitFor();
      await keepPicture('config-estimate');
    },
  },
  {
    name: 'the pointer over a key of a config says what the key is worth, and the link opens a plan',
    async run({ workbench, keepPicture }) {
      await openConfig(workbench, 'llama3_8b.toml');
      const { page } = workbench;
      await hoverOver(page, 'keep_latest_k', 'one more kept');
      await keepPicture('config-hover');
      await page.locator('.monaco-hover').getByRole('link', { name: 'Plan storage' }).click();
      await workbench.report.getByRole('textbox', { name: 'Parameters', exact: true }).waitFor();
    },
  },
  {
    name: 'a launch script is read as text: its flags have the same card',
    async run({ workbench, keepPicture }) {
      await openConfig(workbench, 'train_llama3_8b.sh');
      await hoverOver(workbench.page, '--num-layers', 'one more layer');
      await keepPicture('config-hover-script');
    },
  },
];

async function openConfig(workbench: Workbench, name: string): Promise<void> {
  await workbench.expand('training-configs', name);
  await workbench.row(name).dblclick();
  await workbench.page.locator('.monaco-editor .view-line').first().waitFor();
}

/** Rests the pointer on a word until the card says something. The first hover has to wait for the extension's start. */
async function hoverOver(page: Page, word: string, said: string): Promise<void> {
  const card = page.locator('.monaco-hover').getByText(said);
  const target = page.locator('.monaco-editor .view-line').filter({ hasText: word }).first().getByText(word).first();
  for (let tries = 0; tries < 10 && !(await card.isVisible()); tries += 1) {
    await target.hover({ position: { x: 12 + tries, y: 8 } });
    await card.waitFor({ timeout: 2_000 }).catch(() => undefined);
  }
  await card.waitFor();
}
