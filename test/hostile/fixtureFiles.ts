/** Fixtures as files to damage. Folders are enumerated; what is left out is listed with its reason, and fixtures.test.ts checks it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { filesBelow } from '../builders/diskTree.js';
import { casesBelow, fixtureRoot, type FixtureKind } from '../builders/frameworkFixtures.js';
import { oneOf } from '../builders/inspectOne.js';
import { memoryTree } from '../builders/memoryTree.js';
import { isExhaustive } from '../builders/seed.js';
import { inspectAnyHostile } from './accountable.js';
import { turnOf } from './sweep.js';

export interface HostileFile {
  /** From the folder of fixtures on, e.g. `torch/dtypes/data/dtypes.pt`. */
  name: string;
  /** Name of the inspected directory. */
  root: string;
  /** In the inspected directory. */
  path: string;
  bytes: Uint8Array;
  /** The other files of the directory. */
  beside: Readonly<Record<string, Uint8Array>>;
  /** Files of one shape run through the same code: a run damages one of them, the exhaustive run all. */
  shape: string;
}

/** A folder that one writer filled: `family/case`. */
interface FixtureCase {
  name: string;
  /** What golden tests inspect, below `data`: '' for all of it. */
  checkpointPath: string;
  /** By their paths below `data`. */
  files: Record<string, Uint8Array>;
}

const onlyFile = process.env['STOWAGE_FILE'];

/** Files of checkpoints that are not cut by themselves. */
export const notSingleFiles: readonly [files: RegExp, reason: string][] = [
  [/\.(json|md|txt|py|lock)$|\/(latest|latest_universal|checkpoint)$/, 'texts, of which nothing declares the length'],
  [/\.data-\d{5}-of-\d{5}$|\.index$/, 'a TensorFlow bundle is several files; trees.test.ts'],
  [/\.onnx\.data$/, 'payload of another file; trees.test.ts'],
  [/\.distcp$|\.metadata$/, 'a distributed save is several files; distributed.test.ts and trees.test.ts'],
  [/^orbax\/(?!flax-)/, 'databases are several files; databases.test.ts and trees.test.ts'],
];

/** A file that a test builds, as one to damage. */
export const builtFile = (path: string, bytes: Uint8Array, beside: Readonly<Record<string, Uint8Array>> = {}): HostileFile => ({
  name: `built/${path}`,
  root: 'built',
  path,
  bytes,
  beside,
  shape: path,
});

/** The cases of a kind, with their files. */
export function fixtureCases(kind: FixtureKind): FixtureCase[] {
  return casesBelow(fixtureRoot, kind).map((name) => {
    const folder = path.join(fixtureRoot, name);
    const truth = JSON.parse(readFileSync(path.join(folder, 'truth.json'), 'utf8')) as { checkpointPath?: string | null };
    return { name, checkpointPath: truth.checkpointPath ?? '', files: filesBelow(path.join(folder, 'data')) };
  });
}

const familyOf = ({ name }: { name: string }): string => name.slice(0, name.indexOf('/'));

/**
 * Files of checkpoints that can be inspected by themselves.
 * @param maxBytes larger files repeat what smaller ones of their shape have: where there are none, the smallest is one of them
 */
export async function singleFiles(maxBytes: number): Promise<HostileFile[]> {
  const files = fixtureCases('checkpoint')
    .flatMap(({ name, files }) =>
      Object.entries(files).map(([file, bytes]) => ({
        name: `${name}/data/${file}`,
        root: 'alone',
        path: file.slice(file.lastIndexOf('/') + 1),
        bytes,
        beside: {},
      })),
    )
    .filter(({ name }) => isSingleFile(name));
  const shaped = await Promise.all(files.map(async (file) => ({ ...file, shape: await shapeOf(file) })));
  const smallest = new Map<string, number>();
  for (const { shape, bytes } of shaped) smallest.set(shape, Math.min(smallest.get(shape) ?? Infinity, bytes.byteLength));
  return shaped.filter(({ shape, bytes }) => bytes.byteLength <= Math.max(maxBytes, smallest.get(shape) ?? 0));
}

export const isSingleFile = (name: string): boolean => !notSingleFiles.some(([pattern]) => pattern.test(name));

/** Families of which each case was made for a feature of its format: key-value types, byte orders, ways to store an array. */
const shapePerCase = new Set(['gguf', 'misc', 'safetensors']);

/** What makes a file run through other code than another: its container and the writer's way of using it. */
async function shapeOf({ name, root, path: file, bytes }: Omit<HostileFile, 'shape'>): Promise<string> {
  const report = oneOf(await inspectAnyHostile(memoryTree(root, { [file]: bytes })));
  const [first] = report.files;
  const facts = [report.layout, first?.path.replace(/^.*\./, ''), first?.format, first?.role, ...containerOf(bytes)];
  if (shapePerCase.has(familyOf({ name }))) facts.push(name.split('/')[1]);
  if (report.kind === 'checkpoint')
    facts.push(
      report.framework.name,
      ...Object.keys(report.components).sort(),
      ...report.pickleImports.map(({ name }) => name).sort(),
    );
  return facts.join(' ');
}

/** Magic number and version, and of zip archives which methods and flags their entries have. */
function containerOf(bytes: Uint8Array): string[] {
  const magic = String.fromCharCode(...bytes.subarray(0, 4));
  if (magic === 'GGUF') return [magic, ...bytes.subarray(4, 8).join('.')];
  if (!magic.startsWith('PK')) return [bytes.subarray(0, 2).join('.')];
  const facts = new Set<string>();
  for (let at = bytes.indexOf(0x50); at !== -1; at = bytes.indexOf(0x50, at + 1))
    if (bytes[at + 1] === 0x4b && bytes[at + 2] === 1 && bytes[at + 3] === 2)
      facts.add(bytes.subarray(at + 6, at + 12).join('.'));
  return [...facts].sort();
}

export const isTorch = ({ shape }: { shape: string }): boolean => /torch/.test(shape);

/** The files that a run damages: one of each shape, another one with another seed. */
export function chosenOf<T extends { name: string; shape: string }>(files: readonly T[]): T[] {
  if (onlyFile !== undefined) return files.filter(({ name }) => name.includes(onlyFile));
  if (isExhaustive) return [...files];
  const shapes = new Map<string, T[]>();
  for (const file of files) shapes.set(file.shape, [...(shapes.get(file.shape) ?? []), file]);
  return [...shapes].map(([shape, alike]) => turnOf(alike, shape));
}

/** A name without its numbers and hashes: shards and ranks are alike. */
export const withoutNumbers = (name: string): string => name.replaceAll(/[0-9a-f]{32}|\d+/g, '#');

/** Files of datasets that are damaged by themselves: all that states their form is in them. */
export const isTable = (name: string): boolean => /\.(arrow|parquet)$/.test(name);
