import { describe, expect, it } from 'vitest';
import { ReadingRun } from '../../../src/host/report/readingRun.js';
import type { VerificationReport } from '../../../src/core/verification/verification.js';
import type { VerifyProgress } from '../../../src/core/verification/verifyTree.js';
import type { VerificationState } from '../../../src/protocol/messages.js';
import { RpcError } from '../../../src/protocol/rpc.js';
import { verificationReport } from '../../builders/verificationReport.js';

function recorded(): { run: ReadingRun<VerificationReport, VerifyProgress>; states: VerificationState['kind'][] } {
  const states: VerificationState['kind'][] = [];
  return { run: new ReadingRun(({ kind }) => states.push(kind)), states };
}

const never = new Promise<never>(() => undefined);
const progress = { doneBytes: 1, totalBytes: 2, doneFiles: 0, totalFiles: 1 };

describe('a reading of all bytes', () => {
  it('is under way, reports how far it is, and ends with a report or with why there is none', async () => {
    const { run, states } = recorded();
    const report = verificationReport('/m');
    await run.start(() => Promise.resolve(report));
    expect(run.state).toEqual({ kind: 'done', report });
    await run.start(() => Promise.reject(new RpcError('io', 'gone')));
    expect(run.state).toEqual({ kind: 'failed', message: 'gone' });
    expect(states).toEqual(['running', 'done', 'running', 'failed']);
  });

  it('leaves nothing behind where it is cancelled, and no progress follows', () => {
    const { run } = recorded();
    let isAborted = false;
    void run.start((signal) => {
      signal.addEventListener('abort', () => (isAborted = true));
      return never;
    });
    run.progress(progress);
    expect(run.state).toEqual({ kind: 'running', progress });
    run.cancel();
    run.progress(progress);
    expect(run.state).toEqual({ kind: 'none' });
    expect(isAborted).toBe(true);
  });

  it('that is begun again is not ended by the one before', async () => {
    const { run } = recorded();
    let fail: (error: Error) => void = () => undefined;
    const first = run.start(() => new Promise((_resolve, reject) => (fail = reject)));
    void run.start(() => never);
    fail(new RpcError('cancelled', 'cancelled'));
    await first;
    expect(run.state).toEqual({ kind: 'running', progress: null });
  });

  it('that the end of its panel cut off has not failed', async () => {
    const { run } = recorded();
    await run.start(() => Promise.reject(new RpcError('disposed', 'the panel was closed')));
    expect(run.state).toEqual({ kind: 'none' });
  });
});
