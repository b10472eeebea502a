import type { Answer } from '../app/answer.js';
import type { Hooks } from '../app/platform.js';
import { FormatError } from '../core/bytes/formatError.js';
import type { VerificationReport } from '../core/verification/verification.js';
import type { VerifyProgress } from '../core/verification/verifyTree.js';
import type { RpcHandlers } from '../protocol/rpc.js';
import type { InspectorRequests } from './inspector.js';
import { throttle } from './throttle.js';

const progressIntervalMs = 50;

/** Verifies what an inspector inspects. @throws as `verifyPath` does */
export type Verifier = (
  options: Parameters<InspectorRequests['verify']>[0],
  hooks: Hooks<VerifyProgress>,
) => Promise<Answer<VerificationReport>>;

/**
 * Answers an inspector's requests to verify what it inspects.
 * @param verifier null where files are reached through the editor, which hands over whole files
 */
export function createVerificationService(
  verifier: Verifier | null,
  sendProgress: (progress: VerifyProgress) => void,
): RpcHandlers<Pick<InspectorRequests, 'verify' | 'verificationMarkdown'>> {
  let last: Answer<VerificationReport> | undefined;
  return {
    async verify(options, signal) {
      if (verifier === null) throw new FormatError('unsupported', 'files of this machine alone are verified');
      last = undefined;
      last = await verifier(options, { signal, onProgress: throttle(sendProgress, progressIntervalMs) });
      return last.report;
    },
    verificationMarkdown() {
      if (last === undefined) throw new FormatError('unsupported', 'nothing was verified');
      return last.markdown();
    },
  };
}
