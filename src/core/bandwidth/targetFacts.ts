/** What is known of the place that a check would measure, before anything is written. */

/** A file system behind a path, as the system tells of it. */
export interface FileSystemFacts {
  /** `ext4`, `lustre`, `fuse.s3fs`, `s3`, `gs`, `az`; `unknown` where nothing tells. */
  type: string;
  /** Null where there is no table of mounts. */
  mountPoint: string | null;
  /** Device, server or bucket. */
  source: string | null;
  options: string[];
  /** Null for object stores. */
  totalBytes: number | null;
  freeBytes: number | null;
  /** Files that can still be made; null where the file system has no such limit. */
  freeFiles: number | null;
  /** Lustre: on how many targets a new file lies, in pieces of which size. */
  stripe: { count: number; sizeBytes: number } | null;
  /** The user's own, where it can be read. */
  quota: { usedBytes: number; limitBytes: number } | null;
}

/** Among the options of an object store: its endpoint on another machine is `http://`. */
export const plainConnection = 'http, not encrypted';

/** Among the options of an object store: requests go by the proxy that the environment names. */
export const proxiedConnection = 'through a proxy';

/** What an earlier check left behind, or what another one is writing now. */
export interface OtherCheck {
  path: string;
  startedAt: string;
  /** Null where the check did not come to tell. */
  host: string | null;
  bytes: number;
  files: number;
  /** To an object store, begun and not completed: their parts are kept, and in `bytes` only where the store lists their sizes. None without it. */
  uploads?: number;
  /** `running` on this machine; `elsewhere` on another one, whose processes are not visible from here; `left`: its process is gone. */
  state: 'running' | 'elsewhere' | 'left';
}

export interface TargetFacts {
  /** With symbolic links resolved. */
  path: string;
  fileSystem: FileSystemFacts;
  others: OtherCheck[];
  /** Why this machine is one that people log in to and not one that trains; null where nothing says so. */
  loginNode: string | null;
}
