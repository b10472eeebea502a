/** Tensor bundles as file sets: an index and the shards of its data. */
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { FileImports } from '../../formats/pickle/imports/fileImports.js';
import { refuseImpostor } from '../../formats/impostor.js';
import { isTableEnd } from '../../formats/tensorflow/sortedTable.js';
import { parseBundleIndex, type Bundle, type BundleExtent, type BundleTensor } from '../../formats/tensorflow/tensorBundle.js';
import { baseName, parentPath } from '../../files/paths.js';
import type { FileSet, FileSetAccess, FileSetFormat } from './fileSet.js';

/** The magic at the end of a sorted table. */
const TABLE_END_BYTES = 8;

const dataName = /^(.+)\.data-(\d{5})-of-(\d{5})$/s;

export const tensorBundle: FileSetFormat = {
  id: 'tensor-bundle',
  checks: 'TensorFlow bundles: index, extents of tensors in the data files',
  find(listing) {
    const data = new Map<string, string[]>();
    for (const { path } of listing.entries) {
      const prefix = path.includes('.data-') ? dataName.exec(path)?.[1] : undefined;
      if (prefix === undefined) continue;
      const known = data.get(prefix);
      if (known === undefined) data.set(prefix, [path]);
      else known.push(path);
    }
    const indexes = listing.entries.filter(({ path }) => path.endsWith('.index'));
    return indexes.map(({ path }): FileSet => {
      const shards = data.get(path.slice(0, -'.index'.length)) ?? [];
      return { root: parentPath(path), paths: [path, ...shards] };
    });
  },
  read: readTensorBundle,
};

async function readTensorBundle({ paths }: FileSet, access: FileSetAccess): Promise<void> {
  const index = paths[0] as string;
  const prefix = index.slice(0, -'.index'.length);
  // Other programs call files so, too: without data beside it, it is an index only where it ends like one.
  if (paths.length === 1 && !(await endsLikeIndex(index, access))) {
    access.describe(index, { role: 'unrecognised', format: 'unknown', component: 'unexplained' });
    const imports = new FileImports(access);
    await access.withSource(index, async (source) => {
      await refuseImpostor(source, access.signal);
      await imports.scanPart(source, index, 0);
    });
    await access.turn();
    await imports.report(access.sinkOf(index));
    return;
  }
  access.describe(index, { role: 'variable-index', component: 'container' });
  const bundle = await readIndex(index, access);
  const step = await readStep(bundle, prefix, access);
  await access.turn();
  const sink = access.sinkOf(index);
  if (step !== undefined) sink.metadata('step', String(step));
  sink.metadata('shards', String(bundle.shards));
  noteMissingShards(bundle.shards, prefix, access);
  const ends = new Map<string, number>();
  for (const tensor of bundle.tensors) addTensor(tensor, bundle.shards, prefix, ends, access);
  for (const path of paths.slice(1)) checkEnd(path, ends.get(path) ?? 0, access);
}

async function endsLikeIndex(index: string, access: FileSetAccess): Promise<boolean> {
  const bytes = access.entry(index)?.sizeBytes ?? 0;
  const isIndex = bytes >= TABLE_END_BYTES && isTableEnd(await access.read(index, bytes - TABLE_END_BYTES, TABLE_END_BYTES));
  await access.turn();
  return isIndex;
}

async function readIndex(index: string, access: FileSetAccess): Promise<Bundle> {
  const bytes = access.entry(index)?.sizeBytes ?? 0;
  if (bytes > limits.indexBytes) throw new FormatError('limit-exceeded', `the index takes ${bytes} bytes`);
  return parseBundleIndex(await access.read(index, 0, bytes));
}

function shardPath(prefix: string, shard: number, shards: number): string {
  return `${prefix}.data-${String(shard).padStart(5, '0')}-of-${String(shards).padStart(5, '0')}`;
}

function noteMissingShards(shards: number, prefix: string, access: FileSetAccess): void {
  let missing = 0;
  const first: number[] = [];
  for (let shard = 0; shard < Math.min(shards, limits.listedFiles); shard++) {
    if (access.entry(shardPath(prefix, shard, shards)) !== undefined) continue;
    missing += 1;
    if (first.length < 5) first.push(shard);
  }
  if (missing === 0) return;
  access.sinkOf(`${prefix}.index`).finding({
    code: 'shard-missing',
    facts: { shards: missing, total: shards, stem: `${baseName(prefix)}.data`, first: first.join(', ') },
  });
}

function addTensor(tensor: BundleTensor, shards: number, prefix: string, ends: Map<string, number>, access: FileSetAccess): void {
  const { name, dtype, shape, extents, expectedBytes } = tensor;
  const sink = access.sinkOf(`${prefix}.index`);
  const stored = extents.reduce((sum, { bytes }) => sum + bytes, 0);
  if (expectedBytes !== undefined && stored !== expectedBytes)
    sink.finding({ code: 'tensor-size-mismatch', facts: { tensor: name, expectedBytes, bytes: stored } });
  const pieces = extents.flatMap(({ shard, offset, bytes }: BundleExtent) => {
    const path = shardPath(prefix, shard, shards);
    const file = access.fileNumber(path);
    if (file === undefined) return [];
    ends.set(path, Math.max(ends.get(path) ?? 0, offset + bytes));
    return [{ file, offset, bytes }];
  });
  sink.tensor({ keyPath: [name], dtype, shape, bytes: stored, pieces });
}

/** A shard ends with its last tensor. */
function checkEnd(path: string, end: number, access: FileSetAccess): void {
  const bytes = access.entry(path)?.sizeBytes ?? 0;
  const sink = access.sinkOf(path);
  if (end > bytes) {
    sink.finding({ code: 'file-truncated', offset: bytes, facts: { expectedBytes: end, bytes, declaredBy: 'index' } });
  } else if (end < bytes) {
    sink.unexplained(end, bytes - end);
    sink.finding({ code: 'file-too-long', offset: end, facts: { expectedBytes: end, bytes, declaredBy: 'index' } });
  }
}

/** Names under which training code keeps its step, the best first (tf.train.Checkpoint, Keras optimizers, TensorFlow 1). */
const stepNames = ['global_step', 'step', 'optimizer/_iterations', 'optimizer/iterations', 'optimizer/iter', 'iterations'];

async function readStep({ tensors, shards }: Bundle, prefix: string, access: FileSetAccess): Promise<number | undefined> {
  const counters = new Map<string, BundleTensor>();
  for (const tensor of tensors) {
    const name = tensor.name.replace(/\/\.ATTRIBUTES\/VARIABLE_VALUE$/, '');
    if (tensor.shape.length === 0 && (tensor.dtype === 'i64' || tensor.dtype === 'i32')) counters.set(name, tensor);
  }
  const tensor = stepNames.map((name) => counters.get(name)).find((found) => found !== undefined);
  const extent = tensor?.extents[0];
  if (tensor === undefined || extent === undefined || extent.bytes !== tensor.expectedBytes) return undefined;
  const path = shardPath(prefix, extent.shard, shards);
  if (extent.offset + extent.bytes > (access.entry(path)?.sizeBytes ?? 0)) return undefined;
  let step: number | undefined;
  await access.guard(path, async () => {
    const bytes = await access.read(path, extent.offset, extent.bytes);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    step = bytes.byteLength === 8 ? Number(view.getBigInt64(0, true)) : view.getInt32(0, true);
  });
  return step !== undefined && Number.isSafeInteger(step) && step >= 0 ? step : undefined;
}
