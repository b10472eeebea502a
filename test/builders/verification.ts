import { createNodeFileTree } from '../../src/platform/nodeFileTree.js';
import { passHere } from '../../src/platform/verification/passHere.js';
import type { FileTree } from '../../src/core/files/fileTree.js';
import type { Passes } from '../../src/core/verification/passes.js';
import type { VerificationReport, VerifiedFile } from '../../src/core/verification/verification.js';
import { verifyTree, type VerifyTask } from '../../src/core/verification/verifyTree.js';

/** Passes without threads. */
export const passesHere: Passes = { concurrency: 2, begin: async (spec) => passHere(spec), close: async () => undefined };

/** Verifies a tree. */
export async function verifyFiles(tree: FileTree, options: Partial<VerifyTask> = {}): Promise<VerificationReport> {
  const { report } = await verifyTree({
    path: tree.rootName,
    tree,
    passes: passesHere,
    manifest: null,
    manifestPath: null,
    listing: null,
    clock: () => 0,
    onProgress: () => undefined,
    signal: undefined,
    ...options,
  });
  return report;
}

/** Verifies what is at a path of this machine. */
export async function verifyDirectory(path: string): Promise<VerificationReport> {
  return verifyFiles(await createNodeFileTree(path));
}

/** One file of a report. */
export function fileOf({ files }: VerificationReport, path: string): VerifiedFile {
  const file = files.find((one) => one.path === path);
  if (file === undefined) throw new Error(`there is no ${path} in the report`);
  return file;
}

/** The bytes with one bit that is the other way. */
export function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  const copy = bytes.slice();
  copy[bit >> 3] = (copy[bit >> 3] as number) ^ (1 << (bit & 7));
  return copy;
}
