import type { ResumeVerdict } from '../../checkpoints/checkpointReport.js';

/** `2026-11-21 07:58:02`, in UTC as the report has it; empty where it is not known. */
export function timeText(iso: string | null): string {
  return iso === null ? '' : iso.slice(0, 19).replace('T', ' ');
}

/** The verdict in one or two words, for headings, cards and tables. */
export const verdictWords: Record<ResumeVerdict, string> = {
  complete: 'complete',
  partial: 'partial',
  'weights-only': 'weights only',
  broken: 'fails',
  none: 'no checkpoint',
};
