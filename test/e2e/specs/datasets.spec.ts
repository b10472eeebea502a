import type { Spec } from '../spec.js';

const entry = 'Inspect Checkpoint or Dataset';

export const specs: Spec[] = [
  {
    name: 'a right click on a dataset opens its report, with lengths and a training plan',
    async run({ workbench, keepPicture }) {
      await workbench.row('megatron-corpus').waitFor();
      await workbench.pickInContextMenu('megatron-corpus', entry);
      await workbench.datasetShown();
      await workbench.reportSays('5,065 tokens in 80 documents.');
      await workbench.report.getByRole('tab', { name: 'Lengths' }).click();
      await workbench.report.getByRole('img', { name: /^Histogram\. 80 sequences of 10 to 120 tokens/ }).waitFor();
      await keepPicture('dataset');
      await workbench.report.getByRole('tab', { name: 'Training plan' }).click();
      await workbench.report.getByLabel('Speed of the whole job').fill('2.69M');
      await workbench.reportSays('5.4 MB/s');
      await keepPicture('dataset-plan');
    },
  },
  {
    name: 'a right click on one file of a pair shows both',
    async run({ workbench }) {
      await workbench.expand('megatron-corpus', 'web_text_document.idx');
      await workbench.pickInContextMenu('web_text_document.idx', entry);
      await workbench.datasetShown();
      await workbench.reportSays('5,065 tokens in 80 documents.');
    },
  },
  {
    name: 'a right click on the index of a dataset opens the report of its folder',
    async run({ workbench }) {
      await workbench.expand('streaming-mds', 'val');
      await workbench.expand('val', 'index.json');
      await workbench.pickInContextMenu('index.json', entry);
      await workbench.datasetShown();
      await workbench.reportSays('2,624 tokens in 41 samples.');
    },
  },
  {
    name: 'the pointer over the index of a dataset says what it is, and its link opens the report',
    async run({ workbench, keepPicture }) {
      await workbench.expand('streaming-mds', 'val');
      await workbench.expand('val', 'index.json');
      await workbench.row('index.json').dblclick();
      const { page } = workbench;
      await page.locator('.monaco-editor .view-line').first().waitFor();
      const hover = page.locator('.monaco-hover').getByText('2,624 tokens');
      // The first hover has to wait for the extension's start.
      for (let tries = 0; tries < 10 && !(await hover.isVisible()); tries += 1) {
        await page
          .locator('.monaco-editor .view-line')
          .first()
          .hover({ position: { x: 30 + tries, y: 8 } });
        await hover.waitFor({ timeout: 2_000 }).catch(() => undefined);
      }
      await hover.waitFor();
      await keepPicture('dataset-hover');
      await page.locator('.monaco-hover').getByRole('link', { name: 'Inspect' }).click();
      await workbench.datasetShown();
    },
  },
];
