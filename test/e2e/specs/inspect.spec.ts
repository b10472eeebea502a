import path from 'node:path';
import type { Spec } from '../spec.js';

const entry = 'Inspect Checkpoint or Dataset';

export const specs: Spec[] = [
  {
    name: 'a right click on a Trainer checkpoint opens its report',
    pictures: 'also',
    async run({ workbench, keepPicture }) {
      await workbench.expand('llama-tiny-trainer', 'checkpoint-30');
      await workbench.pickInContextMenu('checkpoint-30', entry);
      await workbench.tab('checkpoint-30').waitFor();
      await workbench.reportShown();
      await workbench.reportSays(/60\.4 % first and second moments, 30\.7 % weights/);
      await workbench.reportSays('Resume: complete');
      await workbench.reportSays('nothing was executed');
      await keepPicture('trainer');
    },
  },
  {
    name: 'a right click on a file opens its report',
    async run({ workbench }) {
      await workbench.expand('handwritten-loop', 'last.pt');
      await workbench.pickInContextMenu('last.pt', entry);
      await workbench.reportShown();
      await workbench.report.getByRole('heading', { name: 'last.pt' }).waitFor();
    },
  },
  {
    name: 'a click on a safetensors file opens its report in the editor',
    async run({ workbench }) {
      await workbench.expand('llama-tiny-lora', 'adapter_model.safetensors');
      await workbench.openFile('adapter_model.safetensors');
      await workbench.reportShown();
    },
  },
  {
    name: 'a double click on a .pt file opens its report',
    async run({ workbench }) {
      await workbench.expand('handwritten-loop', 'last.pt');
      await workbench.openFile('last.pt');
      await workbench.reportShown();
    },
  },
  {
    name: 'a .bin file is offered the report under Open With',
    async run({ workbench }) {
      await workbench.expand('deepspeed-zero3', 'pytorch_model.bin');
      await workbench.pickInContextMenu('pytorch_model.bin', 'Open With...');
      await workbench.page
        .locator('.quick-input-list')
        .getByRole('option', { name: /Checkpoint Report/ })
        .click();
      await workbench.reportShown();
    },
  },
  {
    name: 'the command palette asks for a folder',
    async run({ workbench, workspace }) {
      await workbench.run(`Stowage: ${entry}`);
      // The dialog uses the palette's own input: typing before it lists the workspace's folders would go to the palette.
      const list = workbench.page.locator('.quick-input-list');
      const sibling = list.getByText('llama-tiny-lora', { exact: true });
      await sibling.waitFor();
      const input = workbench.page.locator('.quick-input-widget input[type="text"]');
      await input.fill(`${path.join(workspace, 'llama-tiny-sharded')}/`);
      // That its siblings are gone shows that the dialog has understood the path.
      await sibling.waitFor({ state: 'hidden' });
      await list.getByText('..', { exact: true }).waitFor();
      await workbench.page.keyboard.press('Enter');
      await workbench.tab('llama-tiny-sharded').waitFor();
      await workbench.reportShown();
    },
  },
  {
    name: 'a checkpoint of a run opens in a report of its own',
    pictures: 'also',
    async run({ workbench, keepPicture }) {
      await workbench.pickInContextMenu('orbax-run', entry);
      await workbench.tab('orbax-run').waitFor();
      await workbench.reportShown();
      await workbench.reportSays('The newest that was finished is step 10.');
      await keepPicture('run');
      await workbench.report.getByRole('button', { name: '10', exact: true }).click();
      await workbench.tab('10').waitFor();
      await workbench.report.getByRole('heading', { name: '10', exact: true }).waitFor();
    },
  },
  {
    name: 'the odd rank of a distributed save leads to its files',
    pictures: 'also',
    async run({ workbench, keepPicture }) {
      await workbench.pickInContextMenu('torchtitan-step-10', entry);
      await workbench.reportShown();
      const { report } = workbench;
      await report.getByRole('button', { name: 'Ranks: what each wrote' }).click();
      await workbench.reportSays(/4 ranks wrote files/);
      await keepPicture('ranks');
      await report.getByRole('slider', { name: 'Bytes of each rank' }).press('Enter');
      await report.getByRole('button', { name: 'rank 0' }).waitFor();
      await workbench.reportSays('__0_0.distcp');
    },
  },
  {
    name: 'tensors are searched, and a row opens its details',
    pictures: 'also',
    async run({ workbench, keepPicture }) {
      await workbench.expand('llama-tiny-trainer', 'checkpoint-30');
      await workbench.pickInContextMenu('checkpoint-30', entry);
      await workbench.reportShown();
      const { report } = workbench;
      await report.getByRole('tab', { name: /^Tensors/ }).click();
      await report.getByRole('textbox', { name: 'Search tensor names' }).fill('q_proj');
      // Until the list is filtered, a row with this name is at another place: a click would hit what has moved there.
      await report.getByText('4 of 153 tensors').first().waitFor();
      const details = report
        .getByRole('complementary', { name: 'Tensor' })
        .getByText(/q_proj/)
        .first();
      await workbench.repeatUntil(details, () =>
        report
          .getByRole('row', { name: /q_proj/ })
          .first()
          .dblclick({ timeout: 5_000 }),
      );
      await keepPicture('tensors');
    },
  },
  {
    name: 'a finding opens the file it is about',
    pictures: 'also',
    async run({ workbench, keepPicture }) {
      await workbench.pickInContextMenu('damaged-model', entry);
      await workbench.reportShown();
      await workbench.report.getByRole('tab', { name: /^Findings/ }).click();
      await workbench.report
        .getByRole('button', { name: /index\.json/ })
        .first()
        .waitFor();
      await keepPicture('findings');
      await workbench.report
        .getByRole('button', { name: /index\.json/ })
        .first()
        .click();
      await workbench.tab('model.safetensors.index.json').waitFor();
    },
  },
  {
    name: 'a report that was hidden is there again when it is shown',
    async run({ workbench }) {
      await workbench.expand('llama-tiny-trainer', 'checkpoint-30');
      await workbench.pickInContextMenu('checkpoint-30', entry);
      await workbench.reportShown();
      await workbench.row('README.md').click();
      await workbench.page.locator('.monaco-editor').first().waitFor();
      await workbench.tab('checkpoint-30').click();
      await workbench.reportShown();
    },
  },
  {
    name: 'the report is copied as Markdown',
    async run({ workbench }) {
      await workbench.expand('llama-tiny-trainer', 'checkpoint-30');
      await workbench.pickInContextMenu('checkpoint-30', entry);
      await workbench.reportShown();
      await workbench.report.getByRole('button', { name: 'Export' }).click();
      await workbench.report.getByText('Copy as Markdown').click();
      await workbench.page.waitForFunction(async () => (await navigator.clipboard.readText()).includes('checkpoint-30'));
    },
  },
];
