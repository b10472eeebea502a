/** Where the names of tensors are unique: mostly in a directory, but some frameworks repeat them from file to file. */
import { baseName, parentPath } from '../files/paths.js';

/**
 * Files of one directory in which equal names are different tensors: the model-parallel ranks and pipeline layers of DeepSpeed, Meta's
 * tensor-parallel files, Accelerate's second model. The data-parallel ranks of one model-parallel rank share a scope.
 */
const scopes = [
  /^.*?(mp_rank_\d+)_\w+_states\.pt$/s,
  /^(layer_\d+-.*)model_states\.pt$/s,
  /^(consolidated\.\d+)\.pth$/,
  // Other programs number their saves so, as model_0004999.pth of detectron2 (fvcore/common/checkpoint.py: PeriodicCheckpointer).
  /^((?:pytorch_)?model(?:_fsdp)?_\d+)(?!\d|\.(?:pth?|ckpt|zip)$).*$/s,
];

/**
 * A name for the scope of a file's tensors: equal for files whose tensors of equal names are the same. `sharded/` holds the slices from
 * which the files beside it were consolidated (torch/distributed/checkpoint/hf_storage.py).
 */
export function nameScopeOf(path: string): string {
  const name = baseName(path);
  for (const pattern of scopes) {
    const own = pattern.exec(name)?.[1];
    if (own !== undefined) return `${parentPath(path)}/${own}`;
  }
  const directory = parentPath(path);
  return baseName(directory) === 'sharded' ? parentPath(directory) : directory;
}
