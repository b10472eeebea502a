/** What DeepSpeed saves more than once, as far as names tell, and the setting that stops it. */
import { baseName, parentPath } from '../../files/paths.js';
import { setOf } from '../../checkpoints/copies.js';
import type { StatedForms } from './deepspeedState.js';
import type { TagFiles } from './deepspeedFiles.js';
import type { Duplicate, Parts } from '../../checkpoints/parts.js';

const exported = /^(pytorch_model|model)([.-].*)?\.(bin|safetensors)$/s;
/** Key under which model states keep the frozen parameters, once more or, in ZeRO-3, instead of the weights. */
const frozenKey = 'frozen_param_fragments.';

/** The bytes of tensors, and the files in which they lie. */
class Share {
  bytes = 0;
  readonly paths = new Set<string>();

  add(path: string, bytes: number): void {
    if (bytes === 0) return;
    this.bytes += bytes;
    this.paths.add(path);
  }
}

/** Weights beside a tag, by dtype: a copy of the master weights where each is of a parameter of the model states, in its shape. */
class Gathered {
  readonly half = new Share();
  readonly single = new Share();
  private isOther = false;

  constructor(private readonly stated: StatedForms) {}

  add(tensor: { name: string; shape: readonly number[]; dtype: string }, path: string, bytes: number): void {
    const shape = this.stated.shapes.get(tensor.name);
    const isStated = shape === undefined ? this.stated.others.has(tensor.name) : shape.join() === tensor.shape.join();
    if (!isStated) this.isOther = true;
    else if (tensor.dtype === 'bf16' || tensor.dtype === 'f16') this.half.add(path, bytes);
    else if (tensor.dtype === 'f32') this.single.add(path, bytes);
  }

  get duplicates(): Duplicate[] {
    if (this.isOther) return [];
    return [
      duplicate(
        '16-bit weights gathered from the shards, which hold the same parameters in 32 bits',
        this.half,
        'stage3_gather_16bit_weights_on_model_save',
      ),
      duplicate(
        '32-bit weights beside the shards, which hold parameters of the same names and shapes in 32 bits',
        this.single,
        null,
      ),
    ];
  }
}

/**
 * Finds weights beside ZeRO-3's own master weights, frozen weights, and what each rank repeats.
 * @param stated names and shapes in the model states; undefined unless all master weights are there
 */
export function findDeepSpeedDuplicates(parts: Parts, tags: readonly TagFiles[], stated: StatedForms | undefined): Duplicate[] {
  const besideTag = new Set(tags.flatMap((tag) => [tag.directory, parentPath(tag.directory)]));
  const rankOfState = new Map(tags.flatMap((tag) => tag.modelStates.map((file) => [file.path, file.data] as const)));
  const exports = new Map<string, Gathered>();
  const [frozen, repeated] = [new Share(), new Share()];
  const { tensors, files } = parts;
  for (let row = 0; row < tensors.size; row++) {
    const name = tensors.nameOf(row);
    const isWeight = tensors.componentOf(row) === 'weights';
    for (let piece = tensors.firstPieceOf(row); piece < tensors.endPieceOf(row); piece++) {
      const path = files[tensors.pieceFile(piece)]?.path ?? '';
      // A storage may hold other tensors as well.
      const bytes = Math.min(tensors.bytesOf(row), tensors.pieceSize(piece));
      const data = rankOfState.get(path);
      if (data === undefined) {
        if (stated === undefined || !isWeight || !exported.test(baseName(path)) || !besideTag.has(parentPath(path))) continue;
        const set = exports.get(setOf(path)) ?? new Gathered(stated);
        exports.set(setOf(path), set);
        set.add({ name, shape: tensors.shapeOf(row), dtype: tensors.dtypeOf(row) }, path, bytes);
      } else if (name.startsWith(frozenKey)) frozen.add(path, bytes);
      else if (data !== null && data > 0 && !isWeight) repeated.add(path, bytes);
    }
  }
  return [
    ...[...exports.values()].flatMap(({ duplicates }) => duplicates),
    duplicate('frozen weights, which every checkpoint of the run saves again', frozen, 'exclude_frozen_parameters'),
    duplicate('client state (RNG state and others), which every data-parallel rank saves', repeated, null),
  ].filter(({ bytes }) => bytes > 0);
}

function duplicate(what: string, { bytes, paths }: Share, setting: string | null): Duplicate {
  return { what, bytes, paths: [...paths], setting };
}
