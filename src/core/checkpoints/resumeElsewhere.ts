/** Whether a job of given sizes can go on from a checkpoint. */
import type { CheckpointReport, ModelSizes, ResumeElsewhere, SizeChanges, Topology } from './checkpointReport.js';

/** Sizes of the job that is to load it. What is not given stays as it was saved. */
export interface JobSizes {
  ranks: number;
  tensorParallel?: number;
  pipelineParallel?: number;
}

/** The answer for a job of these sizes, with why. */
export function resumeElsewhere(
  { resume, topology }: Pick<CheckpointReport, 'resume' | 'topology'>,
  job: JobSizes,
): ResumeElsewhere {
  const saved = savedSizes(topology);
  const tensorParallel = job.tensorParallel ?? saved.tensorParallel ?? 1;
  const pipelineParallel = job.pipelineParallel ?? saved.pipelineParallel ?? 1;
  const dataParallel = job.ranks / (tensorParallel * pipelineParallel);
  const sizes = { ranks: job.ranks, dataParallel, tensorParallel, pipelineParallel };
  const answer = (can: ResumeElsewhere['can'], why: string, command: string | null = null): ResumeElsewhere => ({
    ...sizes,
    can,
    why,
    command,
  });
  if (!Number.isSafeInteger(dataParallel) || dataParallel < 1)
    return answer(
      'no',
      `${job.ranks} ranks cannot be split into tensor-parallel ${tensorParallel} times pipeline-parallel ${pipelineParallel}.`,
    );
  const { reshard, verdict } = resume;
  if (verdict === 'broken') return answer('no', 'Nothing can resume from it: see the findings.');
  if (verdict === 'unknown') return answer('unknown', 'Whether it loads is not known: see the findings.');
  const model = reshard?.model ?? resume.model;
  const misfit = misfitOf(model, tensorParallel, pipelineParallel);
  if (misfit !== undefined) return answer('no', misfit);
  const yes = (why: string): ResumeElsewhere => answer('yes', why + caveatOf(model, tensorParallel, pipelineParallel));
  if (reshard === undefined)
    return (topology.worldSize ?? 1) > 1
      ? answer('unknown', 'How its loader takes other sizes is not known for this layout.')
      : yes('It was saved by one process, in whole files.');
  const changed = keys.filter((key) => saved[key] !== null && saved[key] !== sizes[key]);
  const needed = changed.map((key) => reshard.changes[key]);
  const unknown = keys.filter((key) => saved[key] === null && reshard.changes[key] !== 'load');
  if (needed.includes('no')) return answer('no', reshard.detail);
  if (needed.includes('convert')) return answer('convert', reshard.detail, reshard.command);
  if (unknown.length > 0) return answer('unknown', `The files do not say which sizes saved it. ${reshard.detail}`);
  return changed.length === 0 ? answer('yes', 'These are the sizes that saved it.') : yes(reshard.detail);
}

/** Why the model cannot be divided into these sizes; undefined where nothing says so. */
function misfitOf(model: ModelSizes | undefined, tensorParallel: number, pipelineParallel: number): string | undefined {
  const { attentionHeads = null, queryGroups = null, layers = null } = model ?? {};
  if (attentionHeads !== null && attentionHeads % tensorParallel !== 0)
    return `${attentionHeads} attention heads cannot be divided among ${tensorParallel} tensor-parallel ranks.`;
  // TransformerConfig.__post_init__ of megatron/core: a multiple, or a divisor, whose groups several ranks hold.
  if (queryGroups !== null && queryGroups % tensorParallel !== 0 && tensorParallel % queryGroups !== 0)
    return `${queryGroups} query groups are neither a multiple nor a divisor of ${tensorParallel} tensor-parallel ranks.`;
  if (layers !== null && pipelineParallel > layers)
    return `${layers} layers are fewer than ${pipelineParallel} pipeline stages: only a pipeline layout with stages without layers loads it.`;
  return undefined;
}

/** What the answer leaves open, as further sentences. */
function caveatOf(model: ModelSizes | undefined, tensorParallel: number, pipelineParallel: number): string {
  const { attentionHeads = null, layers = null, vocabulary = null } = model ?? {};
  const isOpen = (tensorParallel > 1 && attentionHeads === null) || (pipelineParallel > 1 && layers === null);
  const rest = vocabulary === null ? 0 : vocabulary % tensorParallel;
  return [
    isOpen ? ' The model’s sizes were not considered: no config here states them.' : '',
    rest === 0
      ? ''
      : ` Its vocabulary of ${vocabulary} is no multiple of ${tensorParallel}: the framework has to pad the embedding.`,
  ].join('');
}

const keys = ['dataParallel', 'tensorParallel', 'pipelineParallel'] as const satisfies readonly (keyof SizeChanges)[];

/** Null where the files do not say. Without tensor and pipeline parallelism all ranks are data-parallel. */
function savedSizes({
  worldSize,
  dataParallel,
  tensorParallel,
  pipelineParallel,
}: Topology): Record<keyof SizeChanges, number | null> {
  const others = (tensorParallel ?? 1) * (pipelineParallel ?? 1);
  const rest = worldSize === null ? null : worldSize / others;
  return {
    dataParallel: dataParallel ?? (rest !== null && Number.isSafeInteger(rest) ? rest : null),
    tensorParallel: tensorParallel ?? (worldSize === null ? null : 1),
    pipelineParallel: pipelineParallel ?? (worldSize === null ? null : 1),
  };
}
