import type { Spec } from '../spec.js';

export const specs: Spec[] = [
  {
    name: 'one checkpoint is selected, another compared with it, and then their values',
    async run({ workbench }) {
      const { report } = workbench;
      await workbench.expand('llama-tiny-trainer', 'checkpoint-20');
      await workbench.pickInContextMenu('checkpoint-20', 'Select Checkpoint for Compare');
      await workbench.pickInContextMenu('checkpoint-30', 'Compare Checkpoint with Selected');
      await workbench.tab('checkpoint-20 ↔ checkpoint-30').waitFor();
      await workbench.reportSays('Training resumes at step 30 instead of 20');
      await report.getByRole('tab', { name: /^Values/ }).click();
      await report.getByRole('button', { name: 'Compare values' }).click();
      await report.getByRole('grid', { name: /^Heat map/ }).waitFor();
      await report.getByRole('button', { name: 'Swap sides' }).click();
      await workbench.tab('checkpoint-30 ↔ checkpoint-20').waitFor();
      await workbench.reportSays('Training resumes at step 20 instead of 30');
    },
  },
  {
    name: 'two checkpoints that are selected at once are compared',
    async run({ workbench }) {
      await workbench.expand('llama-tiny-trainer', 'checkpoint-20');
      await workbench.row('checkpoint-30').click();
      await workbench.row('checkpoint-20').click({ modifiers: ['Control'] });
      await workbench.pickInContextMenu('checkpoint-20', 'Compare Selected Checkpoints');
      await workbench.tab('checkpoint-20 ↔ checkpoint-30').waitFor();
      await workbench.reportSays('Training resumes at step 30 instead of 20');
    },
  },
  {
    name: 'the report of a checkpoint is compared with another save of its run',
    async run({ workbench }) {
      await workbench.expand('llama-tiny-trainer', 'checkpoint-30');
      await workbench.pickInContextMenu('checkpoint-30', 'Inspect Checkpoint or Dataset');
      await workbench.reportShown();
      await workbench.report.getByRole('button', { name: 'Compare…' }).click();
      await workbench.page.locator('.quick-input-widget').getByText('llama-tiny-trainer/checkpoint-20').first().click();
      await workbench.tab('checkpoint-20 ↔ checkpoint-30').waitFor();
      await workbench.reportSays('Training resumes at step 30 instead of 20');
    },
  },
];
