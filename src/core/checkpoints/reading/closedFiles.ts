/** What is said of files that no reader opens: unreadable, left over, unfinished. */
import type { FileEntry } from '../../files/fileTree.js';
import { baseName } from '../../files/paths.js';
import { promisesData } from '../../files/readableFiles.js';
import { nameOfWhole } from '../../files/secondCopies.js';
import type { FilePart } from '../parts.js';
import type { ReadState } from './readState.js';

/** A file that cannot be read, is left over, or is empty where it should not be. */
export function noteClosed(state: ReadState, entry: FileEntry, part: FilePart, original?: string): void {
  if (entry.error !== undefined) {
    Object.assign(part, { component: 'unexplained', isUnreadable: true } satisfies Partial<FilePart>);
    state.parts.findings.push({ code: 'file-unreadable', path: entry.path, facts: { detail: entry.error } });
  } else if (part.role === 'interrupted-save' || original !== undefined) {
    state.parts.findings.push({
      code: 'leftover-file',
      path: entry.path,
      facts: {
        bytes: entry.sizeBytes,
        copyOf: original === undefined ? null : baseName(original),
        missing: original === undefined ? missingOf(state, entry.path) : null,
      },
    });
  } else if (part.role === 'tokenizer' && entry.sizeBytes === 0 && entry.link === undefined) {
    part.isUnreadable = true;
    state.parts.findings.push({ code: 'file-empty', path: entry.path });
  }
}

/** The name of the data that an interrupted copy was to become, where they are not here; null for any other. */
function missingOf(state: ReadState, path: string): string | null {
  const whole = nameOfWhole(path);
  return whole !== undefined && promisesData(whole) && !state.numbers.has(whole) ? baseName(whole) : null;
}

/** Files that aria2 writes in place, at their full size from the first moment on: only its control file says what is missing. */
export function noteDownloads(state: ReadState): void {
  const begun = state.files.filter(({ role }) => role === 'interrupted-download');
  const [first] = begun;
  if (first !== undefined)
    state.parts.findings.push({
      code: 'download-incomplete',
      path: first.path,
      facts: { files: begun.length, bytes: begun.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) },
    });
  for (const path of state.numbers.keys()) {
    const file = path.endsWith('.aria2') ? path.slice(0, -'.aria2'.length) : undefined;
    if (file !== undefined && state.numbers.has(file))
      state.parts.findings.push({ code: 'download-unfinished', path: file, facts: { control: baseName(path) } });
  }
}
