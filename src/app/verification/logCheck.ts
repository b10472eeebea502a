import { FormatError } from '../../core/bytes/formatError.js';
import type { FileTree } from '../../core/files/fileTree.js';
import type { LoggedValues, LoggedVerification, LogOutcome } from '../../core/findings/loggedCheck.js';
import { fileStateOf } from '../../core/verification/log/fileState.js';
import { isEntryName, logText, parseLog, withEntry } from '../../core/verification/log/verifiedLog.js';
import type { Platform } from '../platform.js';
import { directoryBeside } from './besidePath.js';

type LogPlatform = Pick<Platform, 'nameOf' | 'folderOf' | 'pathIn' | 'logFile'>;

/**
 * Enters what a reading of all bytes found into the log beside a path. A log that is damaged or of another program is never written over.
 * @param tree as it was listed before its bytes were read: what changed meanwhile has changed since
 * @returns never a failure: what was read is not lost by it
 */
export async function logCheck(
  platform: LogPlatform,
  tree: FileTree,
  place: string,
  result: LoggedVerification | LoggedValues,
): Promise<LogOutcome> {
  const log = platform.logFile(directoryBeside(platform, place));
  const name = platform.nameOf(place);
  try {
    if (!isEntryName(name)) throw new FormatError('unsupported', 'a log has no entries of such a name');
    const { entries, errors, truncated } = await tree.list();
    if (truncated || errors.length > 0) throw new FormatError('unsupported', 'not all files can be listed');
    const state = fileStateOf(entries);
    const text = await log.read();
    const known = text === null ? [] : parseLog(text);
    await log.replace(logText(withEntry(known, { name, at: new Date().toISOString(), state, ...result })));
    return { path: log.path, problem: null };
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    return {
      path: log.path,
      problem: error.code === 'corrupt' ? `${error.detail}; move it away to begin a new one` : error.detail,
    };
  }
}
