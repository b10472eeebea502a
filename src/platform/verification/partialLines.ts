import { appendFile } from 'node:fs/promises';

/** Small files take less time than making sure that a line is on the disk: lines of up to a second are written at once. */
const longestWaitMs = 1000;

/** Lines at the end of a file, which are on the disk a second later, or once they are flushed. */
export class PartialLines {
  private pending = '';
  private hasFailed = false;
  private timer: NodeJS.Timeout | null = null;
  private written: Promise<void> = Promise.resolve();

  constructor(private readonly file: string) {}

  /** @throws the system's error, of lines before too */
  async add(text: string): Promise<void> {
    this.pending += text;
    this.timer ??= setTimeout(() => void this.flush().catch(() => undefined), longestWaitMs);
    if (this.hasFailed) await this.written;
  }

  /** Writes all lines. @throws the system's error, of lines before too */
  flush(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.written = this.written.then(async () => {
      const text = this.pending;
      this.pending = '';
      if (text === '') return;
      await appendFile(this.file, text, { flush: true }).catch((error: unknown) => {
        this.hasFailed = true;
        throw error;
      });
    });
    return this.written;
  }
}
