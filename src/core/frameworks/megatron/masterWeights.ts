/**
 * Megatron's master weights against the weights that they are copies of. Frozen parameters have none, so that fewer are no damage; more
 * than there are weights, or others, are of another model or job (megatron/core/optimizer: optimizer.py, distrib_optimizer.py).
 */
import type { Parts } from '../../checkpoints/parts.js';
import { isReplicatedByName } from '../../checkpoints/layouts/replicatedNames.js';
import type { Finding } from '../../findings/finding.js';
import { isFloatDtype } from '../../tensors/dtype.js';

/** Weights and master weights of one rank's directory. */
interface RankSums {
  weights: number;
  masters: number;
  tensors: number;
  /** First file with master weights. */
  path: string;
  /** Weights by their shapes; a master weight takes one away. */
  shapes: Map<string, number>;
  /** Shapes of master weights of single parameters. */
  masterShapes: string[];
}

/**
 * Legacy saves: each rank's directory has its weights and, as tensors of the same shapes or as one padded buffer, their master weights.
 * Tensor-parallel ranks with equally many weights have equally many master weights, whatever is frozen.
 * @param directoryOf the rank's directory of a file; undefined for files of no rank
 */
export function findOtherMastersOfRanks(parts: Parts, directoryOf: (path: string) => string | undefined): Finding[] {
  const ranks = sumByRank(parts, directoryOf);
  const most = new Map<string, number>();
  const keyOf = (directory: string, weights: number): string => `${weights} ${directory.replace(/mp_rank_\d+/, '')}`;
  for (const [directory, rank] of ranks) {
    const key = keyOf(directory, rank.weights);
    if (!isOfOtherModel(rank)) most.set(key, Math.max(most.get(key) ?? 0, rank.masters));
  }
  return [...ranks].flatMap(([directory, rank]): Finding[] => {
    const { weights, masters, path } = rank;
    if (isOfOtherModel(rank)) return [differs(path, masters, weights)];
    const usual = most.get(keyOf(directory, weights)) as number;
    return masters > 0 && masters < usual ? [differs(path, masters, usual)] : [];
  });
}

function sumByRank(parts: Parts, directoryOf: (path: string) => string | undefined): Map<string, RankSums> {
  const { tensors, files } = parts;
  const ranks = new Map<string, RankSums>();
  for (let row = 0; row < tensors.size; row++) {
    const component = tensors.componentOf(row);
    if (component !== 'weights' && component !== 'masterWeights') continue;
    const piece = tensors.firstPieceOf(row);
    const path = piece < tensors.endPieceOf(row) ? files[tensors.pieceFile(piece)]?.path : undefined;
    const directory = path === undefined ? undefined : directoryOf(path);
    if (path === undefined || directory === undefined || !isFloatDtype(tensors.dtypeOf(row))) continue;
    const rank: RankSums = ranks.get(directory) ?? {
      weights: 0,
      masters: 0,
      tensors: 0,
      path: '',
      shapes: new Map(),
      masterShapes: [],
    };
    ranks.set(directory, rank);
    const shape = tensors.shapeOf(row).join('x');
    if (component === 'weights') {
      rank.weights += tensors.elementsOf(row);
      rank.tensors += 1;
      rank.shapes.set(shape, (rank.shapes.get(shape) ?? 0) + 1);
      continue;
    }
    rank.masters += tensors.elementsOf(row);
    if (rank.path === '') rank.path = path;
    if (tensors.nameOf(row).includes('fp32_from_fp16_params.')) rank.masterShapes.push(shape);
  }
  return ranks;
}

function isOfOtherModel(rank: RankSums): boolean {
  const { weights, masters, tensors } = rank;
  if (masters === 0 || weights === 0) return false;
  return hasOtherShape(rank) || masters > weights + paddingOf(weights, tensors, 1);
}

/** Whether a master weight of one parameter has a shape that no weight of the rank is left with. */
function hasOtherShape({ shapes, masterShapes }: RankSums): boolean {
  const left = new Map(shapes);
  return masterShapes.some((shape) => {
    const count = left.get(shape) ?? 0;
    left.set(shape, count - 1);
    return count === 0;
  });
}

/**
 * Distributed saves: by parameter (`optimizer.state.param.<name>`), each master weight has as many elements as its parameter; in buckets
 * all of them have as many as the tensor-parallel ranks have weights, with padding.
 */
export function findOtherMasters({ tensors, topology }: Parts): Finding[] {
  const tensorParallel = topology.tensorParallel ?? 1;
  const weights = new Map<string, number>();
  const masters: { name: string; elements: number }[] = [];
  let [inBuckets, byRanks, tied] = [0, 0, 0];
  for (let row = 0; row < tensors.size; row++) {
    const component = tensors.componentOf(row);
    if ((component !== 'weights' && component !== 'masterWeights') || !isFloatDtype(tensors.dtypeOf(row))) continue;
    const [name, elements] = [tensors.nameOf(row), tensors.elementsOf(row)];
    if (component === 'weights') {
      weights.set(name, elements);
      byRanks += isReplicatedByName(name) ? elements * tensorParallel : elements;
      if (name.endsWith('word_embeddings.weight')) tied += elements;
      continue;
    }
    const parameter = /(?:^|\.)state\.(?:fp32_)?param\.(.+)$/.exec(name)?.[1];
    if (parameter === undefined) inBuckets += elements;
    else masters.push({ name: parameter, elements });
  }
  const others = masters.filter(({ name, elements }) => (weights.get(name) ?? elements) !== elements);
  const [held, trained] = [sumOf(others), others.reduce((sum, { name }) => sum + (weights.get(name) ?? 0), 0)];
  if (others.length > 0) return [differs(undefined, held, trained)];
  // The last stage has a copy of the embedding where the output layer is tied to it.
  const needed = byRanks + ((topology.pipelineParallel ?? 1) > 1 ? tied : 0);
  const modelRanks = tensorParallel * (topology.pipelineParallel ?? 1) * (topology.expertParallel ?? 1);
  const hasExperts = [...weights.keys()].some((name) => name.includes('.experts.'));
  if (weights.size === 0 || hasExperts || inBuckets <= needed + paddingOf(needed, weights.size, modelRanks)) return [];
  return [differs(undefined, inBuckets, needed)];
}

function sumOf(own: readonly { elements: number }[]): number {
  return own.reduce((sum, { elements }) => sum + elements, 0);
}

/**
 * How many elements a buffer may have besides its parameters: parameters begin at multiples of 64, buckets end at multiples of 128 and of
 * the number of data-parallel ranks, or of 2^16, which is less than a tenth of one (megatron/core/distributed/param_and_grad_buffer.py).
 */
function paddingOf(elements: number, tensors: number, ranks: number): number {
  return Math.ceil(elements / 10) + ranks * (64 * tensors + 65_536);
}

function differs(path: string | undefined, held: number, trained: number): Finding {
  return { code: 'master-weights-differ', ...(path === undefined ? {} : { path }), facts: { held, trained } };
}
