import assert from 'node:assert/strict';
import type { Workbench } from '../workbench.js';
import type { Spec } from '../spec.js';

const themes = [
  ['light', 'Light Modern'],
  ['contrast', 'Default High Contrast'],
] as const;

const themed: Spec[] = themes.map(([id, theme]) => ({
  name: `the card over a key in the ${id} theme`,
  pictures: 'only',
  async run({ workbench, setTheme, keepPicture }) {
    await setTheme(theme);
    await openConfig(workbench, 'llama3_8b.toml');
    await hoverOver(workbench, 'keep_latest_k', 'one more kept');
    await keepPicture(`config-hover-${id}`);
  },
}));

export const specs: Spec[] = [
  ...themed,
  {
    name: 'a training config says above its first line what it will write, and a click opens the whole estimate',
    pictures: 'also',
    async run({ workbench, keepPicture }) {
      await openConfig(workbench, 'axolotl.yaml');
      const { page } = workbench;
      const lens = page.locator('.codelens-decoration a').filter({ hasText: '4 kept + export = 1.18 GB' });
      await lens.waitFor();
      await keepPicture('config-lens');
      const estimate = workbench.report.getByText('checkpoints stay on disk', { exact: false });
      // The lens is drawn anew when its numbers are; a click in that moment is lost.
      await workbench.repeatUntil(estimate, () => lens.click({ timeout: 5_000 }));
      await keepPicture('config-estimate');
    },
  },
  {
    name: 'the pointer over a key of a config says what the key is worth, and the link opens a plan',
    pictures: 'also',
    async run({ workbench, keepPicture }) {
      await openConfig(workbench, 'llama3_8b.toml');
      const { page } = workbench;
      await hoverOver(workbench, 'keep_latest_k', 'one more kept');
      await keepPicture('config-hover');
      await page.locator('.monaco-hover').getByRole('link', { name: 'Plan storage' }).click();
      await workbench.report.getByRole('textbox', { name: 'Parameters', exact: true }).waitFor();
    },
  },
  {
    name: 'a launch script is read as text: its flags have the same card',
    pictures: 'also',
    async run({ workbench, keepPicture }) {
      await openConfig(workbench, 'train_llama3_8b.sh');
      await hoverOver(workbench, '--num-layers', 'one more layer');
      await keepPicture('config-hover-script');
      const editor = await workbench.page.locator('.editor-group-container').first().boundingBox();
      assert.ok(editor !== null);
      await keepPicture('config-hover-editor', { ...editor, height: 448 });
    },
  },
];

async function openConfig(workbench: Workbench, name: string): Promise<void> {
  await workbench.expand('training-configs', name);
  await workbench.openFile(name);
  await workbench.page.locator('.monaco-editor .view-line').first().waitFor();
}

/** Rests the pointer on a word until the card says something. */
async function hoverOver(workbench: Workbench, word: string, said: string): Promise<void> {
  const { page } = workbench;
  // The line above the first one shows that the extension has started: an editor asks only those for a card that are there.
  await page.locator('.codelens-decoration a').first().waitFor();
  const card = page.locator('.monaco-hover').getByText(said);
  const target = page.locator('.monaco-editor .view-line').filter({ hasText: word }).first().getByText(word).first();
  await workbench.repeatUntil(card, () => target.hover({ position: { x: 12, y: 8 } }));
}
