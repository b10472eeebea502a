import type { RangedFiles } from './rangedFileTree.js';
import type { RootPaths } from './readableRoots.js';
import type { WorkspaceFileSystem } from './workspaceFileTree.js';

/** What to inspect: a path of this machine, a root of one of the editor's file systems, or an address of a store, which the host asks. */
export type InspectionTarget =
  | { kind: 'local'; path: string; /** Where its links may lead. */ rootPaths: RootPaths }
  | { kind: 'virtual'; /** What to call it in the report. */ path: string; files: WorkspaceFileSystem }
  | { kind: 'remote'; /** The address as it is shown. */ path: string; files: RangedFiles };
