/** Directories of frameworks that save with torch.save, and what the tests of their layouts look for in a report. */
import { expect } from 'vitest';
import type { CheckpointReport } from '../../src/core/checkpoints/checkpointReport.js';
import { inspectHostile } from '../hostile/accountable.js';
import { utf8 } from './byteWriter.js';
import { memoryTree, type MemoryFile } from './memoryTree.js';
import { torchState, type State } from './torchStateBuilder.js';

export const inspectFiles = (files: Record<string, MemoryFile>, rootName = 'save'): Promise<CheckpointReport> =>
  inspectHostile(memoryTree(rootName, files));

export const byRank = (
  count: number,
  nameOf: (rank: number) => string,
  file: (rank: number) => Uint8Array,
): Record<string, Uint8Array> => Object.fromEntries(Array.from({ length: count }, (_, rank) => [nameOf(rank), file(rank)]));

export const without = (files: Record<string, MemoryFile>, path: string): Record<string, MemoryFile> => {
  expect(Object.keys(files)).toContain(path);
  return Object.fromEntries(Object.entries(files).filter(([name]) => name !== path));
};

export const codes = (report: CheckpointReport): string[] => report.findings.map((finding) => finding.code);
export const missingOf = (report: CheckpointReport): string =>
  report.findings.find((finding) => finding.code === 'rank-file-missing')?.message ?? '';
export const json = (value: unknown): Uint8Array => utf8(JSON.stringify(value));

/** Weights of one tensor. */
export const model = torchState((tensor) => ({ 'a.weight': tensor([4, 8]) }));

/** The weights with the optimizer's state. */
export const training = (extra: State = {}): Uint8Array =>
  torchState((tensor) => ({
    model: { 'a.weight': tensor([4, 8]) },
    optimizer: { state: { '0': { exp_avg: tensor([4, 8]), exp_avg_sq: tensor([4, 8]) } }, param_groups: [{ lr: 0.1 }] },
    ...(extra as Record<string, State>),
  }));
