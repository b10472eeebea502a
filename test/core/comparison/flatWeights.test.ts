/** Values of ZeRO-3, which are in flat shares of all ranks, against those of the same model by name. */
import { describe, expect, it } from 'vitest';
import { compareCheckpoints } from '../../../src/app/comparison/compareCheckpoints.js';
import type { ComparisonReport } from '../../../src/core/comparison/comparisonReport.js';
import { zeroThreeSave, type Shapes } from '../../builders/deepspeedBuilder.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { memoryPlatform } from '../../builders/memoryPlatform.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { buildSafetensors, type SafetensorsTensor } from '../../builders/safetensorsBuilder.js';
import { flatten } from '../../builders/torchZipBuilder.js';

type Files = Record<string, Uint8Array>;

async function compared(a: Files, b: Files): Promise<ComparisonReport> {
  const below = (folder: string, files: Files): Files =>
    Object.fromEntries(Object.entries(files).map(([name, file]) => [`${folder}/${name}`, file]));
  const platform = memoryPlatform({ ...below('/a', a), ...below('/b', b) });
  return (await compareCheckpoints(platform, { a: '/a', b: '/b', values: true })).report;
}

const shapes: Shapes = {
  'model.embed_tokens.weight': [16, 8],
  'model.layers.0.mlp.up_proj.weight': [5, 7],
  'model.scale': [],
  'model.norm.weight': [8],
  'lm_head.weight': [16, 8],
};

const elementsOf = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1);

/** Other ones for each tensor. */
const valuesOf = (): Map<string, Float32Array> =>
  new Map(
    Object.entries(shapes).map(([name, shape], tensor) => [
      name,
      Float32Array.from({ length: elementsOf(shape) }, (_, at) => (tensor + 1) * 1000.25 + at),
    ]),
  );

/** Each rank has its share of each tensor one after the other; padding is NaN. */
function zeroThree(ranks: number, groupElements?: number): Files {
  const save = zeroThreeSave({ shapes, ranks, step: 5, exportShards: 0, ...(groupElements && { groupElements }) });
  return Object.fromEntries(
    Object.entries(save).map(([name, file]) => {
      if (file instanceof Uint8Array) return [name, file];
      const bytes = flatten(file);
      const rank = Number(/rank_(\d+)_.*optim/.exec(name)?.[1] ?? -1);
      if (rank >= 0) {
        const flat = [...valuesOf().values()].flatMap((values) => {
          const share = Math.ceil(values.length / ranks);
          return Array.from({ length: share }, (_, at) => values[rank * share + at] ?? NaN);
        });
        const view = new DataView(bytes.buffer, bytes.byteOffset);
        flat.forEach((value, at) => {
          const [group, within] = groupElements === undefined ? [0, at] : [Math.floor(at / groupElements), at % groupElements];
          view.setFloat32((file.records.get(`data/${2 + group}`)?.dataOffset ?? NaN) + within * 4, value, true);
        });
      }
      return [name, bytes];
    }),
  );
}

function byName(changed?: { name: string; at: number }): Files {
  const tensors: Record<string, SafetensorsTensor> = {};
  for (const [name, values] of valuesOf()) {
    if (name === changed?.name) values[changed.at] = 7;
    tensors[name] = { dtype: 'F32', shape: shapes[name] ?? [], data: new Uint8Array(values.buffer) };
  }
  return { 'model.safetensors': buildSafetensors({ tensors, metadata: { format: 'pt' } }) };
}

describe.each([
  { ranks: 1, groupElements: undefined },
  { ranks: 3, groupElements: undefined },
  { ranks: 4, groupElements: 20 },
  { ranks: 17, groupElements: 3 },
])('ZeRO-3 of $ranks ranks with groups of $groupElements elements', ({ ranks, groupElements }) => {
  it('has the values of the same model by name, without padding', async () => {
    for (const report of [
      await compared(zeroThree(ranks, groupElements), byName()),
      await compared(byName(), zeroThree(ranks, groupElements)),
    ]) {
      expect(report.tensors).toMatchObject({ counts: { added: 0, removed: 0, renamed: 0 } });
      expect(report.valuesCompared).toMatchObject({ tensors: 5, equal: 5, notReadCount: 0 });
      expect(report.values?.map(({ elements }) => elements)).toEqual([128, 35, 1, 8, 128]);
    }
  });

  it('differs in the tensor of which one element is another', async () => {
    const { values } = await compared(zeroThree(ranks, groupElements), byName({ name: 'lm_head.weight', at: 127 }));
    expect(values?.filter(({ isEqual }) => !isEqual).map(({ name, maxAbs }) => [name, maxAbs])).toEqual([
      ['module.lm_head.weight', 5001.25 + 127 - 7],
    ]);
  });
});

describe('shares of ZeRO-3', () => {
  it('are not read where those of a rank are cut off, or are not all that the shapes need', async () => {
    const files = zeroThree(3);
    const other = zeroThreeSave({ shapes: { ...shapes, 'model.norm.weight': [80] }, ranks: 3, step: 5, exportShards: 0 });
    const name = 'global_step5/bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt';
    const file = other[name];
    if (file === undefined || file instanceof Uint8Array) throw new Error('no shard');
    const { valuesCompared } = await compared({ ...files, [name]: flatten(file) }, byName());
    expect(valuesCompared).toMatchObject({ tensors: 0, notReadCount: 5 });
    expect(valuesCompared?.notRead[0]?.reason).toContain('flat shares');
  });

  it('are those of frozen parameters too, which are no tensors of their own', async () => {
    const files = fixtureBelow('deepspeed/frozen-zero3-w2');
    const { report, tensors } = await inspectCheckpoint(memoryTree('m', files), { path: 'm' });
    const own: Record<string, SafetensorsTensor> = {};
    const shapeOf = new Map<string, readonly number[]>();
    for (let row = 0; row < tensors.size; row++) {
      const wholeShape = tensors.extraOf(row)?.wholeShape;
      if (wholeShape !== undefined) shapeOf.set(tensors.nameOf(row).replace('module.', ''), wholeShape);
    }
    for (let row = 0; row < tensors.size; row++) {
      const [, name] = /^frozen_param_fragments\.(.*)$/.exec(tensors.nameOf(row)) ?? [];
      if (name === undefined) continue;
      const data: number[] = [];
      for (let piece = tensors.firstPieceOf(row); piece < tensors.endPieceOf(row); piece++) {
        const file = files[report.files[tensors.pieceFile(piece)]?.path ?? ''];
        data.push(...(file?.subarray(tensors.pieceOffset(piece), tensors.pieceOffset(piece) + tensors.bytesOf(row)) ?? []));
      }
      own[name] = { dtype: 'BF16', shape: [...(shapeOf.get(name) ?? [])], data: Uint8Array.from(data) };
    }
    expect(Object.keys(own)).toHaveLength(13);
    const found = await compared(files, { 'model.safetensors': buildSafetensors({ tensors: own, metadata: { format: 'pt' } }) });
    expect(found.tensors).toMatchObject({ same: 13, counts: { added: 0, changed: 0 } });
    expect(found.tensors.removed.map(({ name }) => name).filter((name) => name.startsWith('frozen'))).toEqual([]);
    expect(found.valuesCompared).toMatchObject({ tensors: 13, equal: 13, notReadCount: 0 });
  });
});
