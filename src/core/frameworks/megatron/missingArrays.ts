/**
 * Arrays of a zarr save that are not there although other parts of it name their parameter. Each array is a directory of its own, and no
 * index lists them (megatron/core/dist_checkpointing/strategies/zarr.py).
 */
import { memberOf } from '../../formats/text/jsonMember.js';
import { baseName, joinPath, parentPath } from '../../files/paths.js';
import type { Listing } from '../../files/listing.js';
import { NAMED_ARRAYS } from '../../findings/arrayFindings.js';
import type { Finding } from '../../findings/finding.js';
import { ZARR_2_NAME } from '../../formats/zarr.js';

/** State of an optimizer that is stored by parameter, under the parameter's own name. */
const optimizerArray = /^(?:chained_\d+\.)?optimizer\.state\.(?:fp32_param|param|exp_avg|exp_avg_sq)\.(.+)$/;
/** Linear modules of transformer layers have a weight each; an output layer may share the one of the embedding. */
const linearState = /^(.+\.linear_\w+)\._extra_state$/;

/** The finding for the save in `root`, whose metadata.json is `metadata`. */
export function findMissingArrays(listing: Listing, root: string, metadata: unknown): Finding[] {
  if (memberOf(metadata, 'sharded_backend') !== 'zarr') return [];
  const arrays = new Set<string>();
  const named = new Set<string>();
  for (const [directory, paths] of listing.directories) {
    if (directory === '' || parentPath(directory) !== root) continue;
    const name = baseName(directory);
    const parameter = optimizerArray.exec(name)?.[1];
    const module = linearState.exec(name)?.[1];
    if (parameter !== undefined) named.add(parameter);
    else if (module !== undefined) named.add(`${module}.weight`);
    if (paths.some((path) => baseName(path) === ZARR_2_NAME)) arrays.add(name);
  }
  const missing = [...named].filter((name) => !arrays.has(name));
  if (missing.length === 0) return [];
  const first = missing.slice(0, NAMED_ARRAYS).join(', ');
  const facts = { missing: missing.length, first, source: 'other state of the save', elements: 0 };
  return [{ code: 'arrays-missing', path: joinPath(root, 'metadata.json'), facts }];
}
