import type { BandwidthReport } from '../../bandwidth/bandwidthReport.js';
import { sweepSentences } from './sweepPage.js';

/** What a check means, and with how many streams to write where they were swept. */
export function answersOf({ verdict, sweep }: BandwidthReport): string[] {
  return [...verdict.sentences, ...(sweep === null ? [] : sweepSentences(sweep))];
}
