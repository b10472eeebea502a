/** What reads whole files: sums and values. Damage is a status, a finding or a reason; nothing is thrown, and numbers fit the files. */
import { createHash } from 'node:crypto';
import { FormatError } from '../../src/core/bytes/formatError.js';
import { inspect } from '../../src/core/inspection/inspect.js';
import type { Manifest } from '../../src/core/verification/expected.js';
import {
  manifestBlockBytes,
  manifestName,
  manifestText,
  parseManifest,
} from '../../src/core/verification/manifest/manifestFile.js';
import { coreHash } from '../../src/core/verification/hashes/coreHash.js';
import type { VerificationReport } from '../../src/core/verification/verification.js';
import { verifyTree } from '../../src/core/verification/verifyTree.js';
import { readTasks } from '../../src/core/values/readTasks.js';
import type { Sample } from '../../src/core/values/valueTask.js';
import type { ValuesReport } from '../../src/core/values/valuesReport.js';
import { gridOfRow } from '../../src/app/values/sliceOfTable.js';
import { valuesOfTable } from '../../src/app/values/valuesOfTable.js';
import { filesBelow } from '../../test/builders/diskTree.js';
import { memoryTree } from '../../test/builders/memoryTree.js';
import { passesHere } from '../../test/builders/verification.js';
import { sizeOf, type FuzzTarget, type Input } from '../target.js';
import { fixtureInputs } from './fixtureInputs.js';
import { formByName } from './forms.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Every byte of an input is hashed, or unpacked and counted, in each execution. */
const maxSeedBytes = 48 * 1024;

const listWords = ['SHA256 (', ') = ', '  ', ' *', '\\', '../', '/', '\r\n', 'MD5 (', '#'];
const manifestWords = [
  '"crc32c":[]',
  '"bytes":0',
  '"path":"../x"',
  '"blockBytes":4096',
  'modifiedMs',
  'sha256',
  'null',
  '9007199254740993',
];

export function contentTargets(): FuzzTarget[] {
  const directory = { isDirectory: true, formOf } as const;
  return [
    { ...directory, name: 'verify-sums', seeds: sumSeeds, execute: verifyInput },
    { ...directory, name: 'verify-lists', seeds: listSeeds, dictionary: listWords, execute: verifyInput },
    { ...directory, name: 'verify-manifest', seeds: manifestSeeds, dictionary: manifestWords, execute: verifyInput },
    { ...directory, name: 'values', seeds: checkpointSeeds, execute: readInputValues },
  ];
}

function formOf(path: string): ReturnType<typeof formByName> {
  return /SHA256SUMS|md5sums|\.sha256$/.test(path) ? 'text' : formByName(path);
}

/** A file of each format with sums, and the directories whose sums are in several files. */
function sumSeeds(): Input[] {
  const all = Object.entries(filesBelow('test/fixtures/verification')).filter(([path]) => !/\.(md|py)$/.test(path));
  const groups = new Map<string, Record<string, Uint8Array>>();
  for (const [path, bytes] of all) {
    const folder = path.split('/')[0] as string;
    groups.set(folder, { ...groups.get(folder), [path]: bytes });
  }
  return [
    ...[...groups.values()].filter((input) => sizeOf(input) <= 2 * maxSeedBytes),
    ...checkpointSeeds(),
    ...smallInputs('dataset'),
  ];
}

function smallInputs(kind: 'checkpoint' | 'dataset'): Input[] {
  return fixtureInputs(kind).flatMap(({ files }) => (sizeOf(files) <= maxSeedBytes ? [files] : []));
}

function checkpointSeeds(): Input[] {
  const values = Object.entries(filesBelow('test/fixtures/values')).filter(([path]) =>
    /\.(safetensors|gguf|pt|npy|npz|h5)$/.test(path),
  );
  return [
    ...values.flatMap(([path, bytes]) => (bytes.byteLength <= maxSeedBytes ? [{ [path]: bytes }] : [])),
    ...smallInputs('checkpoint'),
  ];
}

const data = { 'a.bin': encoder.encode('some bytes'), 'below/b\nc.bin': new Uint8Array(5_000) };

function listSeeds(): Input[] {
  const hex = (algorithm: string, bytes: Uint8Array): string => createHash(algorithm).update(bytes).digest('hex');
  const lines = (algorithm: string): string =>
    `${hex(algorithm, data['a.bin'])}  a.bin\n\\${hex(algorithm, data['below/b\nc.bin'])} *below/b\\nc.bin\n`;
  const list = (name: string, text: string): Input => ({ ...data, [name]: encoder.encode(text) });
  return [
    list('SHA256SUMS', lines('sha256')),
    list('md5sums.txt', lines('md5').replaceAll('\n', '\r\n')),
    list('checklist.chk', `MD5 (a.bin) = ${hex('md5', data['a.bin'])}\n`),
    list('a.bin.sha256', hex('sha256', data['a.bin'])),
  ];
}

function manifestSeeds(): Input[] {
  const files = Object.entries(data).map(([path, bytes]) => {
    const crc = coreHash('crc32c');
    crc.update(bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { path, bytes: bytes.byteLength, modifiedMs: 5, sha256, crc32c: [crc.digest()] };
  });
  const text = manifestText(files, 0);
  return [
    { ...data, [manifestName]: encoder.encode(text) },
    ...listSeeds().map((input) => ({ ...input, [manifestName]: encoder.encode(text) })),
  ];
}

/** Verifies by all sums and by the manifest, where there is one that can be read; a new one is listed besides for some inputs. */
async function verifyInput(input: Input): Promise<void> {
  const isListed = sizeOf(input) % 2 === 0;
  const { report, covered } = await verifyTree({
    path: 'fuzz',
    tree: memoryTree('fuzz', input),
    passes: passesHere,
    manifest: manifestIn(input),
    manifestPath: null,
    listing: isListed ? { known: new Map(), add: () => Promise.resolve() } : null,
    clock: () => 0,
    onProgress: () => undefined,
    signal: undefined,
  });
  checkVerification(report, input);
  for (const [path, extents] of covered)
    for (const { offset, length } of extents)
      if (!isWithin(offset, length, input[path]?.byteLength ?? 0))
        throw new Error(`${path}: covered at ${offset}, ${length} bytes`);
}

function manifestIn(input: Input): Manifest | null {
  const bytes = Object.hasOwn(input, manifestName) ? input[manifestName] : undefined;
  if (bytes === undefined) return null;
  try {
    const manifest = parseManifest(decoder.decode(bytes));
    return manifest.blockBytes > manifestBlockBytes ? null : manifest;
  } catch (error) {
    if (FormatError.is(error)) return null;
    throw error;
  }
}

function checkVerification({ files, failed }: VerificationReport, input: Input): void {
  const here = Object.keys(input).filter((path) => path !== manifestName && path !== `${manifestName}.partial`);
  const reported = files.filter(({ status }) => status !== 'missing').map(({ path }) => path);
  if (reported.sort().join('\n') !== here.sort().join('\n')) throw new Error('the report has other files than the directory');
  for (const { path, bytes, status, coverage, damage } of files) {
    if (status !== 'missing' && bytes !== input[path]?.byteLength) throw new Error(`the report has ${bytes} B of ${path}`);
    if (coverage.bytes > coverage.of) throw new Error(`${path}: ${coverage.bytes} of ${coverage.of} bytes are covered`);
    for (const { offset, length } of damage)
      if (!isWithin(offset, length, bytes)) throw new Error(`${path}: damage at ${offset}, ${length} bytes of ${bytes}`);
    if (status === 'same' && damage.length > 0) throw new Error(`${path} is the same and damaged`);
  }
  const failures = files.filter(({ status }) => status === 'changed' || status === 'missing' || status === 'unreadable');
  if (failed !== failures.length) throw new Error(`the report has ${failed} failures of ${failures.length}`);
}

function isWithin(offset: number, length: number, sizeBytes: number): boolean {
  return (
    Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length >= 0 && offset + length <= sizeBytes
  );
}

/** Values of all tensors, or of a sample of them, and a slice of the first one. */
async function readInputValues(input: Input): Promise<void> {
  const tree = memoryTree('fuzz', input);
  const { report, tensors: table } = await inspect(tree, { path: 'fuzz' });
  if (report.kind !== 'checkpoint') return;
  const sample: Sample | undefined = sizeOf(input) % 3 === 0 ? { share: 0.3, seed: 1 } : undefined;
  const { files, findings } = report;
  const values = await valuesOfTable(
    { path: 'fuzz', table, files, findings, readValues: (tasks, hooks) => readTasks(tree, tasks, hooks) },
    sample === undefined ? {} : { sample },
  );
  checkValues(values, table.size + table.absentTensors.length, sizeOf(input));
  if (table.size === 0) return;
  try {
    await gridOfRow({ table, files, tree }, { row: 0, index: table.shapeOf(0).map(() => 0), rows: 4, columns: 4 });
  } catch (error) {
    if (!FormatError.is(error)) throw error;
  }
}

function checkValues({ tensors, notRead, bytesRead }: ValuesReport, rows: number, bytes: number): void {
  if (tensors.length + notRead.length !== rows)
    throw new Error(`the report has ${tensors.length + notRead.length} of ${rows} tensors`);
  if (bytesRead > bytes) throw new Error(`the report has ${bytesRead} B read of ${bytes}`);
  for (const { name, count, nan, inf, zeros, min, max, mean, std, histogram } of tensors) {
    const numbers = [min, max, mean, std].filter((value) => value !== null);
    if (numbers.some((value) => !Number.isFinite(value))) throw new Error(`${name}: a number that is none`);
    if (nan + inf + zeros > count) throw new Error(`${name}: ${nan} NaN, ${inf} Inf and ${zeros} zeros of ${count}`);
    const counted = histogram?.counts.reduce((sum, each) => sum + each, 0) ?? 0;
    if (counted !== count - nan - inf) throw new Error(`${name}: the histogram has ${counted} of ${count - nan - inf}`);
  }
}
