import type { VerificationReport } from '../../core/verification/verification.js';
import type { VerifyProgress } from '../../core/verification/verifyTree.js';
import type { VerificationState } from '../../protocol/messages.js';
import { RpcError } from '../../protocol/rpc.js';

/** One verification after the other of what a panel shows. It goes on while the panel is hidden, whose page knows nothing then. */
export class VerificationRun {
  state: VerificationState = { kind: 'none' };
  private abort: AbortController | null = null;

  constructor(private readonly onDidChange: (state: VerificationState) => void) {}

  /** Ends the one that is under way. @param verify does it */
  async start(verify: (signal: AbortSignal) => Promise<VerificationReport>): Promise<void> {
    this.abort?.abort();
    const abort = new AbortController();
    this.abort = abort;
    this.become({ kind: 'running', progress: null });
    const ended = await verify(abort.signal).then(
      (report): VerificationState => ({ kind: 'done', report }),
      (error: unknown): VerificationState => stateOfError(error),
    );
    if (this.abort === abort) this.become(ended);
  }

  progress(progress: VerifyProgress): void {
    if (this.state.kind === 'running') this.become({ kind: 'running', progress });
  }

  /** Nothing is known afterwards. */
  cancel(): void {
    this.abort?.abort();
    this.abort = null;
    this.become({ kind: 'none' });
  }

  private become(state: VerificationState): void {
    this.state = state;
    this.onDidChange(state);
  }
}

function stateOfError(error: unknown): VerificationState {
  if (error instanceof RpcError && (error.code === 'cancelled' || error.code === 'disposed')) return { kind: 'none' };
  return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
}
