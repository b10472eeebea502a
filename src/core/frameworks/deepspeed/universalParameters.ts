/**
 * The files by parameter of a universal checkpoint, by the names in the model states' `param_shapes`: `zero/<parameter>/fp32.pt`, with
 * the moments beside it (deepspeed/checkpoint/ds_to_universal.py; deepspeed/checkpoint/universal_checkpoint.py:
 * load_hp_checkpoint_state).
 */
import { limits } from '../../bytes/limits.js';
import type { Parts } from '../../checkpoints/parts.js';
import { joinPath, parentPath } from '../../files/paths.js';
import type { Finding } from '../../findings/finding.js';
import { entriesOf, itemsOf, member } from '../../formats/pickle/pickleAccess.js';
import type { PickleValue } from '../../formats/pickle/pickleValue.js';

/** How many of the missing files a finding names. */
const NAMED = 5;

export interface UniversalCheck {
  findings: Finding[];
  /** No parameter has a moment, though the optimizer's groups have betas. */
  isOptimizerMissing: boolean;
}

/** @param states roots of the model states of the directory; `has` answers whether a path is listed */
export function checkUniversalParameters(
  directory: string,
  states: readonly PickleValue[],
  optimizer: PickleValue | undefined,
  has: (path: string) => boolean,
): UniversalCheck {
  const names = parameterNames(states);
  const fileOf = (name: string, file: string): string => joinPath(directory, `zero/${name}/${file}`);
  const shared = joinPath(directory, 'zero/optimizer_state.pt');
  const weights = [...names.map((name) => fileOf(name, 'fp32.pt')), shared].filter((path) => !has(path));
  const kinds = momentFiles.filter((file) => names.some((name) => has(fileOf(name, file))));
  const expected = new Set([...kinds, ...momentsOf(optimizer)]);
  // A parameter whose folder is missing has been named.
  const moments = names
    .filter((name) => has(fileOf(name, 'fp32.pt')))
    .flatMap((name) => [...expected].map((file) => fileOf(name, file)))
    .filter((path) => !has(path));
  return {
    findings: [
      ...findingOf('universal-files-missing', weights, names.length),
      ...findingOf('universal-moments-missing', moments, names.length),
    ],
    // Without model states there are no names to look for.
    isOptimizerMissing: names.length > 0 && kinds.length === 0 && expected.size > 0,
  };
}

const momentFiles = ['exp_avg.pt', 'exp_avg_sq.pt'] as const;

function findingOf(
  code: 'universal-files-missing' | 'universal-moments-missing',
  paths: readonly string[],
  parameters: number,
): Finding[] {
  if (paths.length === 0) return [];
  return [{ code, facts: { files: paths.length, parameters, first: paths.slice(0, NAMED).join(', ') } }];
}

const parameterFile = /^(?:(.*)\/)?zero\/[^/]+\/fp32\.pt$/s;
const parameterState = /^(?:.*\/)?zero\/[^/]+\/[^/]+\.pt$/s;

/** Directories of parameters with a file of optimizer state: one that lost a moment is trained all the same. */
export function trainedDirectories(files: Parts['files']): Set<string> {
  const states = files.filter(({ path }) => parameterState.test(path) && !parameterFile.test(path));
  return new Set(states.map(({ path }) => parentPath(path)));
}

/**
 * Elements of the parameters of each universal checkpoint, by its directory. A parameter without optimizer state is a buffer, which is
 * converted as well, unless none has any.
 */
export function universalElements({ tensors, files }: Pick<Parts, 'tensors' | 'files'>): Map<string, number> {
  const trained = trainedDirectories(files);
  const [withState, all] = [new Map<string, number>(), new Map<string, number>()];
  for (let row = 0; row < tensors.size; row++) {
    const piece = tensors.firstPieceOf(row);
    const path = piece < tensors.endPieceOf(row) ? files[tensors.pieceFile(piece)]?.path : undefined;
    const match = path?.endsWith('/fp32.pt') === true ? parameterFile.exec(path) : null;
    if (path === undefined || match === null) continue;
    const directory = match[1] ?? '';
    const elements = tensors.elementsOf(row);
    all.set(directory, (all.get(directory) ?? 0) + elements);
    if (trained.has(parentPath(path))) withState.set(directory, (withState.get(directory) ?? 0) + elements);
  }
  return new Map([...all, ...withState]);
}

/** Names of trained parameters, each once. An expert's parameters are numbered anew on each rank: those are left out. */
function parameterNames(states: readonly PickleValue[]): string[] {
  const names = new Set<string>();
  for (const state of states) {
    for (const group of itemsOf(member(state, 'param_shapes')) ?? []) {
      for (const name of entriesOf(group)?.keys ?? []) {
        if (names.size >= limits.rankFiles) return [...names];
        if (typeof name === 'string' && !name.includes('deepspeed_experts.')) names.add(name);
      }
    }
  }
  return [...names];
}

/** Moments that the optimizer's settings imply: `betas` a first one, with `eps` a second (Lion has neither `eps` nor a second). */
function momentsOf(optimizer: PickleValue | undefined): string[] {
  const own = [optimizer, member(optimizer, 'optimizer_state_dict'), member(optimizer, 'base_optimizer_state')];
  const [group] = own.flatMap((state) => itemsOf(member(state, 'param_groups')) ?? []);
  if (member(group, 'betas') === undefined) return [];
  return member(group, 'eps') === undefined ? ['exp_avg.pt'] : [...momentFiles];
}
