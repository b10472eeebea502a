/**
 * The files by layer of a pipeline-parallel save (deepspeed/runtime/pipe/module.py: ckpt_layer_path, save_state_dict, load_state_dir).
 * Layers without parameters have no file, so that a gap in the numbers is no evidence: the names in `param_shapes` begin with the
 * number of their layer, and both these shapes and the optimizer's first moments have the number of elements that are trained.
 */
import { limits } from '../../bytes/limits.js';
import { elementCount } from '../../bytes/checkedInteger.js';
import { joinPath } from '../../files/paths.js';
import type { Finding } from '../../findings/finding.js';
import { entriesOf, itemsOf, member } from '../../formats/pickle/pickleAccess.js';
import type { PickleValue } from '../../formats/pickle/pickleValue.js';
import { tensorOf } from '../../formats/torch/torchTensor.js';
import { isFloatDtype } from '../../tensors/dtype.js';
import type { Parts } from '../../checkpoints/parts.js';
import type { TagFiles } from './deepspeedFiles.js';
import { statedParameters } from './deepspeedState.js';

/** How many of the missing files a finding names. */
const NAMED = 5;

/** Elements of the tensors with fractions in each of the files `paths`. */
export function floatElements(
  { tensors, files }: Pick<Parts, 'tensors' | 'files'>,
  paths: ReadonlySet<string>,
): Map<string, number> {
  const elements = new Map<string, number>();
  if (paths.size === 0) return elements;
  for (let row = 0; row < tensors.size; row++) {
    const piece = tensors.firstPieceOf(row);
    const path = piece < tensors.endPieceOf(row) ? files[tensors.pieceFile(piece)]?.path : undefined;
    if (path === undefined || !paths.has(path) || !isFloatDtype(tensors.dtypeOf(row))) continue;
    elements.set(path, (elements.get(path) ?? 0) + tensors.elementsOf(row));
  }
  return elements;
}

/**
 * A finding where the files by layer lack a layer of `param_shapes`, or have fewer elements than are trained; none where one of them is
 * damaged, which has a finding of its own.
 * @param damaged paths of files with errors of their own
 * @param states roots of the model states, one of each model-parallel rank
 * @param elements of each file by layer, by its path
 */
export function findMissingLayers(
  tag: TagFiles,
  states: readonly PickleValue[],
  elements: ReadonlyMap<string, number>,
  damaged: ReadonlySet<string>,
): Finding[] {
  if (tag.layers.length === 0 || tag.experts.length > 0 || tag.layers.some(({ path }) => damaged.has(path))) return [];
  const trained = states.reduce<number>((sum, state) => sum + trainedElements(state), 0);
  const held = tag.layers.reduce((sum, { path }) => sum + (elements.get(path) ?? 0), 0);
  const missing = missingPaths(tag, states);
  if (missing.length === 0 && held >= trained) return [];
  const first = missing.slice(0, NAMED).join(', ');
  return [{ code: 'pipeline-layers-missing', facts: { files: missing.length, held, trained, first } }];
}

/** Elements that a model-parallel rank trains: by the shapes that ZeRO notes, or else by the optimizer's first moments; 0 where it has neither. */
function trainedElements(state: PickleValue): number {
  const stated = statedParameters(state, () => false);
  if (stated !== undefined) return stated.count - stated.frozen;
  let sum = 0;
  for (const entry of entriesOf(member(member(state, 'optimizer'), 'state'))?.values ?? []) {
    const moment = tensorOf(member(entry, 'exp_avg') ?? member(entry, 'momentum_buffer'));
    sum += moment === undefined ? 0 : (elementCount(moment.shape) ?? 0);
  }
  return sum;
}

/** Paths of layers that have trained parameters and no file. */
function missingPaths(tag: TagFiles, states: readonly PickleValue[]): string[] {
  const present = new Set(tag.layers.map(({ layer, tensorRank }) => keyOf(layer, tensorRank)));
  const tensorRanks = [...new Set(tag.layers.map(({ tensorRank }) => tensorRank))];
  return layerNumbers(states).flatMap((layer) =>
    tensorRanks.filter((rank) => !present.has(keyOf(layer, rank))).map((rank) => joinPath(tag.directory, fileOf(layer, rank))),
  );
}

const keyOf = (layer: number, tensorRank: number | null): string => `${layer}:${tensorRank ?? ''}`;

function fileOf(layer: number, tensorRank: number | null): string {
  const rank = tensorRank === null ? '' : `model_${twoDigits(tensorRank)}-`;
  return `layer_${twoDigits(layer)}-${rank}model_states.pt`;
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** Numbers of the layers whose parameters are trained. Tied ones are named for their key instead, `tied_modules.<key>`. */
function layerNumbers(states: readonly PickleValue[]): number[] {
  const layers = new Set<number>();
  for (const state of states) {
    for (const group of itemsOf(member(state, 'param_shapes')) ?? []) {
      for (const name of entriesOf(group)?.keys ?? []) {
        const layer = typeof name === 'string' ? /^(\d{1,7})\./.exec(name)?.[1] : undefined;
        if (layer !== undefined) layers.add(Number(layer));
        if (layers.size >= limits.rankFiles) return [...layers];
      }
    }
  }
  return [...layers];
}
