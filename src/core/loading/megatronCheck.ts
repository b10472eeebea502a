/**
 * Saves of Megatron-LM against the arguments that they contain: the model that these build is the one that loads the save. As in Megatron Core 0.14 and later:
 * - A distributed save is refused for a missing tensor, and for another shape but for the rows of the embedding and of the output layer; tensors beyond those
 *   of the model are not read (megatron/core/dist_checkpointing/strategies/torch.py, `assume_ok_unexpected`; `allow_shape_mismatch` in tensor_parallel/layers.py and
 *   models/common/language_module/language_module.py).
 * - A legacy one is loaded strictly, and where that fails once more without that, which only another shape ends (megatron/training/checkpointing.py,
 *   `load_model_state_dict`); earlier releases stop at the first try.
 */
import { parentPath } from '../files/paths.js';
import { savedArguments } from '../frameworks/megatron/savedArguments.js';
import { savedGpt, type SavedGpt } from '../frameworks/megatron/savedGpt.js';
import type { ReadResult } from '../checkpoints/readFiles.js';
import { counted } from '../text/quantities.js';
import { compareMegatron, shapeOfRank, type ComparedMegatron } from './dialects/compareMegatron.js';
import { openModel, type ModelCheck } from './comparedModel.js';
import { noDifferences } from './tensors/tensorDifferences.js';
import { weightPatterns } from './weightPatterns.js';

/** Undefined where there is no save of Megatron, or none with arguments. */
export function megatronCheck(read: ReadResult): ModelCheck | undefined {
  const { parts } = read;
  const isByRank = parts.layout === 'megatron-legacy';
  if (!isByRank && parts.layout !== 'megatron-distributed') return undefined;
  const args = savedArguments(parts);
  if (args === undefined) return undefined;
  const stored = weightPatterns(read);
  const gpt = savedGpt(args);
  const reason = typeof gpt === 'string' ? gpt : isByRank ? whyNotByRank(gpt, read) : undefined;
  if (typeof gpt === 'string' || reason !== undefined) return open(read, reason ?? '');
  const compared = compareMegatron(parts.tensors, gpt, stored.values(), isByRank);
  const { differences, unknown } = compared;
  if (unknown !== undefined) return open(read, `a GPT of its arguments has no tensor ${unknown}`, differences);
  if (differences.counts.missing * 2 > differences.counts.expected)
    return open(read, 'too few of its tensors are here', differences);
  return {
    framework: parts.framework.name,
    architecture: 'GPT',
    differences,
    fits: [],
    ...verdictOf(compared, isByRank),
    checked: ['config'],
    notChecked: [],
    findings: [],
    done: [`saved arguments: names and shapes of ${counted(differences.counts.expected, 'tensor')} that a GPT has`],
  };
}

function open({ parts }: ReadResult, detail: string, differences = noDifferences()): ModelCheck {
  return openModel({ framework: parts.framework.name, architecture: null, differences }, detail);
}

/** Experts are on ranks of their own, and groups of queries that are fewer than the ranks are copied by some releases. */
function whyNotByRank({ groups, experts, queryGroups, tensorParallel }: SavedGpt, { parts }: ReadResult): string | undefined {
  if (experts > 0) return 'how experts are spread over the ranks is not known here';
  if (queryGroups !== null && queryGroups < tensorParallel) return 'its ranks share groups of queries';
  if (!groups.every((group) => shapeOfRank(group, tensorParallel).every(Number.isInteger)))
    return 'its tensor-parallel size does not divide its tensors';
  const saves = new Set(
    parts.files.filter(({ path }) => /\/model_(?:optim_)?rng\.pt$/.test(path)).map(({ path }) => parentPath(parentPath(path))),
  );
  return saves.size > 1 ? 'there are several saves here' : undefined;
}

function verdictOf({ differences, hasOnlyOtherRows }: ComparedMegatron, isByRank: boolean): Pick<ModelCheck, 'verdict' | 'why'> {
  const { counts, missing, mismatched } = differences;
  const [mismatch] = mismatched;
  if (mismatch !== undefined) {
    const { name, expected, found } = mismatch;
    const why = `${counted(counts.mismatched, 'tensor')} of another shape: ${name} is ${found.join(' × ')}, the saved arguments ask for ${expected.join(' × ')}.`;
    const isPadded = !isByRank && counts.missing === 0 && hasOnlyOtherRows;
    return { verdict: isPadded ? 'loads-with-warnings' : 'fails', why };
  }
  // A second, lenient try leaves these as they were initialized.
  const stops = isByRank ? '; Megatron Core before 0.14 stops there' : '';
  if (counts.missing > 0)
    return {
      verdict: isByRank ? 'loads-with-warnings' : 'fails',
      why: `${counted(counts.missing, 'tensor')} of the model not here: ${missing[0]?.name ?? ''}${stops}.`,
    };
  if (counts.unexpected > 0)
    return {
      verdict: 'loads-with-warnings',
      why: `${counted(counts.unexpected, 'tensor')} more than the saved arguments ask for${stops}.`,
    };
  return { verdict: 'loads', why: '' };
}
