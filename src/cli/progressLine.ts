import { formatBytes } from '../core/text/units.js';
import type { ValuesProgress } from '../core/values/valuesReport.js';

/** Draws progress over itself on standard error; nothing where that is no terminal. */
export class ProgressLine {
  private drawn = '';

  show({ bytesRead, totalBytes }: ValuesProgress): void {
    if (!process.stderr.isTTY) return;
    const text = `read ${formatBytes(bytesRead)} of ${formatBytes(totalBytes)}`;
    if (text === this.drawn) return;
    this.drawn = text;
    process.stderr.write(`\r\u001b[K${text}`);
  }

  clear(): void {
    if (this.drawn !== '') process.stderr.write('\r\u001b[K');
    this.drawn = '';
  }
}
