import { verifyPath, type VerificationPlatform } from '../app/verification/verifyPath.js';
import type { Answer } from '../app/answer.js';
import { FormatError } from '../core/bytes/formatError.js';
import type { VerificationReport } from '../core/verification/verification.js';
import type { VerifyProgress } from '../core/verification/verifyTree.js';
import type { RpcHandlers } from '../protocol/rpc.js';
import type { InspectorRequests } from './inspector.js';
import { throttle } from './throttle.js';

const progressIntervalMs = 50;

/**
 * Answers an inspector's requests to verify what it inspects.
 * @param platform null where files are reached through the editor, which hands over whole files
 */
export function createVerificationService(
  path: string,
  platform: VerificationPlatform | null,
  sendProgress: (progress: VerifyProgress) => void,
): RpcHandlers<Pick<InspectorRequests, 'verify' | 'verificationMarkdown'>> {
  let last: Answer<VerificationReport> | undefined;
  return {
    async verify({ create }, signal) {
      if (platform === null) throw new FormatError('unsupported', 'files of this machine alone are verified');
      last = undefined;
      const onProgress = throttle(sendProgress, progressIntervalMs);
      last = await verifyPath(platform, { path, create }, { signal, onProgress });
      return last.report;
    },
    verificationMarkdown() {
      if (last === undefined) throw new FormatError('unsupported', 'nothing was verified');
      return last.markdown();
    },
  };
}
