/** What a script compares before it moves a checkpoint: name, size and time of each file, and the names of its links. */
import type { RunMember } from '../../inspection/runs/run.js';
import { FormatError } from '../../bytes/formatError.js';
import { pathOfFile } from '../runMembers.js';
import { sortedByBytes } from './shellText.js';

/**
 * The same text as the function `facts` of the scripts prints.
 * @throws FormatError `unsupported` for a file without a time
 */
export function checkpointFacts(member: RunMember): string {
  const text = member.listing.entries.map((entry) => {
    const path = `./${pathOfFile(member, entry)}`;
    if (entry.link !== undefined) return path;
    if (entry.modifiedMs === null) throw new FormatError('unsupported', `${path} has no time that a script could compare`);
    return `${path} ${entry.sizeBytes} ${Math.floor(entry.modifiedMs / 1000)}`;
  });
  // A name may have a line feed in it: what is sorted are lines, as the script sorts them.
  return sortedByBytes(text.join('\n').split('\n')).join('\n');
}
