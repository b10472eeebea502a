import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Spec } from '../spec.js';
import type { Workbench } from '../workbench.js';

/** Puts samples into directories of a new one in the workspace. */
function lay(workspace: string, name: string, parts: Readonly<Record<string, string>>): void {
  for (const [place, sample] of Object.entries(parts))
    cpSync(path.join(workspace, sample), path.join(workspace, name, place), { recursive: true });
}

/** The cache of the Hub as huggingface_hub lays it out: files by their hash, and links to them in each revision. */
function layRevision(hub: string, repository: string, commit: string, sample: string, ref?: string): void {
  const root = path.join(hub, repository);
  const snapshot = path.join(root, 'snapshots', commit);
  for (const directory of [path.join(root, 'blobs'), path.join(root, 'refs'), snapshot])
    mkdirSync(directory, { recursive: true });
  for (const entry of readdirSync(sample, { withFileTypes: true }).filter((each) => each.isFile())) {
    const bytes = readFileSync(path.join(sample, entry.name));
    const blob = createHash('sha256').update(bytes).digest('hex');
    writeFileSync(path.join(root, 'blobs', blob), bytes);
    symlinkSync(path.join('..', '..', 'blobs', blob), path.join(snapshot, entry.name));
  }
  if (ref !== undefined) writeFileSync(path.join(root, 'refs', ref), commit);
}

async function inspectNew(workbench: Workbench, name: string): Promise<void> {
  await workbench.repeatUntil(workbench.row(name), () => workbench.run('Refresh Explorer'));
  await workbench.pickInContextMenu(name, 'Inspect Checkpoint or Dataset');
  const { report } = workbench;
  await report.getByRole('grid').or(report.getByRole('table')).first().waitFor();
}

export const specs: Spec[] = [
  {
    name: 'a directory of several things has a row for each, which opens its own report',
    needs: 'own window',
    pictures: 'also',
    async run({ workbench, workspace, keepPicture }) {
      lay(workspace, 'team', {
        'alice/llama': 'llama-tiny-trainer',
        'bob/titan': 'torchtitan-step-10',
        'bob/zero3': 'deepspeed-zero3',
        'data/corpus': 'megatron-corpus',
        'data/stream': 'streaming-mds',
      });
      await inspectNew(workbench, 'team');
      await keepPicture('collection');
      await workbench.report.getByRole('button', { name: 'data/stream' }).click();
      await workbench.datasetShown();
    },
  },
  {
    name: 'a model with a data set in its directory does not hide it',
    needs: 'own window',
    pictures: 'also',
    async run({ workbench, workspace, keepPicture }) {
      lay(workspace, 'mixed', { '.': 'llama-tiny-sharded', data: 'megatron-corpus' });
      await inspectNew(workbench, 'mixed');
      await workbench.reportSays(/1 checkpoint and 1 data set/);
      await keepPicture('mixed-directory');
    },
  },
  {
    name: 'the cache of the Hugging Face Hub has a row for each revision',
    needs: 'own window',
    pictures: 'also',
    async run({ workbench, workspace, keepPicture }) {
      const hub = path.join(workspace, 'huggingface', 'hub');
      const sample = (name: string): string => path.join(workspace, name);
      layRevision(hub, 'models--tiny--llama', 'a1'.repeat(20), sample('llama-tiny-sharded'), 'main');
      layRevision(hub, 'models--tiny--llama', 'b2'.repeat(20), sample('llama-tiny-trainer/checkpoint-20'));
      layRevision(hub, 'models--tiny--llama-lora', 'c3'.repeat(20), sample('llama-tiny-lora'), 'main');
      layRevision(hub, 'datasets--tiny--stream', 'd4'.repeat(20), sample('streaming-mds/train'), 'main');
      writeFileSync(
        path.join(hub, 'models--tiny--llama-lora', 'blobs', `${'0'.repeat(64)}.incomplete`),
        Buffer.alloc(300_000, 1),
      );
      await inspectNew(workbench, 'huggingface');
      await workbench.reportSays(/4 revisions of 3 repositories/);
      await keepPicture('hub-cache');
    },
  },
];
