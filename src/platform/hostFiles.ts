import type { RangedFiles } from './rangedFileTree.js';
import type { WorkspaceFileSystem } from './workspaceFileTree.js';

/** What a worker asks back where its files are reached through the host: on a virtual file system, or in a store. */
export type HostFiles = WorkspaceFileSystem & RangedFiles;
