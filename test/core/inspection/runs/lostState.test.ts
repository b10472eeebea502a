/** Checkpoints of a run that have weights alone where those beside them have state. */
import path from 'node:path';
import { expect, it } from 'vitest';
import { filesBelow } from '../../../builders/diskTree.js';
import { memoryTree, type MemoryFile } from '../../../builders/memoryTree.js';
import { model, training } from '../../../builders/torchDirectory.js';
import { inspectHostile } from '../../../hostile/accountable.js';

type Files = Record<string, MemoryFile>;
const sample: Files = filesBelow(path.resolve('samples/llama-tiny-trainer'));

async function warningsOf(files: Files) {
  const report = await inspectHostile(memoryTree('run', files));
  return report.findings.filter(({ severity }) => severity !== 'note').map(({ code, path: at }) => `${code} ${at ?? ''}`);
}

const weightsAloneIn = (directory: string): Files =>
  Object.fromEntries(
    Object.entries(sample).filter(
      ([name]) => !name.startsWith(`${directory}/`) || /\/(?:config\.json|model\.safetensors)$/.test(name),
    ),
  );

it('of Trainer has the findings of a checkpoint that lost its state', async () => {
  expect(await warningsOf(weightsAloneIn('checkpoint-30'))).toEqual([
    'trainer-state-missing checkpoint-30',
    'optimizer-missing checkpoint-30',
    'scheduler-missing checkpoint-30',
    'rng-missing checkpoint-30',
  ]);
});

it('of Trainer that keeps models alone has none', async () => {
  const models = Object.fromEntries(
    Object.entries(sample).filter(([name]) => /\/(?:config\.json|model\.safetensors)$/.test(name)),
  );
  expect(await warningsOf(models)).toEqual([]);
});

it('of any other framework names the checkpoint that has it', async () => {
  const saves = { 'step-10/model.pt': training(), 'step-20/model.pt': training(), 'step-30/model.pt': model };
  expect(await warningsOf(saves)).toEqual(['optimizer-lost step-30']);
  expect(await warningsOf({ ...saves, 'step-30/model.pt': training() })).toEqual([]);
});
