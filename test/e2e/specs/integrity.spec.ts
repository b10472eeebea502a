import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Spec, SpecContext } from '../spec.js';
import type { WindowTheme } from '../workbench.js';

const checkpoint = ['llama-tiny-trainer', 'checkpoint-30'] as const;
/** In the storage `data/1` of its optimizer, whose CRC-32 is in the archive. */
const flippedByte = 20_000;

/** Flips a byte of the optimizer, and verifies the checkpoint from the Explorer. */
async function verifyFlipped({ workbench, workspace }: SpecContext): Promise<void> {
  const file = path.join(workspace, ...checkpoint, 'optimizer.pt');
  const bytes = readFileSync(file);
  bytes.writeUInt8(bytes.readUInt8(flippedByte) ^ 1, flippedByte);
  writeFileSync(file, bytes);
  await workbench.expand(...checkpoint);
  await workbench.pickInContextMenu('checkpoint-30', 'Verify Checkpoint or Dataset', 'Stowage');
  await workbench.reportSays(/1 of \d+ files failed: 1 changed/);
}

async function readValues({ workbench }: SpecContext): Promise<void> {
  await workbench.expand(...checkpoint);
  await workbench.pickInContextMenu('checkpoint-30', 'Inspect Checkpoint or Dataset');
  await workbench.reportShown();
  const { report } = workbench;
  await report.getByRole('tab', { name: /^Tensors/ }).click();
  await report
    .getByRole('row', { name: /embed_tokens\.weight/ })
    .first()
    .dblclick();
  await report.getByRole('button', { name: 'Read values' }).click();
  await workbench.reportSays(/No NaN and no Inf among [\d,]+ values/);
}

const themes: readonly WindowTheme[] = ['Light Modern', 'Dark Modern', 'Default High Contrast', 'Default High Contrast Light'];

export const specs: Spec[] = [
  {
    name: 'a flipped byte is found from the context menu, with the tensor that has it, and a manifest is written beside the checkpoint',
    needs: 'own window',
    async run(context) {
      await verifyFlipped(context);
      const { workbench, workspace } = context;
      await workbench.reportSays(/data of optimizer\/data\/1 in the archive: CRC-32 does not match, in .*exp_avg/);
      await workbench.report.getByRole('button', { name: 'Write a manifest' }).click();
      await workbench.reportSays(/The manifest has the sums of \d+ files/);
      const list = path.join(workspace, checkpoint[0], '.stowage', checkpoint[1], 'SHA256SUMS');
      const checked = execFileSync('sha256sum', ['-c', list], { cwd: path.join(workspace, ...checkpoint), encoding: 'utf8' });
      assert.match(checked, /optimizer\.pt: OK/);
    },
  },
  {
    name: 'the values of a tensor are read in its details, and all of them in the tab Integrity',
    async run(context) {
      await readValues(context);
      const { report } = context.workbench;
      await report.getByRole('tab', { name: 'Integrity' }).click();
      await report.getByRole('button', { name: 'Scan values' }).click();
      await context.workbench.reportSays(/Weights and optimizer state have no NaN and no Inf: 153 tensors/);
    },
  },
  {
    name: 'integrity and values look as they should in the themes of the window',
    needs: 'own window',
    pictures: 'only',
    async run(context) {
      const { workbench, setTheme, keepPicture } = context;
      await verifyFlipped(context);
      for (const theme of themes) {
        await setTheme(theme);
        await keepPicture(`integrity-${theme.replaceAll(' ', '-')}`);
      }
      await workbench.run('View: Close All Editors');
      await readValues(context);
      for (const theme of themes) {
        await setTheme(theme);
        await keepPicture(`values-${theme.replaceAll(' ', '-')}`);
      }
    },
  },
];
