import { statfs } from 'node:fs/promises';
import { parseLustreQuota, parseLustreStripe, parseQuota } from '../../core/bandwidth/fileSystemPrograms.js';
import { isCachedByHost } from '../../core/bandwidth/fileSystemKind.js';
import { isInMemory, typeOfMagic, type Mount } from '../../core/bandwidth/mountTable.js';
import type { FileSystemFacts } from '../../core/bandwidth/targetFacts.js';
import { runProgram } from '../os/runProgram.js';
import { thisSystem } from '../os/thisSystem.js';

/** Programs that ask a server get so long. */
const programTimeoutMs = 3_000;

/** What the system tells of the file system behind a path without symbolic links. @throws the system's error where statfs does */
export async function readFileSystemFacts(path: string, signal?: AbortSignal, system = thisSystem): Promise<FileSystemFacts> {
  const [stats, { mount }] = await Promise.all([statfs(path), system.mountAt(path)]);
  const type = mount?.type ?? typeOfMagic(stats.type);
  const isLustre = type === 'lustre';
  const [stripe, quota] = await Promise.all([
    isLustre ? readStripe(path, signal) : null,
    isLustre ? readLustreQuota(path, signal) : mount === null || isInMemory(type) ? null : readQuota(mount, signal),
  ]);
  return {
    type,
    mountPoint: mount?.mountPoint ?? null,
    source: mount?.source ?? null,
    options: mount?.options ?? [],
    totalBytes: stats.blocks * stats.bsize,
    // What is kept for root is not free.
    freeBytes: stats.bavail * stats.bsize,
    // File systems without a fixed number of files (btrfs, Lustre's clients at times) answer 0.
    freeFiles: stats.files === 0 ? null : stats.ffree,
    stripe,
    quota,
  };
}

/** How what is written behind a path gets to where it stays. */
export interface StoringFacts {
  /** It stays in memory, O_DIRECT or not. */
  isInMemory: boolean;
  /**
   * Something else than this kernel caches it, whatever O_DIRECT and dropped pages say: ZFS, which before 2.3 takes O_DIRECT and reads
   * from its own cache all the same, folders of the host, which has a cache of its own, and on Windows what is not known to have none.
   */
  hasOwnCache: boolean;
}

export async function readStoringFacts(path: string, system = thisSystem): Promise<StoringFacts> {
  const { storing } = await system.mountAt(path);
  const type = storing?.type ?? typeOfMagic((await statfs(path)).type);
  return {
    isInMemory: isInMemory(type),
    hasOwnCache: type === 'zfs' || isCachedByHost(type) || system.directTypes?.has(type) === false,
  };
}

async function readStripe(path: string, signal?: AbortSignal): Promise<FileSystemFacts['stripe']> {
  const output = await runProgram('lfs', ['getstripe', '-d', path], { timeoutMs: programTimeoutMs, signal });
  const targets = (): Promise<string | null> => runProgram('lfs', ['osts', path], { timeoutMs: programTimeoutMs, signal });
  const stripe = output === null ? null : parseLustreStripe(output);
  if (stripe === null || stripe.count > 0) return stripe;
  // −1: on all targets there are, one a line.
  const lines = (await targets())?.split('\n').filter((line) => /^\d+:/.test(line.trim())) ?? [];
  return lines.length === 0 ? null : { ...stripe, count: lines.length };
}

async function readLustreQuota(path: string, signal?: AbortSignal): Promise<FileSystemFacts['quota']> {
  const user = process.getuid?.();
  if (user === undefined) return null;
  const output = await runProgram('lfs', ['quota', '-q', '-u', String(user), path], { timeoutMs: programTimeoutMs, signal });
  return output === null ? null : parseLustreQuota(output);
}

async function readQuota(mount: Mount, signal?: AbortSignal): Promise<FileSystemFacts['quota']> {
  // -w: a file system a line, however long its name; -p: times as numbers. It ends with 1 where a quota is exceeded.
  const output = await runProgram('quota', ['-w', '-p'], { timeoutMs: programTimeoutMs, signal, anyExitCode: true });
  return output === null ? null : parseQuota(output, [mount.source, mount.mountPoint]);
}
