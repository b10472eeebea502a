/** A file of one rank that is cut: what is found names that file, and nothing is said of the whole ones of other ranks. */
import { describe, expect, it } from 'vitest';
import { checkpointOf } from '../../builders/inspectCheckpoint.js';
import { inspect } from '../../../src/core/inspection/inspect.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { utf8 } from '../../builders/byteWriter.js';

type Files = Record<string, Uint8Array>;

interface Found {
  severity: string;
  code: string;
  path: string | null;
}

async function findingsOf(files: Files): Promise<Found[]> {
  const { report } = await inspect(memoryTree('here', files), { path: 'here' });
  return checkpointOf(report).findings.map(({ severity, code, path }) => ({ severity, code, path }));
}

/** The findings that a file of a save has for its cut alone. */
async function foundOfCut(files: Files, path: string, share: number): Promise<Found[]> {
  const bytes = files[path] as Uint8Array;
  const known = new Set((await findingsOf(files)).map(({ code }) => code));
  const found = await findingsOf({ ...files, [path]: bytes.subarray(0, Math.floor(bytes.byteLength * share)) });
  return found.filter(({ code }) => !known.has(code));
}

const cases: readonly [fixture: string, file: RegExp][] = [
  ['deepspeed/zero1-bf16-w2', /optim_states\.pt$/],
  ['deepspeed/zero1-bf16-w2', /model_states\.pt$/],
  ['deepspeed/frozen-zero3-w2', /optim_states\.pt$/],
  ['deepspeed/frozen-zero3-w2', /model_states\.pt$/],
  ['deepspeed/universal-zero3-w2', /_universal\/zero\/.*\/fp32\.pt$/],
  ['hf/old-bin-sharded', /-of-00006\.bin$/],
  ['hf/trainer-sharded-safetensors', /-of-\d{5}\.safetensors$/],
  ['hf/llama-sharded-bf16', /-of-\d{5}\.safetensors$/],
  ['dcp/fsdp2-app-2r', /\.distcp$/],
  ['torch/dtensor-2r', /\.pt$/],
];

describe.each(cases)('%s, %s', (fixture, pattern) => {
  const files = fixtureBelow(fixture, '');
  const paths = Object.keys(files).filter((path) => pattern.test(path));

  it.each([0.02, 0.3, 0.7, 0.99])('cut to %f of its size is what is named', async (share) => {
    expect(paths.length).toBeGreaterThan(0);
    for (const path of [paths[0], paths.at(-1)] as string[]) {
      const found = await foundOfCut(files, path, share);
      expect(found.some((finding) => finding.path === path && finding.severity === 'error')).toBe(true);
      expect(found.filter((finding) => finding.path !== null && finding.path !== path)).toEqual([]);
    }
  });
});

describe('chunks of a zarr array that are files of ranks', () => {
  const directory = 'iter_0000005/decoder.weight';
  const array = { zarr_format: 2, shape: [4, 8], chunks: [2, 8], dtype: '<f4', compressor: null, filters: null, order: 'C' };
  const chunk = new Uint8Array(64).fill(7);
  const files = {
    [`${directory}/.zarray`]: utf8(JSON.stringify({ ...array, fill_value: null })),
    [`${directory}/0.0`]: chunk,
    [`${directory}/1.0`]: chunk,
    'iter_0000005/metadata.json': utf8('{"sharded_backend":"zarr","sharded_backend_version":1}'),
  };

  it('have the finding where one is cut', async () => {
    expect(await foundOfCut(files, `${directory}/1.0`, 0.5)).toEqual([
      { severity: 'error', code: 'tensor-size-mismatch', path: `${directory}/1.0` },
    ]);
  });

  it('have one each where both differ by as much', async () => {
    const found = await findingsOf({
      ...files,
      [`${directory}/0.0`]: chunk.subarray(8),
      [`${directory}/1.0`]: new Uint8Array(72).fill(7),
    });
    expect(found.filter(({ code }) => code === 'tensor-size-mismatch').map(({ path }) => path)).toEqual([
      `${directory}/0.0`,
      `${directory}/1.0`,
    ]);
  });
});
