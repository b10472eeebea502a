/** Files that no reader is about: what a report leaves out, in the words of its checks that were not done. */
import { counted } from '../text/quantities.js';
import { formatBytes } from '../text/units.js';

/** The check that was not done of other files, as the only item of a list; an empty list where there are none. */
export function otherFilesNotRead({ files, bytes }: { files: number; bytes: number }): string[] {
  return files === 0 ? [] : [`what is in ${counted(files, 'other file')} (${formatBytes(bytes)})`];
}
