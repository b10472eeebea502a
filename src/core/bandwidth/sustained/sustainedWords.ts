import { shortRate, shortTime } from '../../text/quantities.js';
import { formatBytes } from '../../text/units.js';
import type { SustainedReport } from './sustainedReport.js';

/** What became of the rate while files were written without a pause, in a sentence. */
export function sustainedSentence(report: SustainedReport): string {
  const { outcome, burst, bytesPerSecond, bytes, seconds } = report;
  const rate = shortRate(bytesPerSecond);
  const within = `${formatBytes(bytes)} (${shortTime(seconds)})`;
  if (burst === null || outcome === 'steady') return `Sustained: ${rate}; no fall within ${within}.`;
  const from = `${shortRate(burst.bytesPerSecond)} to ${rate}`;
  switch (outcome) {
    case 'spent-before':
      return `Sustained: ${rate}; no fall within ${within}, but the repeats wrote ${shortRate(burst.bytesPerSecond)}: they had spent a burst of at most ${formatBytes(burst.bytes)}.`;
    case 'fell':
      return `Sustained: falls from ${from} after ${formatBytes(burst.bytes)} (${shortTime(burst.seconds)})${before(report)}.`;
    case 'unsettled':
      return `Sustained: falls from ${from} after ${formatBytes(burst.bytes)} (${shortTime(burst.seconds)})${before(report)}, and had not settled after ${within}.`;
  }
}

/** What was written ahead of it counts to the burst, too. */
function before({ writtenBeforeBytes }: SustainedReport): string {
  return writtenBeforeBytes === 0 ? '' : ` and the ${formatBytes(writtenBeforeBytes)} of this check before them`;
}
