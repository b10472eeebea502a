/** What the summary of a report says where parts of it are missing: parameters, ranks, checks, older checkpoints. */
import path from 'node:path';
import { expect, it } from 'vitest';
import { headlineOf } from '../../../../src/core/pages/checkpoint/headline.js';
import { summarizeRanks } from '../../../../src/core/pages/checkpoint/rankSummary.js';
import { renderTerminal } from '../../../../src/core/pages/reportTerminal.js';
import { filesBelow } from '../../../builders/diskTree.js';
import { memoryTree, type MemoryFile } from '../../../builders/memoryTree.js';
import { ranksReport } from '../../../builders/ranksReport.js';
import { buildSafetensors } from '../../../builders/safetensorsBuilder.js';
import { json } from '../../../builders/torchDirectory.js';
import { inspectHostile } from '../../../hostile/accountable.js';

type Files = Record<string, MemoryFile>;
const sample: Files = filesBelow(path.resolve('samples/llama-tiny-trainer'));
const weights = buildSafetensors({ tensors: { 'a.weight': { dtype: 'F32', shape: [64, 8] } } });
const inspected = (files: Files) => inspectHostile(memoryTree('run', files));

it('parameters are of what is here where a shard is missing', async () => {
  const weightMap = { 'a.weight': 'model-00001-of-00002.safetensors', b: 'model-00002-of-00002.safetensors' };
  const shard = { 'config.json': json({}), 'model-00001-of-00002.safetensors': weights };
  const report = await inspected({ ...shard, 'model.safetensors.index.json': json({ weight_map: weightMap }) });
  expect(report.parameters).toMatchObject({ unique: 512, missingFiles: 1 });
  expect(report.parameters.source).toMatch(/^Of what is here: 1 file is missing\. Summed/);
  const printed = renderTerminal(report, { width: 80, color: false });
  expect(printed).toContain('512 parameters of what is here');
  expect(printed).toContain('bytes per parameter of what is here = ');
  expect((await inspected({ 'config.json': json({}), 'model.safetensors': weights })).parameters.missingFiles).toBeUndefined();
});

it('ranks that share the files of others are not missing', () => {
  const report = ranksReport(2);
  const topology = { ...report.topology, worldSize: 4 };
  expect(summarizeRanks({ ...report, topology, findings: [] })?.count).toBe('2');
  const [finding] = [{ code: 'rank-file-missing' }] as never[];
  expect(summarizeRanks({ ...report, topology, findings: [finding as never] })?.count).toBe('2 of 4');
});

it('what was not checked is there once', async () => {
  const { 'checkpoint-20/config.json': config, ...others } = sample;
  expect(config).toBeDefined();
  const report = await inspected({ ...others, 'checkpoint-20/config.json': json({ model_type: 'unknown' }) });
  expect(report.checks.notDone.filter((text) => text.includes('sizes in configs'))).toHaveLength(1);
});

it('a checkpoint that resumes in part is named where the newest fails', async () => {
  const { 'checkpoint-20/rng_state.pth': rng, ...others } = sample;
  expect(rng).toBeDefined();
  const cut = (sample['checkpoint-30/optimizer.pt'] as Uint8Array).subarray(0, 1_000);
  const { verdict } = headlineOf(await inspected({ ...others, 'checkpoint-30/optimizer.pt': cut }));
  expect(verdict).toContain('The newest that resumes is checkpoint-20, in part.');
});
