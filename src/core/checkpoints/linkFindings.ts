/** What is said of links: where bytes are that count here, what was not followed, and which files are one. */
import { baseName } from '../files/paths.js';
import type { Finding } from '../findings/finding.js';

export interface LinkedFile {
  path: string;
  /** 0 for a link to a file that is listed itself. */
  sizeBytes: number;
  /** Target of a symbolic link. */
  link?: string | undefined;
  isDirectory: boolean;
  /** True where the target of a link to a directory is listed, too. */
  isWithin?: boolean | undefined;
  /** See `FileEntry`. */
  fileId?: string | undefined;
}

export function linkFindings(files: readonly LinkedFile[]): Finding[] {
  return [...directoryFindings(files), ...outsideFindings(files), ...hardLinkFindings(files)];
}

/** The first name of each hard link that has another one before it, by its path. */
export function sameFilesOf(files: readonly LinkedFile[]): Map<string, string> {
  const first = new Map<string, string>();
  const same = new Map<string, string>();
  for (const { path, fileId, link } of files) {
    if (fileId === undefined || link !== undefined) continue;
    const known = first.get(fileId);
    if (known === undefined) first.set(fileId, path);
    else same.set(path, known);
  }
  return same;
}

function directoryFindings(files: readonly LinkedFile[]): Finding[] {
  return files
    .filter(({ isDirectory }) => isDirectory)
    .map(({ path, link = '', isWithin }) => ({
      code: isWithin === true ? 'link-within' : 'link-not-followed',
      path,
      facts: { target: link },
    }));
}

function outsideFindings(files: readonly LinkedFile[]): Finding[] {
  const outside = files.filter(({ link, sizeBytes }) => link !== undefined && sizeBytes > 0);
  const [first] = outside;
  if (first === undefined) return [];
  return [{ code: 'link-outside', facts: { files: outside.length, target: `${baseName(first.path)} → ${first.link ?? ''}` } }];
}

function hardLinkFindings(files: readonly LinkedFile[]): Finding[] {
  const same = sameFilesOf(files);
  const [one] = same;
  if (one === undefined) return [];
  const bytes = files.reduce((sum, { path, sizeBytes }) => (same.has(path) ? sum + sizeBytes : sum), 0);
  return [{ code: 'hard-link', path: one[0], facts: { files: same.size, first: one[1], bytes } }];
}
