/**
 * A check in a process of its own, for tests that kill it or take its rights. Arguments: the bundle of its threads, the request, the
 * phase in which it stays for good (as `barrier` names it, '' for none), and who it is.
 */
import { runCheck } from '../../../../src/platform/bandwidth/runCheck.js';
import type { CheckRequest } from '../../../../src/core/bandwidth/measurement.js';

const [threadFile = '', request = '', lastPhase = '', user = ''] = process.argv.slice(2);
if (user !== '') {
  process.setgroups?.([]);
  process.setgid?.(Number(user));
  process.setuid?.(Number(user));
}
const onProgress = ({ phase, repeat }: { phase: string; repeat: number }): void => {
  process.stdout.write(`${JSON.stringify({ phase, repeat })}\n`);
};
const barrier = async (phase: string): Promise<void> => {
  if (phase !== lastPhase) return;
  process.stdout.write(`${JSON.stringify({ staysIn: phase })}\n`);
  await new Promise(() => undefined);
};
runCheck(JSON.parse(request) as CheckRequest, { onProgress, barrier }, new AbortController().signal, { threadFile }).then(
  (measured) => process.stdout.write(`${JSON.stringify({ measured })}\n`),
  (error: { code?: unknown }) => process.stdout.write(`${JSON.stringify({ code: error.code })}\n`),
);
