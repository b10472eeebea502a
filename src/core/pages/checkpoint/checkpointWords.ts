import type { ResumeReport, ResumeVerdict, RunCheckpoint, SizeChange, SizeChanges } from '../../checkpoints/checkpointReport.js';

/** `2026-11-21 07:58:02`, in UTC as the report has it; empty where it is not known. */
export function timeText(iso: string | null): string {
  return iso === null ? '' : iso.slice(0, 19).replace('T', ' ');
}

/** The verdict in one or two words, for headings, cards and tables. */
export const verdictWords: Record<ResumeVerdict, string> = {
  complete: 'complete',
  partial: 'partial',
  'weights-only': 'weights only',
  'state-only': 'state only',
  unknown: 'not known',
  broken: 'fails',
  none: 'no checkpoint',
};

/** The verdict of a checkpoint, and whether it holds by an explicit path alone. */
export function resumeWords({ verdict, pointer }: Pick<ResumeReport, 'verdict' | 'pointer'>): string {
  return `${verdictWords[verdict]}${pointer === undefined ? '' : ' by explicit path'}`;
}

/** Of one checkpoint of a run: whether it resumes, or why it is no save to resume from. */
export function checkpointState({ finished, verdict, copyOf }: RunCheckpoint): string {
  if (copyOf !== undefined) return 'copy';
  return finished ? verdictWords[verdict] : 'unfinished';
}

const sizeLabels: Record<keyof SizeChanges, string> = {
  dataParallel: 'data-parallel ranks',
  tensorParallel: 'tensor-parallel size',
  pipelineParallel: 'pipeline-parallel size',
};

const answers: Record<SizeChange, string> = { load: 'loads', convert: 'loads after a conversion', no: 'does not load' };

/** Whether a job loads it in which one of these differs, in words. */
export function otherSizesOf(changes: SizeChanges): { size: string; answer: string }[] {
  return (['dataParallel', 'tensorParallel', 'pipelineParallel'] as const).map((size) => ({
    size: sizeLabels[size],
    answer: answers[changes[size]],
  }));
}
