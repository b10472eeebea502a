/** Files by parameter of a universal checkpoint that are of another parameter. */
import { describe, expect, it } from 'vitest';
import { fixtureBelow } from '../../../builders/frameworkFixtures.js';
import type { MemoryFile } from '../../../builders/memoryTree.js';
import { inspectFiles } from '../../../builders/torchDirectory.js';

const universal = fixtureBelow('deepspeed/universal-zero3-w2');
const [small, large] = ['global_step4_universal/zero/ln_f.weight/', 'global_step4_universal/zero/wte.weight/'] as const;

async function otherShapes(files: Record<string, MemoryFile>): Promise<(string | null)[]> {
  const report = await inspectFiles(files, 'run');
  const found = report.findings.filter(({ code }) => code === 'universal-shape-differs');
  if (found.length > 0) expect(report.resume.verdict).toBe('broken');
  return found.map(({ path }) => path);
}

const withOther = (...names: string[]): Record<string, MemoryFile> => ({
  ...universal,
  ...Object.fromEntries(names.map((name) => [large + name, universal[small + name] as MemoryFile])),
});
const stateless = (files: Record<string, MemoryFile>): Record<string, MemoryFile> =>
  Object.fromEntries(Object.entries(files).filter(([path]) => !path.endsWith('_model_states.pt')));

describe('the shapes of one parameter', () => {
  it('agree in an intact checkpoint', async () => {
    expect(await otherShapes(universal)).toEqual([]);
    expect(await otherShapes(stateless(universal))).toEqual([]);
  });

  it.each(['fp32.pt', 'exp_avg.pt', 'exp_avg_sq.pt'])('differ where %s is of another one', async (name) => {
    expect(await otherShapes(withOther(name))).toEqual([large + name]);
  });

  it('differ from those in the model states where all files are of another one', async () => {
    const names = ['exp_avg.pt', 'exp_avg_sq.pt', 'fp32.pt'];
    expect(await otherShapes(withOther(...names))).toEqual(names.map((name) => large + name));
  });

  it('differ from each other where no model states are there', async () => {
    expect(await otherShapes(stateless(withOther('exp_avg.pt')))).toEqual([`${large}exp_avg.pt`]);
  });
});
