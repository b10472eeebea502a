import type { ResumeVerdict } from '../../checkpoints/checkpointReport.js';

/** `2026-11-21 07:58:02`, in UTC as the report has it; empty where it is not known. */
export function timeText(iso: string | null): string {
  return iso === null ? '' : iso.slice(0, 19).replace('T', ' ');
}

/** The verdict in a few words, for a card. */
export const verdictWords: Record<ResumeVerdict, string> = {
  complete: 'Yes, completely',
  partial: 'Yes, in part',
  'weights-only': 'No: weights only',
  broken: 'No: it would fail',
};
