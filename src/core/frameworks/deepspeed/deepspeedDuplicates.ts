/** What DeepSpeed saves more than once, as far as names tell, and the setting that stops it. */
import { baseName, parentPath } from '../../files/paths.js';
import type { TagFiles } from './deepspeedFiles.js';
import type { Duplicate, Parts } from '../../checkpoints/parts.js';

const exported = /^(pytorch_model|model)([.-].*)?\.(bin|safetensors)$/;
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

/** Finds a gathered export beside ZeRO-3's own master weights (`hasMasterWeights`: all of them are there), frozen weights, and what each rank repeats. */
export function findDeepSpeedDuplicates(parts: Parts, tags: readonly TagFiles[], hasMasterWeights: boolean): Duplicate[] {
  const besideTag = new Set(tags.flatMap((tag) => [tag.directory, parentPath(tag.directory)]));
  const rankOfState = new Map(tags.flatMap((tag) => tag.modelStates.map((file) => [file.path, file.data] as const)));
  const [exports, frozen, repeated] = [new Share(), new Share(), new Share()];
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
        if (hasMasterWeights && isWeight && exported.test(baseName(path)) && besideTag.has(parentPath(path)))
          exports.add(path, bytes);
      } else if (name.startsWith(frozenKey)) frozen.add(path, bytes);
      else if (data !== null && data > 0 && !isWeight) repeated.add(path, bytes);
    }
  }
  return [
    duplicate(
      '16-bit weights gathered from the shards, which hold the same parameters in 32 bits',
      exports,
      'stage3_gather_16bit_weights_on_model_save',
    ),
    duplicate('frozen weights, which every checkpoint of the run saves again', frozen, 'exclude_frozen_parameters'),
    duplicate('client state (RNG state and others), which every data-parallel rank saves', repeated, null),
  ].filter(({ bytes }) => bytes > 0);
}

function duplicate(what: string, { bytes, paths }: Share, setting: string | null): Duplicate {
  return { what, bytes, paths: [...paths], setting };
}
