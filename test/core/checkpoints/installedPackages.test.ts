/** Files of packages below a checkpoint: none of its weights, and scanned for pickles all the same. */
import { expect, it } from 'vitest';
import { utf8 } from '../../builders/byteWriter.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { memoryTree } from '../../builders/memoryTree.js';

const { 'state.ckpt': state } = fixtureBelow('lightning/fabric');
const weights = Object.entries(fixtureBelow('hf/ct-fp8')).find(([path]) => path.endsWith('.safetensors'))?.[1] as Uint8Array;

it.each(['.venv/lib/python3.11/site-packages/pkg/data', 'venv/lib/python3.11/site-packages/pkg', 'node_modules/pkg'])(
  '%s',
  async (directory) => {
    const own = { 'last.ckpt': state as Uint8Array };
    const packages = {
      [`${directory}/weights.pt`]: state as Uint8Array,
      [`${directory}/model.safetensors`]: weights,
      [`${directory}/evil.pt`]: utf8("cos\nsystem\n(S'x'\ntR."),
    };
    const [plain, { report }] = [
      await inspectCheckpoint(memoryTree('run', own), { path: 'run' }),
      await inspectCheckpoint(memoryTree('run', { ...own, ...packages }), { path: 'run' }),
    ];
    expect(report.layout).toBe(plain.report.layout);
    expect(report.parameters).toEqual(plain.report.parameters);
    expect(report.resume.verdict).toBe(plain.report.resume.verdict);
    const components = (name: string) => report.files.find(({ path }) => path === `${directory}/${name}`)?.components;
    expect(components('weights.pt')).toEqual({ unexplained: state?.byteLength });
    expect(report.findings.some(({ code, path }) => code === 'pickle-calls-unexpected' && path === `${directory}/evil.pt`)).toBe(
      true,
    );
  },
);
