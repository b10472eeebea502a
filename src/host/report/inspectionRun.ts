import { formatBinaryBytes } from '../../core/text/units.js';
import type { Report } from '../../core/inspection/report.js';
import type { VerifyProgress } from '../../core/verification/verifyTree.js';
import type { InspectionTarget } from '../../platform/inspectionTarget.js';
import type { Inspector, InspectorRequests, Workers } from '../../platform/inspector.js';
import type { InspectionFailure, InspectionProgress, ReadingProgress } from '../../protocol/messages.js';
import { RpcError } from '../../protocol/rpc.js';
import { failureCodeOf, failureMessage, type FailureCode } from '../errorMessages.js';
import type { Log } from '../log.js';

/** Where an inspection stands. A panel that is shown again gets this state. */
export type RunState =
  | { phase: 'running'; progress: InspectionProgress | null }
  | { phase: 'done'; report: Report }
  | { phase: 'failed'; failure: InspectionFailure };

/** Called with what an inspector does. */
interface RunListeners {
  onDidChange(state: RunState): void;
  onVerifying(progress: VerifyProgress): void;
  onReadingValues(progress: ReadingProgress): void;
}

/** One inspection of one path, with the inspector that ran it and keeps its tensors. */
export class InspectionRun {
  state: RunState = { phase: 'running', progress: null };
  private readonly inspector: Inspector;
  private readonly abort = new AbortController();
  private ended = false;

  constructor(
    workers: Workers,
    private readonly target: InspectionTarget,
    private readonly log: Log,
    private readonly listeners: RunListeners,
    heapBytes: number,
  ) {
    this.inspector = workers.startInspector(target, heapBytes);
    this.inspector.endpoint.on('progress', (progress) => {
      if (this.state.phase === 'running') this.become({ phase: 'running', progress });
    });
    this.inspector.endpoint.on('verifying', (progress) => listeners.onVerifying(progress));
    this.inspector.endpoint.on('readingValues', (progress) => listeners.onReadingValues(progress));
    this.inspector.onDidDie(({ code, detail }) =>
      this.fail(code, code === 'out-of-memory' ? formatBinaryBytes(heapBytes) : detail),
    );
  }

  async start(depth: Parameters<InspectorRequests['inspect']>[0] = {}): Promise<void> {
    try {
      const report = await this.inspector.endpoint.request('inspect', depth, this.abort.signal);
      const { bytesRead, reads, elapsedMs } = report.io;
      this.log.info(
        `${this.target.path}: ${report.kind === 'collection' ? report.kind : report.layout}, read ${bytesRead} bytes in ${reads} reads, ${Math.round(elapsedMs)} ms`,
      );
      this.become({ phase: 'done', report });
    } catch (error) {
      // A dying worker is reported by onDidDie, which knows why.
      if (error instanceof RpcError && error.code === 'disposed') return;
      this.fail(failureCodeOf(error), error instanceof Error ? error.message : String(error));
    }
  }

  /** Asks the inspector about the finished inspection. Rejects with RpcError. */
  ask<K extends keyof InspectorRequests>(
    method: K,
    params: Parameters<InspectorRequests[K]>[0],
    signal?: AbortSignal,
  ): Promise<ReturnType<InspectorRequests[K]>> {
    // TypeScript does not see that the parameters of an open K are those of `request`.
    const request = this.inspector.endpoint.request.bind(this.inspector.endpoint) as (
      method: string,
      params: unknown,
      signal?: AbortSignal,
    ) => Promise<ReturnType<InspectorRequests[K]>>;
    return request(method, params, signal);
  }

  /** Stops a running inspection at once; one that is done stays as it is. */
  cancel(): void {
    if (this.state.phase !== 'running') return;
    this.abort.abort();
    this.fail('cancelled', '');
    this.inspector.dispose();
  }

  dispose(): void {
    this.ended = true;
    this.abort.abort();
    this.inspector.dispose();
  }

  private fail(code: FailureCode, detail: string): void {
    if (this.state.phase === 'failed' || this.ended) return;
    if (code !== 'cancelled') this.log.error(`${this.target.path}: ${code}: ${detail}`);
    this.become({
      phase: 'failed',
      failure: { code, message: failureMessage(code, detail, this.target.kind === 'remote'), path: this.target.path },
    });
  }

  private become(state: RunState): void {
    if (this.ended) return;
    this.state = state;
    this.listeners.onDidChange(state);
  }
}
