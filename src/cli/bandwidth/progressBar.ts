import type { CheckPhase, CheckProgress } from '../../core/bandwidth/measurement.js';
import { shortRate } from '../../core/text/quantities.js';
import { formatBytes, formatCount } from '../../core/text/units.js';

const phases: Readonly<Record<CheckPhase, string>> = {
  preparing: 'preparing',
  write: 'writing',
  read: 'reading',
  metadata: 'small files',
  sweep: 'sweeping',
  sustained: 'sustained rate',
  removing: 'removing',
};
const cells = 24;

/** One line of progress: `writing 2 of 3  ████████░░░░  2.1 GB of 4.3 GB  1.9 GB/s`. */
export function progressText({ phase, repeat, repeats, done, total, bytesPerSecond }: CheckProgress): string {
  const repeated = phase === 'write' || phase === 'read' || phase === 'sweep' ? ` ${repeat} of ${repeats}` : '';
  const filled = total > 0 ? Math.round((Math.min(done, total) / total) * cells) : 0;
  const bar = `${'█'.repeat(filled)}${'░'.repeat(cells - filled)}`;
  const amount =
    phase === 'metadata' ? `${formatCount(done)} of ${formatCount(total)}` : `${formatBytes(done)} of ${formatBytes(total)}`;
  const rate = bytesPerSecond === null ? '' : `  ${shortRate(bytesPerSecond)}`;
  return total > 0 ? `${phases[phase]}${repeated}  ${bar}  ${amount}${rate}` : `${phases[phase]}${repeated}`;
}

/** Draws progress over itself on standard error; nothing where that is no terminal. */
export class ProgressBar {
  private isDrawn = false;

  show(progress: CheckProgress): void {
    if (!process.stderr.isTTY) return;
    // The line is cut to the terminal: a wrapped one cannot be drawn over.
    const text = progressText(progress).slice(0, (process.stderr.columns || 80) - 1);
    process.stderr.write(`\r\u001b[K${text}`);
    this.isDrawn = true;
  }

  clear(): void {
    if (this.isDrawn) process.stderr.write('\r\u001b[K');
    this.isDrawn = false;
  }
}
