import { closeSync, mkdirSync, openSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Spec } from '../spec.js';

const entry = 'Inspect Checkpoint or Dataset';

export const specs: Spec[] = [
  {
    name: 'a right click on a dataset opens its report, with lengths and a training plan',
    pictures: 'also',
    async run({ workbench, keepPicture }) {
      await workbench.row('megatron-corpus').waitFor();
      await workbench.pickInContextMenu('megatron-corpus', entry);
      await workbench.datasetShown();
      await workbench.reportSays('5,065 tokens in 80 documents.');
      await workbench.report.getByRole('tab', { name: 'Lengths' }).click();
      await workbench.report.getByRole('img', { name: /^Histogram\. 80 sequences of 10 to 120 tokens/ }).waitFor();
      await keepPicture('dataset');
      await workbench.report.getByRole('tab', { name: 'Read load' }).click();
      await workbench.report.getByLabel('Speed of the whole job').fill('2.69M');
      await workbench.reportSays('5.38 MB/s');
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
    name: 'what headers leave open is read on request: all lengths of a dataset, and raw text with a tokenizer',
    needs: 'own window',
    pictures: 'also',
    async run({ workbench, workspace, keepPicture }) {
      writeLongIndex(path.join(workspace, 'long-corpus'));
      const raw = path.join(workspace, 'raw-text');
      mkdirSync(raw);
      writeFileSync(path.join(raw, 'part-0.txt'), 'words of a text\n'.repeat(500));
      await workbench.run('Refresh Explorer');
      await workbench.row('long-corpus').waitFor();
      await workbench.pickInContextMenu('long-corpus', entry);
      await workbench.datasetShown();
      await workbench.report.getByRole('tab', { name: 'Lengths' }).click();
      await workbench.report.getByRole('button', { name: 'Read all lengths' }).click();
      await workbench.reportSays('4,400,000 sequences of 0 to 3 tokens');
      await keepPicture('dataset-lengths');
      await workbench.page.keyboard.press('Control+w');
      await workbench.pickInContextMenu('raw-text', entry);
      await workbench.datasetShown();
      await workbench.report.getByRole('button', { name: 'Choose a tokenizer.json…' }).click();
      await keepPicture('dataset-tokenizer-dialog');
      await workbench.answerFileDialog(path.join(workspace, 'llama-tiny-sharded', 'tokenizer.json'));
      await workbench.reportSays(/^All of the text was tokenized with/);
      await keepPicture('dataset-tokenized');
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
    pictures: 'also',
    async run({ workbench, keepPicture }) {
      const { page } = workbench;
      // A report shows that the extension has started: an editor asks only those for a hover that are there.
      await workbench.pickInContextMenu('megatron-corpus', entry);
      await workbench.datasetShown();
      await workbench.expand('streaming-mds', 'val');
      await workbench.expand('val', 'index.json');
      await workbench.openFile('index.json');
      const line = page.locator('.monaco-editor .view-line').first();
      const card = page.locator('.monaco-hover').getByText('2,624 tokens');
      await workbench.repeatUntil(card, () => line.hover({ position: { x: 30, y: 8 } }));
      await keepPicture('dataset-hover');
      await page.locator('.monaco-hover').getByRole('link', { name: 'Inspect' }).click();
      await workbench.datasetShown();
    },
  },
];

/** A Megatron pair whose index has more lengths than are read without being asked for; all but the last sequence are empty. */
function writeLongIndex(folder: string): void {
  const sequences = 4_400_000;
  mkdirSync(folder);
  const header = new DataView(new ArrayBuffer(34));
  new TextEncoder().encodeInto('MMIDIDX', new Uint8Array(header.buffer));
  header.setBigUint64(9, 1n, true);
  header.setUint8(17, 8);
  header.setBigUint64(18, BigInt(sequences), true);
  header.setBigUint64(26, 2n, true);
  const index = path.join(folder, 'long_document.idx');
  writeFileSync(index, new Uint8Array(header.buffer));
  truncateSync(index, 34 + sequences * 12 + 16);
  const file = openSync(index, 'r+');
  writeSync(file, new Uint8Array(new Int32Array([3]).buffer), 0, 4, 34 + (sequences - 1) * 4);
  writeSync(file, new Uint8Array(new BigInt64Array([BigInt(sequences)]).buffer), 0, 8, 34 + sequences * 12 + 8);
  closeSync(file);
  writeFileSync(path.join(folder, 'long_document.bin'), new Uint8Array(6));
}
