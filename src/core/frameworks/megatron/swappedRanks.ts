/**
 * Files of legacy Megatron under the name of another rank. Each file keeps the arguments of the process that wrote it, with its global
 * rank; tensor-parallel ranks vary fastest, pipeline stages slowest or, with `--use-tp-pp-dp-mapping`, next (megatron/core/parallel_state.py:
 * RankGenerator, initialize_model_parallel). Converters write all files as one process: these tell by their modules alone.
 */
import type { Parts } from '../../checkpoints/parts.js';
import { countOf } from '../../checkpoints/layouts/stateSteps.js';
import type { Finding } from '../../findings/finding.js';
import { member } from '../../formats/pickle/pickleAccess.js';
import type { PickleValue } from '../../formats/pickle/pickleValue.js';
import { countIn } from './megatronArguments.js';
import type { ModelRank } from './megatronReplicas.js';

/** A file of a model-parallel rank: the ranks by its directory's name, and what is in it. */
export interface RankContent {
  path: string;
  named: Pick<ModelRank, 'tensor' | 'pipeline'>;
  root: PickleValue | undefined;
}

/** A finding for each file of one save that another rank wrote. */
export function findSwappedRanks(parts: Parts, files: readonly RankContent[]): Finding[] {
  const written = files.map(({ root }) => countOf(member(member(root, 'args'), 'rank')));
  const byArguments = new Set(written).size > 1 ? findOtherRanks(files) : [];
  return byArguments.length > 0 ? byArguments : findOtherStages(parts, files);
}

/** Files whose arguments are those of another rank than their names. */
function findOtherRanks(files: readonly RankContent[]): Finding[] {
  return files.flatMap(({ path, named, root }): Finding[] => {
    const own = ranksIn(member(root, 'args'));
    if (own === undefined || (own.tensor === named.tensor && own.pipeline === named.pipeline)) return [];
    return [swapped(path, named, `that of ${textOf(own)}`)];
  });
}

/** Model-parallel ranks of the process with these arguments; undefined where they do not state its rank and the sizes of its job. */
function ranksIn(args: PickleValue | undefined): RankContent['named'] | undefined {
  const rank = countOf(member(args, 'rank'));
  const [world, tensor, pipeline] = [
    countIn(args, 'world_size'),
    countIn(args, 'tensor_model_parallel_size'),
    countIn(args, 'pipeline_model_parallel_size'),
  ];
  if (rank === null || world === null || tensor === null || pipeline === null || rank >= world) return undefined;
  // An encoder with sizes of its own has its ranks before the others.
  if (countIn(args, 'encoder_pipeline_model_parallel_size') !== null) return undefined;
  const isPipelineNext = member(args, 'use_tp_pp_dp_mapping') === true;
  const stride = isPipelineNext ? tensor * (countIn(args, 'context_parallel_size') ?? 1) : world / pipeline;
  if (!Number.isSafeInteger(stride)) return undefined;
  return { tensor: rank % tensor, pipeline: Math.floor(rank / stride) % pipeline };
}

/**
 * First stages without the embedding that another stage has, last ones without the final norm and the output layer that another has. A
 * last stage may have an embedding too (multi-token prediction), and one before it the final norm.
 */
function findOtherStages({ tensors, files: parts }: Parts, files: readonly RankContent[]): Finding[] {
  const last = files.reduce((largest, { named }) => Math.max(largest, named.pipeline), 0);
  if (last === 0) return [];
  const [embeddings, heads] = [new Set<string>(), new Set<string>()];
  for (let row = 0; row < tensors.size; row++) {
    if (tensors.componentOf(row) !== 'weights') continue;
    const name = tensors.nameOf(row);
    const isEmbedding = /(^|\.)embedding\.word_embeddings\.weight$/.test(name);
    if (!isEmbedding && !ofLastStage.test(name)) continue;
    const piece = tensors.firstPieceOf(row);
    const path = piece < tensors.endPieceOf(row) ? parts[tensors.pieceFile(piece)]?.path : undefined;
    if (path !== undefined) (isEmbedding ? embeddings : heads).add(path);
  }
  return files.flatMap(({ path, named, root }): Finding[] => {
    if (root === undefined) return [];
    const lacks = (own: ReadonlySet<string>): boolean => own.size > 0 && !own.has(path);
    if (named.pipeline === 0 && lacks(embeddings)) return [swapped(path, named, 'a later stage, without the embedding')];
    return named.pipeline === last && lacks(heads) ? [swapped(path, named, 'an earlier stage, without the output layer')] : [];
  });
}

const ofLastStage = /(^|\.)(final_(layer)?norm|output_layer|word_embeddings_for_head)\.weight$/;

function swapped(path: string, named: RankContent['named'], content: string): Finding {
  return { code: 'content-not-its-role', path, facts: { role: `training state of ${textOf(named)}`, content } };
}

function textOf({ tensor, pipeline }: RankContent['named']): string {
  return `tp ${tensor} · pp ${pipeline}`;
}
