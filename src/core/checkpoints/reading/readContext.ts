import type { FileEntry } from '../../files/fileTree.js';
import type { OpenContext } from '../../files/openFiles.js';
import type { FileRoles } from '../roles/fileRoles.js';

export interface ReadContext extends OpenContext {
  entries: readonly FileEntry[];
  /** What files are for by their names. */
  roles: FileRoles;
  /** Called when a file is done. */
  onFile(path: string, done: number, total: number): void;
}

/** Side files that a layout wants to see as they are. */
export interface SideFiles {
  json: Map<string, unknown>;
  /** Raw bytes of index files, scanned by who knows their shape. */
  indexes: Map<string, Uint8Array>;
  /** Pointers and notes of a few bytes, without the white space around them. */
  texts: Map<string, string>;
}
