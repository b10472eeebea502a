/** Reads some elements of a tensor, and no more bytes than these take with what lies between them. */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError, throwIfCancelled } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import type { FileTree } from '../../files/fileTree.js';
import { runOrdered } from '../../files/orderedPool.js';
import { bitsOfDtype } from '../../tensors/dtype.js';
import type { NumberDecoder } from '../numberAccumulator.js';
import { isItem, settledExtents } from '../torchItem.js';
import { checkAxes, placesOf, type SliceAxis } from './sliceAxes.js';
import { openForm, type SliceForm } from './sliceForm.js';
import type { SlicePlace } from './slicePlace.js';
import { sliceStretches, type Stretch } from './sliceStretches.js';

/** Values of a slice. */
export interface Slice {
  /** In the order of its axes, the last one fastest; `parts` numbers for each element. */
  numbers: Float64Array;
  /** Of integers that a double does not hold: their digits, by their index in `numbers`. */
  digits: ReadonlyMap<number, string>;
  /** Two for complex numbers, and for packed values of which a stored element has two. */
  parts: number;
  isScaled: boolean;
  reads: number;
  bytesRead: number;
}

interface SliceHooks {
  signal?: AbortSignal | undefined;
}

/**
 * The elements with these indices.
 * @throws FormatError `unsupported` for indices that are not there, `limit-exceeded` where they take too many reads or bytes,
 * `io` and `truncated` where the file cannot be read, `cancelled`
 */
export async function readSlice(
  tree: Pick<FileTree, 'open'>,
  place: SlicePlace,
  axes: readonly SliceAxis[],
  { signal }: SliceHooks = {},
): Promise<Slice> {
  checkAxes(axes, place.shape);
  const files = new Sources(tree, signal);
  try {
    const own = await settledPlace(place, files);
    return await read(own, await openForm(own, files), axes, files);
  } finally {
    await files.close();
  }
}

/** A matrix in a tensor. */
export interface SliceView {
  rowAxis: number;
  columnAxis: number;
  /** Of the other axes; what it has of these two is not used. */
  index: readonly number[];
}

/** Rows and columns of a matrix that is spread over a picture, the most first. */
const spreadSides = [128, 96, 64, 32, 16, 8];

/**
 * A whole matrix by rows and columns that are spread over it evenly: all of them where it has few, fewer where they lie far apart.
 * @throws FormatError as `readSlice`
 */
export async function readSpread(
  tree: Pick<FileTree, 'open'>,
  place: SlicePlace,
  view: SliceView,
  { signal }: SliceHooks = {},
): Promise<Slice & { axes: SliceAxis[] }> {
  const files = new Sources(tree, signal);
  try {
    const own = await settledPlace(place, files);
    const form = await openForm(own, files);
    const size = unitSizeOf(place.dtype, form.decoder);
    const choices = spreadSides.map((side) => spreadAxes(place.shape, view, side));
    for (const axes of choices) checkAxes(axes, place.shape);
    const fits = (axes: SliceAxis[]): boolean =>
      sliceStretches(unitsOf(placesOf(axes, place), size.unitElements), size.unitBytes) !== null;
    const axes = choices.find(fits) ?? spreadAxes(place.shape, view, 1);
    return { axes, ...(await read(own, form, axes, files)) };
  } finally {
    await files.close();
  }
}

/** Values in an archive are found there. @throws FormatError */
async function settledPlace(place: SlicePlace, files: Sources): Promise<SlicePlace> {
  if (!isItem(place)) return place;
  const [settled] = await settledExtents(
    [place],
    (path, offset, length) => files.read(path, offset, length),
    (path) => files.sizeOf(path),
  );
  return { ...place, offset: settled?.offset ?? place.offset };
}

function spreadAxes(shape: readonly number[], { rowAxis, columnAxis, index }: SliceView, side: number): SliceAxis[] {
  return shape.map((size, axis): SliceAxis => {
    if (axis !== rowAxis && axis !== columnAxis) return { start: index[axis] ?? 0, count: 1, step: 1 };
    const step = Math.max(1, Math.ceil(size / side));
    return { start: 0, count: Math.ceil(size / step), step };
  });
}

/** Elements of the tensor that are decoded together, and their bytes. */
interface UnitSize {
  unitBytes: number;
  /** Stored elements: a pair of 4 bits in a byte is one where the shape counts bytes. */
  unitElements: number;
}

/** How a decoder's units are counted in elements of the shape. */
function unitSizeOf(dtype: string, { unitBytes, unitElements }: NumberDecoder): UnitSize {
  const bits = bitsOfDtype(dtype);
  return { unitBytes, unitElements: bits === undefined ? unitElements : (unitBytes * 8) / bits };
}

async function read(place: SlicePlace, form: SliceForm, axes: readonly SliceAxis[], files: Sources): Promise<Slice> {
  const size = unitSizeOf(place.dtype, form.decoder);
  const parts = form.decoder.unitElements / size.unitElements;
  const places = placesOf(axes, place);
  const stretches = sliceStretches(unitsOf(places, size.unitElements), size.unitBytes);
  if (stretches === null)
    throw new FormatError('limit-exceeded', `its values lie too far apart: more than ${limits.sliceReads} reads`);
  const decoded = await decode(place, form, stretches, files);
  const numbers = new Float64Array(places.length * parts);
  const digits = new Map<number, string>();
  places.forEach((element, at) => {
    const unit = Math.floor(element / size.unitElements);
    const own = decoded.get(unit);
    const within = (element - unit * size.unitElements) * parts;
    for (let part = 0; part < parts; part++) numbers[at * parts + part] = own?.numbers[within + part] ?? NaN;
    if (own?.digits !== undefined) digits.set(at, own.digits);
  });
  return { numbers, digits, parts, isScaled: form.isScaled, reads: files.reads, bytesRead: files.bytesRead };
}

/** The units that hold elements, each once, ascending. */
function unitsOf(places: Float64Array, unitElements: number): Float64Array {
  const sorted = places.map((place) => Math.floor(place / unitElements)).sort();
  return sorted.filter((unit, at) => at === 0 || unit !== sorted[at - 1]);
}

interface DecodedUnit {
  numbers: Float64Array;
  /** Of an integer that a double does not hold. */
  digits: string | undefined;
}

/** The units that hold elements, by their number. */
async function decode(
  place: SlicePlace,
  form: SliceForm,
  stretches: readonly Stretch[],
  files: Sources,
): Promise<Map<number, DecodedUnit>> {
  const decoded = new Map<number, DecodedUnit>();
  const { unitBytes } = form.decoder;
  const failures: unknown[] = [];
  const readOne = async ({ unit, units, wanted }: Stretch): Promise<void> => {
    if (failures.length > 0) return;
    const bytes = await files.read(place.path, place.offset + unit * unitBytes, units * unitBytes);
    const decoder = await form.decoderAt(unit, units);
    for (const own of wanted) {
      const from = (own - unit) * unitBytes;
      decoded.set(own, decodedUnit(decoder, bytes.slice(from, from + unitBytes), own));
    }
  };
  // No file is closed under a read: a failure waits for the reads that are under way.
  await runOrdered(stretches, limits.concurrentReads, (stretch) =>
    readOne(stretch).catch((error: unknown) => void failures.push(error)),
  );
  if (failures.length > 0) throw failures[0];
  return decoded;
}

function decodedUnit(decoder: NumberDecoder, bytes: Uint8Array, unit: number): DecodedUnit {
  const numbers = Float64Array.from(decoder.decode(bytes, unit));
  const isExact = decoder.integerAt === undefined || Number.isSafeInteger(numbers[0]);
  return { numbers, digits: isExact ? undefined : String(decoder.integerAt?.(bytes, 0)) };
}

/** Open files of a slice: the tensor's, and those of its scales. */
class Sources {
  reads = 0;
  bytesRead = 0;
  private readonly open = new Map<string, Promise<ByteSource>>();

  constructor(
    private readonly tree: Pick<FileTree, 'open'>,
    private readonly signal: AbortSignal | undefined,
  ) {}

  async sizeOf(path: string): Promise<number> {
    return (await this.sourceOf(path)).sizeBytes;
  }

  private sourceOf(path: string): Promise<ByteSource> {
    const opening = this.open.get(path) ?? this.tree.open(path, this.signal);
    this.open.set(path, opening);
    return opening;
  }

  async read(path: string, offset: number, length: number): Promise<Uint8Array> {
    const source = await this.sourceOf(path);
    throwIfCancelled(this.signal);
    this.reads += 1;
    this.bytesRead += length;
    return source.read(offset, length, this.signal);
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.open.values());
    for (const each of opened) if (each.status === 'fulfilled') await each.value.close();
  }
}
