import type { ReadingState } from '../../protocol/messages.js';
import { RpcError } from '../../protocol/rpc.js';

/** One reading of all bytes after the other, of what a panel shows. It goes on while the panel is hidden, whose page knows nothing then. */
export class ReadingRun<Report, Progress> {
  state: ReadingState<Report, Progress> = { kind: 'none' };
  private abort: AbortController | null = null;

  constructor(private readonly onDidChange: (state: ReadingState<Report, Progress>) => void) {}

  /** Ends the one that is under way. @param read does it */
  async start(read: (signal: AbortSignal) => Promise<Report>): Promise<void> {
    this.abort?.abort();
    const abort = new AbortController();
    this.abort = abort;
    this.become({ kind: 'running', progress: null });
    const ended = await read(abort.signal).then(
      (report): ReadingState<Report, Progress> => ({ kind: 'done', report }),
      (error: unknown) => stateOfError(error),
    );
    if (this.abort === abort) this.become(ended);
  }

  progress(progress: Progress): void {
    if (this.state.kind === 'running') this.become({ kind: 'running', progress });
  }

  /** Nothing is known afterwards. */
  cancel(): void {
    this.abort?.abort();
    this.abort = null;
    this.become({ kind: 'none' });
  }

  private become(state: ReadingState<Report, Progress>): void {
    this.state = state;
    this.onDidChange(state);
  }
}

function stateOfError(error: unknown): ReadingState<never, never> {
  if (error instanceof RpcError && (error.code === 'cancelled' || error.code === 'disposed')) return { kind: 'none' };
  return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
}
