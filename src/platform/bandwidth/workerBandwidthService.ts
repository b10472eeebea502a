import { CheckError, checkErrorCodes, type CheckErrorCode } from '../../core/bandwidth/checkError.js';
import { limits } from '../../core/bytes/limits.js';
import type { CheckPreview } from '../../core/bandwidth/checkPreview.js';
import type { CheckSettings } from '../../core/bandwidth/checkSettings.js';
import type { CheckHooks, CheckProgress, CheckRequest, Measurement } from '../../core/bandwidth/measurement.js';
import type { TargetFacts } from '../../core/bandwidth/targetFacts.js';
import type { BandwidthReport } from '../../core/bandwidth/bandwidthReport.js';
import { RpcError } from '../../protocol/rpc.js';
import { startWorker, type StartedWorker } from '../startedWorker.js';
import type { BandwidthService } from '../../app/bandwidth/bandwidthService.js';

/** What the bandwidth worker answers. Runs have numbers, as one that is cancelled has yet to remove what it wrote. */
export interface BandwidthWorkerRequests {
  facts(params: { target: string }): TargetFacts;
  run(params: { run: number; request: CheckRequest; hasBarrier: boolean }): Measurement;
  cancel(params: { run: number }): null;
  removeLeft(params: { path: string; isCrashed: boolean }): null;
  preview(params: { settings: CheckSettings }): CheckPreview;
  report(params: MeasuredCheck): BandwidthReport;
}

/** All that a report is made of. */
export interface MeasuredCheck {
  settings: CheckSettings;
  request: CheckRequest;
  facts: TargetFacts;
  measurement: Measurement;
}

/** A service that also answers what comes before and after a check, which needs more of the core than a host may hold. */
export interface WorkerBandwidthService extends BandwidthService {
  /** What a check with these settings would write; nothing is written. @throws CheckError */
  preview(settings: CheckSettings, signal?: AbortSignal): Promise<CheckPreview>;
  report(check: MeasuredCheck): Promise<BandwidthReport>;
  /** Ends the worker. */
  dispose(): void;
}

export interface BandwidthWorkerEvents {
  /** A check has made its directory: what is to be removed where the worker does not live to do it. */
  directory: { run: number; path: string };
  progress: { run: number; progress: CheckProgress };
}

/** What the worker asks back. */
export interface BandwidthWorkerBackRequests {
  barrier(params: { run: number; phase: string }): null;
}

/** Variables by which programs are found, those that tell of a job of a batch system, and those by which object stores are reached. */
const passedVariables = /^(PATH|HOME|USER|LOGNAME|LANG|TMPDIR|SYSTEMROOT|(SLURM|PBS|LSB|LSF|AWS)_.*|PBS_JOBID)$/i;

type BandwidthWorker = StartedWorker<BandwidthWorkerRequests, BandwidthWorkerEvents>;

interface Run {
  hooks: CheckHooks;
  /** That the check has made, once it has. */
  directory: string | null;
}

/**
 * Measures in a worker thread of its own, started when it is first asked, so that neither a check nor its crash touches the
 * extension host.
 * @param workerFile the bundled `bandwidthWorker.js`
 */
export function createWorkerBandwidthService(workerFile: string): WorkerBandwidthService {
  return new BandwidthWorkerClient(workerFile);
}

class BandwidthWorkerClient implements WorkerBandwidthService {
  private started: BandwidthWorker | null = null;
  private nextRun = 1;
  private readonly runs = new Map<number, Run>();

  constructor(private readonly workerFile: string) {}

  async facts(target: string, signal?: AbortSignal): Promise<TargetFacts> {
    return this.start().endpoint.request('facts', { target }, signal).catch(rethrow);
  }

  async preview(settings: CheckSettings, signal?: AbortSignal): Promise<CheckPreview> {
    return this.start().endpoint.request('preview', { settings }, signal).catch(rethrow);
  }

  async run(request: CheckRequest, hooks: CheckHooks, signal: AbortSignal): Promise<Measurement> {
    if (signal.aborted) throw new CheckError('cancelled', 'the check was cancelled');
    const run = this.nextRun++;
    const entry: Run = { hooks, directory: null };
    this.runs.set(run, entry);
    const worker = this.start();
    // The request itself is not aborted: its answer says that everything was removed.
    const cancel = (): void => void worker.endpoint.request('cancel', { run }).catch(() => undefined);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await worker.endpoint.request('run', { run, request, hasBarrier: hooks.barrier !== undefined });
    } catch (error) {
      const isCrash = error instanceof RpcError && error.code === 'disposed' && this.started !== worker;
      if (isCrash && entry.directory !== null) await this.remove(entry.directory, true);
      return rethrow(error);
    } finally {
      signal.removeEventListener('abort', cancel);
      this.runs.delete(run);
    }
  }

  async report(check: MeasuredCheck): Promise<BandwidthReport> {
    return this.start().endpoint.request('report', check).catch(rethrow);
  }

  async removeLeft(path: string): Promise<void> {
    await this.remove(path, false);
  }

  dispose(): void {
    const worker = this.started;
    this.started = null;
    worker?.dispose();
  }

  /** The worker, started where none is running. */
  private start(): BandwidthWorker {
    if (this.started !== null) return this.started;
    const worker = startWorker<BandwidthWorkerRequests, BandwidthWorkerEvents>(this.workerFile, {
      heapBytes: limits.otherHeapBytes,
      env: passedEnvironment(),
      handlers: {
        barrier: async ({ run, phase }: { run: number; phase: string }, signal: AbortSignal) => {
          await this.runs.get(run)?.hooks.barrier?.(phase, signal);
          return null;
        },
      },
    });
    worker.endpoint.on('progress', ({ run, progress }) => this.runs.get(run)?.hooks.onProgress(progress));
    worker.endpoint.on('directory', ({ run, path }) => {
      const known = this.runs.get(run);
      if (known !== undefined) known.directory = path;
    });
    worker.onDidDie(() => {
      if (this.started === worker) this.started = null;
    });
    return (this.started = worker);
  }

  private async remove(path: string, isCrashed: boolean): Promise<void> {
    await this.start().endpoint.request('removeLeft', { path, isCrashed }).catch(rethrow);
  }
}

function rethrow(error: unknown): never {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const known = checkErrorCodes.find((name): name is CheckErrorCode => name === code);
  if (known !== undefined) throw new CheckError(known, String(message), { cause: error });
  throw new CheckError('io', `the worker of bandwidth checks: ${String(message)}`, { cause: error });
}

function passedEnvironment(): Record<string, string> {
  const passed = Object.entries(process.env).filter(([name]) => passedVariables.test(name));
  return Object.fromEntries(passed.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
