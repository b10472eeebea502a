/** Several data sets of one layout beside each other: each has a directory of its own, which is complete with its own index. */
import type { Claim } from '../../datasets/detectDataset.js';
import type { DatasetLayoutId } from '../../datasets/datasetReport.js';
import { isSplitName } from '../../datasets/splitName.js';
import { baseName } from '../../files/paths.js';

/**
 * Names of the files by which a directory of this layout is complete. Layouts without such a file have none: directories of theirs may be the
 * sources of one data set.
 */
const indexNames: Partial<Record<DatasetLayoutId, RegExp>> = {
  'huggingface-dataset': /^(state|dataset_info|dataset_dict)\.json$/,
  mds: /^index\.json$/,
  litdata: /^index\.json$/,
  'megatron-indexed': /\.idx$/,
};

/**
 * True where each directory with files of the claim has an index below it. Splits (`train`, `validation`) and directories whose names differ
 * in a number alone (`shard_0`, `shard_1`) are parts of one data set.
 */
export function areDatasetsApart({ layout, paths }: Pick<Claim, 'paths'> & { layout: { id: DatasetLayoutId } }): boolean {
  const isIndex = indexNames[layout.id];
  if (isIndex === undefined) return false;
  const directories = branchesOf(paths);
  if (directories === undefined || directories.size < 2) return false;
  const names = [...directories.keys()];
  if (names.some(isSplitName) || new Set(names.map((name) => name.replace(/\d+/g, '#'))).size < names.length) return false;
  return [...directories.values()].every((own) => own.some((path) => isIndex.test(baseName(path))));
}

/** The paths by the directories into which they part first; undefined where a file lies beside these. Locks do not count. */
function branchesOf(paths: readonly string[]): Map<string, string[]> | undefined {
  const own = paths.filter((path) => !path.endsWith('.lock')).map((path) => path.split('/'));
  const [first = []] = own;
  let depth = 0;
  while (depth < first.length - 1 && own.every((parts) => parts.length > depth + 1 && parts[depth] === first[depth])) depth += 1;
  const branches = new Map<string, string[]>();
  for (const parts of own) {
    const name = parts[depth];
    if (name === undefined || parts.length <= depth + 1) return undefined;
    const branch = branches.get(name) ?? [];
    branch.push(parts.join('/'));
    branches.set(name, branch);
  }
  return branches;
}
