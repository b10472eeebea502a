/** Caches of the Hugging Face Hub as huggingface_hub wrote them (test/fixtures/hub-cache), in memory and on the disk. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { linkWithoutTarget, type FileEntry, type FileTree } from '../../src/core/files/fileTree.js';
import { fixtureRoot } from './frameworkFixtures.js';
import { memoryTree, type MemoryFile } from './memoryTree.js';

/** What `scan_cache_dir` of huggingface_hub answered. */
export interface HubScan {
  sizeOnDisk: number;
  incomplete: { files: number; bytes: number };
  /** Repositories that it leaves out. */
  ignoredRepositories: string[];
  prune: { revisions: string[]; bytes: number };
  repositories: Record<
    string,
    {
      sizeOnDisk: number;
      files: number;
      revisions: Record<string, { sizeOnDisk: number; files: number; refs: string[]; freed: number }>;
    }
  >;
}

type Stored = { link: string } | { base64: string } | { from: string; bytes?: number };

export interface HubCacheFixture {
  scan: HubScan;
  files: Record<string, Stored>;
}

export const hubCaches = ['hub', 'without-links', 'shared-blobs'] as const;

export function readHubCacheFixture(name: (typeof hubCaches)[number]): HubCacheFixture {
  const text = readFileSync(path.resolve('test/fixtures/hub-cache', `${name}.json`), 'utf8');
  return JSON.parse(text) as HubCacheFixture;
}

/** The files below a directory of it, relative to that directory. */
export function filesIn(files: HubCacheFixture['files'], directory: string): HubCacheFixture['files'] {
  const below = Object.entries(files).filter(([file]) => file.startsWith(`${directory}/`));
  return Object.fromEntries(below.map(([file, stored]) => [file.slice(directory.length + 1), stored]));
}

/** The same listing as a local disk gives, see test/system/platform/nodeFileTree.test.ts. */
export function hubCacheTree(files: HubCacheFixture['files'], location = '/disk/cache/huggingface/hub'): FileTree {
  const tree = memoryTree(
    path.posix.basename(location),
    Object.fromEntries(Object.entries(files).map(([file, stored]) => [file, inMemory(files, file, stored)])),
  );
  return { ...tree, location };
}

function inMemory(files: HubCacheFixture['files'], file: string, stored: Stored): MemoryFile {
  if (!('link' in stored)) return contentOf(stored);
  const end = endOfLink(files, file);
  const link = { target: stored.link, inside: end !== undefined, ...(end !== undefined && { entry: end }) };
  const entry: Partial<FileEntry> = { sizeBytes: 0, link };
  return { entry: end === undefined ? { ...entry, error: linkWithoutTarget } : entry };
}

/** Undefined for links that end nowhere, or at each other. */
function endOfLink(files: HubCacheFixture['files'], file: string): string | undefined {
  let current = file;
  for (let hop = 0; hop < 40; hop++) {
    const stored = files[current];
    if (stored === undefined) return undefined;
    if (!('link' in stored)) return current;
    current = path.posix.normalize(path.posix.join(path.posix.dirname(current), stored.link));
  }
  return undefined;
}

function contentOf(stored: Exclude<Stored, { link: string }>): Uint8Array {
  if ('base64' in stored) return new Uint8Array(Buffer.from(stored.base64, 'base64'));
  return new Uint8Array(readFileSync(path.join(fixtureRoot, stored.from))).subarray(0, stored.bytes);
}

/** Writes it below a directory, links as links. */
export function writeHubCache(root: string, files: HubCacheFixture['files']): void {
  for (const [file, stored] of Object.entries(files)) {
    const place = path.join(root, file);
    mkdirSync(path.dirname(place), { recursive: true });
    if ('link' in stored) symlinkSync(stored.link, place);
    else writeFileSync(place, contentOf(stored));
  }
}
