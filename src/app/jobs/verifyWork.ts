import * as v from 'valibot';
import type { DatedOutcome } from '../../core/verification/verifyTree.js';
import { filesToVerify, goneOutcome } from '../../core/verification/verifyTree.js';
import type { VerificationReport } from '../../core/verification/verification.js';
import type { Answer } from '../answer.js';
import { ofPath } from '../ofPath.js';
import { verifyInput, type VerifyInput } from '../useCaseInputs.js';
import { verifyFiles, verifyPath } from '../verification/verifyPath.js';
import type { ArrayWork } from './arrayWork.js';
import { count, outcomeSchema } from './outcomeSchema.js';

interface VerifyPlan {
  input: VerifyInput;
  files: { path: string; bytes: number }[];
}

/** Verification, file by file. */
export const verifyWork: ArrayWork<VerifyInput, VerifyPlan, DatedOutcome, Answer<VerificationReport>> = {
  noun: ['file', 'files'],
  planSchema: v.object({ input: verifyInput, files: v.array(v.object({ path: v.string(), bytes: count })) }),
  resultSchema: outcomeSchema,
  async plan(platform, input) {
    const files = await ofPath(input.path, 'cannot be verified', async () =>
      filesToVerify(await platform.openTree(input.path), undefined),
    );
    return { input, files: files.map(({ path, sizeBytes }) => ({ path, bytes: sizeBytes })) };
  },
  sizesBytes: ({ files }) => files.map(({ bytes }) => bytes),
  async run(platform, { input, files }, items, onResult, signal) {
    const numbers = new Map(items.map((item) => [files[item]?.path ?? '', item]));
    const gone = new Set(numbers.keys());
    const onOutcome = (path: string, outcome: DatedOutcome): void => {
      gone.delete(path);
      onResult(numbers.get(path) ?? -1, outcome);
    };
    await verifyFiles(platform, input, new Set(numbers.keys()), onOutcome, signal);
    for (const path of gone) onResult(numbers.get(path) ?? -1, { modifiedMs: null, outcome: goneOutcome(path) });
  },
  gather(platform, { input }, results, signal) {
    const outcomes = new Map([...results.values()].map((dated) => [dated.outcome.file.path, dated]));
    return verifyPath(platform, input, { signal, outcomes });
  },
};
