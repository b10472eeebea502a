import assert from 'node:assert/strict';
import { graveViolations, graveViolationsInThemes } from './axe.js';
import { openTab, tabNames, type Spec } from './spec.js';

export const specs: Spec[] = [
  {
    name: 'axe finds nothing serious on any tab, in any theme',
    async run({ open }) {
      const page = await open({ scenario: 'sample', foreignScript: true });
      await page.getByRole('button', { name: /4\.00 first moment/ }).click();
      for (const tab of await tabNames(page)) {
        await openTab(page, tab);
        if (tab === 'Objects') await page.getByRole('treeitem').first().click();
        if (tab === 'Tensors') {
          await page.locator('[id="row-1"] bdi').first().waitFor();
          await page.getByRole('grid').focus();
          await page.keyboard.press('ArrowDown');
          await page.keyboard.press('Enter');
          await page.getByRole('complementary').getByText('at byte').waitFor();
          await page.getByRole('button', { name: 'Layer', exact: true }).click();
          await page.getByRole('listbox').waitFor();
        }
        assert.deepEqual(await graveViolationsInThemes(page), [], tab);
      }
    },
  },
  {
    name: 'axe finds nothing serious on any tab of a dataset, in any theme',
    async run({ open }) {
      const page = await open({ scenario: 'dataset', foreignScript: true });
      await page.getByRole('button', { name: 'Bytes a token: where' }).click();
      for (const tab of await tabNames(page)) {
        await openTab(page, tab);
        if (tab === 'Lengths') await page.getByRole('button', { name: 'Show as table' }).click();
        if (tab === 'Training plan') await page.getByLabel('Sequence length').fill('none');
        assert.deepEqual(await graveViolationsInThemes(page), [], tab);
      }
    },
  },
  {
    name: 'axe finds nothing serious in datasets that are estimated, huge or empty',
    async run({ open }) {
      for (const scenario of ['dataset-text', 'dataset-huge', 'dataset-empty'] as const) {
        const page = await open({ scenario, theme: 'vscode-light', width: 480, foreignScript: true });
        if (scenario === 'dataset-text') await page.getByRole('button', { name: 'Tokens: where' }).click();
        if (scenario === 'dataset-huge') await openTab(page, 'Lengths');
        assert.deepEqual(await graveViolations(page), [], scenario);
      }
    },
  },
  {
    name: 'axe finds nothing serious while loading, after a failure, in an empty folder, in an open menu, in a run and with many ranks',
    async run({ open }) {
      for (const scenario of ['loading', 'failed', 'empty', 'sample', 'run', 'ranks'] as const) {
        const page = await open({ scenario, theme: 'vscode-light', width: 400, foreignScript: true });
        if (scenario === 'ranks') await openTab(page, 'Ranks');
        if (scenario === 'sample') await page.getByRole('button', { name: 'Export' }).click();
        assert.deepEqual(await graveViolations(page), [], scenario);
      }
    },
  },
];
