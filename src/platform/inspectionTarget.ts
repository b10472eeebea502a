import type { RootPaths } from './readableRoots.js';
import type { WorkspaceFileSystem } from './workspaceFileTree.js';

/** What to inspect: a path of this machine, or a root of one of the editor's file systems. */
export type InspectionTarget =
  | { kind: 'local'; path: string; /** Where its links may lead. */ rootPaths: RootPaths }
  | { kind: 'virtual'; /** What to call it in the report. */ path: string; files: WorkspaceFileSystem };
