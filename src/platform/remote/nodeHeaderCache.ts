import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { limits } from '../../core/bytes/limits.js';
import { readRegularFile } from '../regularFile.js';
import { temporaryName } from '../replaceFiles.js';
import type { HeaderCache } from './headerCache.js';

/** A kept range: `<digest of the file's name and version>-<offset>-<length>`, with the digest of both behind its bytes. */
interface KeptRange {
  name: string;
  offset: number;
  length: number;
}

const digestBytes = 32;

/**
 * A cache in a folder of this machine, which its user alone may read. Several processes may use it at once.
 * @param folder made where it is not there
 */
export function nodeHeaderCache(folder: string, bounds: CacheBounds = limits): HeaderCache {
  return new NodeHeaderCache(folder, bounds);
}

/** How much is kept. */
type CacheBounds = Record<'headerCacheBytes' | 'headerCacheRanges', number>;

class NodeHeaderCache implements HeaderCache {
  #ranges: Promise<Map<string, Set<KeptRange>>> | undefined;
  #keptBytes = 0;
  #keptRanges = 0;
  #made: Promise<void> | undefined;
  /** Nothing can be written there. */
  #isUseless = false;

  constructor(
    private readonly folder: string,
    private readonly bounds: CacheBounds,
  ) {}

  async find(file: string, offset: number, length: number): Promise<Uint8Array | null> {
    const key = keyOf(file);
    const kept = (await this.#listed()).get(key);
    const range = [...(kept ?? [])].find((each) => each.offset <= offset && offset + length <= each.offset + each.length);
    if (range === undefined) return null;
    const place = path.join(this.folder, range.name);
    const bytes = await readKept(place, range);
    if (bytes === null) {
      kept?.delete(range);
      await rm(place, { force: true }).catch(() => undefined);
      return null;
    }
    const now = new Date();
    await utimes(place, now, now).catch(() => undefined);
    return bytes.slice(offset - range.offset, offset - range.offset + length);
  }

  async keep(file: string, offset: number, bytes: Uint8Array): Promise<void> {
    if (this.#isUseless) return;
    // One large file would take the place of all others.
    if (bytes.length > this.bounds.headerCacheBytes / 8) return;
    const key = keyOf(file);
    const name = `${key}-${offset}-${bytes.length}`;
    const ranges = await this.#listed();
    const temporary = path.join(this.folder, temporaryName(name, process.pid));
    try {
      await (this.#made ??= this.#make());
      await writeFile(temporary, Buffer.concat([bytes, digestOf(name, bytes)]), { mode: 0o600, flag: 'wx' });
      await rename(temporary, path.join(this.folder, name));
    } catch {
      await rm(temporary, { force: true }).catch(() => undefined);
      this.#isUseless = !existsSync(this.folder);
      return;
    }
    this.#add(ranges, { name, offset, length: bytes.length });
    if (this.#keptBytes > this.bounds.headerCacheBytes || this.#keptRanges > this.bounds.headerCacheRanges) await this.#shrink();
  }

  /** Step by step: of a folder in /proc Node tries for ever to make all at once. */
  async #make(): Promise<void> {
    for (const folder of [path.dirname(this.folder), this.folder])
      await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
  }

  #listed(): Promise<Map<string, Set<KeptRange>>> {
    this.#ranges ??= this.#list();
    return this.#ranges;
  }

  async #list(): Promise<Map<string, Set<KeptRange>>> {
    const ranges = new Map<string, Set<KeptRange>>();
    this.#keptBytes = 0;
    this.#keptRanges = 0;
    for (const name of await readdir(this.folder).catch(() => [])) {
      const [, offset, length] = /^[0-9a-f]{64}-(\d{1,15})-(\d{1,15})$/.exec(name) ?? [];
      if (offset !== undefined) this.#add(ranges, { name, offset: Number(offset), length: Number(length) });
    }
    return ranges;
  }

  #add(ranges: Map<string, Set<KeptRange>>, range: KeptRange): void {
    const key = range.name.slice(0, 64);
    const kept = ranges.get(key);
    if (kept === undefined) ranges.set(key, new Set([range]));
    else kept.add(range);
    this.#keptBytes += range.length;
    this.#keptRanges += 1;
  }

  /** Removes what was not used for longest, until there is room for a while, and what processes that were killed have left. */
  async #shrink(): Promise<void> {
    this.#ranges = undefined;
    const names = await readdir(this.folder).catch(() => []);
    const files: { place: string; sizeBytes: number; usedMs: number }[] = [];
    for (const name of names) {
      const place = path.join(this.folder, name);
      const facts = await stat(place).catch(() => null);
      if (facts !== null) files.push({ place, sizeBytes: facts.size, usedMs: facts.mtimeMs });
    }
    files.sort((a, b) => a.usedMs - b.usedMs);
    let bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    let count = files.length;
    for (const { place, sizeBytes } of files) {
      if (bytes <= this.bounds.headerCacheBytes * (3 / 4) && count <= this.bounds.headerCacheRanges * (3 / 4)) break;
      await rm(place, { force: true }).catch(() => undefined);
      bytes -= sizeBytes;
      count -= 1;
    }
  }
}

/** Null where it is gone, or not what was kept. */
async function readKept(place: string, { name, length }: KeptRange): Promise<Uint8Array | null> {
  const stored = await readRegularFile(place, length + digestBytes).catch(() => new Uint8Array(0));
  const bytes = stored.subarray(0, length);
  return digestOf(name, bytes).equals(stored.subarray(length)) ? bytes : null;
}

function keyOf(file: string): string {
  return createHash('sha256').update(file).digest('hex');
}

/** Of the name too: a file under another name is another range. */
function digestOf(name: string, bytes: Uint8Array): Buffer {
  return createHash('sha256').update(name).update(bytes).digest();
}
