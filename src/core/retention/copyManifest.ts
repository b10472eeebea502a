/** Manifests of copies: JSON, one file a line, of what is at another place. Sizes are compared; no byte of either copy is read. */
import { FormatError } from '../bytes/formatError.js';
import type { RunMember } from '../inspection/runs/run.js';
import { pathOfFile } from './runMembers.js';
import { isRecord } from './smallFile.js';

export interface CopiedFile {
  sizeBytes: number;
  /** Of the file that was copied, where the manifest has it. */
  modifiedMs: number | null;
}

/** By paths relative to the run. */
export type CopyManifest = ReadonlyMap<string, CopiedFile>;

/**
 * Lines such as `{"path": "checkpoint-100/model.safetensors", "sizeBytes": 123, "sha256": "…"}`; `modifiedMs` may be there.
 * @throws FormatError `corrupt` with the line and a sentence
 */
export function readCopyManifest(text: string): CopyManifest {
  const files = new Map<string, CopiedFile>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const { path, sizeBytes, modifiedMs = null } = recordOf(line) ?? {};
    const isSize = typeof sizeBytes === 'number' && Number.isSafeInteger(sizeBytes) && sizeBytes >= 0;
    if (typeof path !== 'string' || !isSize || (modifiedMs !== null && typeof modifiedMs !== 'number'))
      throw new FormatError('corrupt', `line ${index + 1}: a line must be the JSON of an object with path and sizeBytes`);
    files.set(path.replace(/^(?:\.\/)+/, ''), { sizeBytes, modifiedMs });
  }
  return files;
}

function recordOf(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** Times of copies are kept to a second or two. */
const roundingMs = 2000;

/** Whether all files of a checkpoint are in the manifest with the sizes that they have here. */
export function isCopied(manifest: CopyManifest, member: RunMember): boolean {
  return member.listing.entries.every((entry) => {
    const copy = manifest.get(pathOfFile(member, entry));
    if (copy === undefined) return false;
    // A link has no bytes of its own: what it leads to must be elsewhere too, under its name.
    if (entry.link !== undefined) return entry.sizeBytes === 0 || copy.sizeBytes === entry.sizeBytes;
    const isAsOld = copy.modifiedMs === null || entry.modifiedMs === null || entry.modifiedMs <= copy.modifiedMs + roundingMs;
    return copy.sizeBytes === entry.sizeBytes && isAsOld;
  });
}
