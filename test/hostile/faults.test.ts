/** One file that cannot be opened or read, or is another one than was listed: there is a report of all others, with exact sums. */
import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../../src/core/bytes/byteSource.js';
import { FormatError } from '../../src/core/bytes/formatError.js';
import { memorySource } from '../../src/core/bytes/memorySource.js';
import type { FileTree } from '../../src/core/files/fileTree.js';
import { memoryTree } from '../builders/memoryTree.js';
import { isExhaustive } from '../builders/seed.js';
import { inspectAnyHostile } from './accountable.js';
import { fixtureCases, withoutNumbers } from './fixtureFiles.js';

/** What goes wrong with a file of these bytes; null for one that cannot be opened. */
type Fault = (bytes: Uint8Array) => ByteSource | null;

const failing = new FormatError('io', 'the disk or file server reported an input/output error');

/** Reads up to the first that begins at or after `fromByte` or is the `count`-th are answered. */
function failingFrom(bytes: Uint8Array, count: number): ByteSource {
  const source = memorySource('file', bytes);
  let reads = 0;
  return {
    name: source.name,
    sizeBytes: source.sizeBytes,
    read: (offset, length, signal) => (reads++ < count ? source.read(offset, length, signal) : Promise.reject(failing)),
    close: () => source.close(),
  };
}

const faults: Record<string, Fault> = {
  'cannot be opened': () => null,
  'fails at the first read': (bytes) => failingFrom(bytes, 0),
  'fails at the second read': (bytes) => failingFrom(bytes, 1),
  'has shrunk since it was listed': (bytes) => memorySource('file', bytes.subarray(0, bytes.byteLength >> 1)),
  'is empty since it was listed': () => memorySource('file', new Uint8Array(0)),
  'has grown since it was listed': (bytes) => memorySource('file', new Uint8Array([...bytes, ...bytes.subarray(0, 4096)])),
  'is replaced since it was listed': (bytes) => memorySource('file', bytes.toReversed()),
};
/** Faults that no reader can overlook. */
const isSevere = (fault: string): boolean => /opened|first/.test(fault);

/** The tree with one file of it at fault. */
function faultyTree(files: Readonly<Record<string, Uint8Array>>, path: string, fault: Fault): FileTree {
  const bytes = files[path] ?? new Uint8Array(0);
  const others = memoryTree('case', files);
  return {
    ...others,
    open: (opened, signal) => {
      if (opened !== path) return others.open(opened, signal);
      const source = fault(bytes);
      return source === null ? Promise.reject(failing) : Promise.resolve(source);
    },
  };
}

/** Files that an inspection opens, one of those that differ in numbers only. */
async function openedFiles(files: Readonly<Record<string, Uint8Array>>): Promise<string[]> {
  const opened = new Map<string, string>();
  const tree = memoryTree('case', files);
  await inspectAnyHostile({
    ...tree,
    open(path, signal) {
      const key = isExhaustive ? path : withoutNumbers(path);
      if (!opened.has(key)) opened.set(key, path);
      return tree.open(path, signal);
    },
  });
  return [...opened.values()];
}

const kinds = ['checkpoint', 'dataset'] as const;

describe.each(kinds)('a file of a %s', (kind) => {
  it.each(fixtureCases(kind).map(({ name, files, checkpointPath }) => ({ name, files, checkpointPath })))(
    '$name',
    async ({ files, checkpointPath }) => {
      const prefix = checkpointPath === '' ? '' : `${checkpointPath}/`;
      const below = Object.fromEntries(
        Object.entries(files).flatMap(([path, bytes]) => (path.startsWith(prefix) ? [[path.slice(prefix.length), bytes]] : [])),
      );
      const tree = Object.keys(below).length === 0 ? files : below;
      const unnoticed: string[] = [];
      for (const path of await openedFiles(tree))
        for (const [name, fault] of Object.entries(faults)) {
          const report = await inspectAnyHostile(faultyTree(tree, path, fault));
          const isNamed = report.findings.some((finding) => finding.path === path);
          const spoilt = report.findings.filter((finding) => finding.code === 'file-unreadable' && finding.path !== path);
          if (isSevere(name) && !isNamed) unnoticed.push(`${path} ${name}`);
          for (const { path: other } of spoilt) unnoticed.push(`${path} ${name}: ${other}`);
        }
      expect(unnoticed).toEqual([]);
    },
  );
});
