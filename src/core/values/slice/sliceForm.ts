/** How the bytes of a slice become numbers: by their type, and by the scales that lie beside packed values. */
import { limits } from '../../bytes/limits.js';
import { decoderOf } from '../accumulatorOf.js';
import type { NumberDecoder } from '../numberAccumulator.js';
import { scaledDecoder } from '../scaled/scaledDecoder.js';
import type { Scaling, ScalePart, ScaleUse } from '../scaled/scaling.js';
import type { SlicePlace } from './slicePlace.js';

export interface SliceForm {
  /** Of the size of units; those that are read are decoded by `decoderAt`. */
  decoder: NumberDecoder;
  isScaled: boolean;
  /** Decodes units from `unit` on, by their number in the tensor. Reads the scales that they need. */
  decoderAt(unit: number, units: number): Promise<NumberDecoder>;
}

interface Reader {
  read(path: string, offset: number, length: number): Promise<Uint8Array>;
}

/** @throws FormatError `io`, `truncated` and `cancelled` */
export async function openForm({ dtype, isBigEndian, bytes, scaling }: SlicePlace, files: Reader): Promise<SliceForm> {
  const scaled = scaling && (await scaledForm(scaling, bytes, files));
  if (scaled !== undefined) return scaled;
  const decoder = decoderOf(dtype, isBigEndian);
  return { decoder, isScaled: false, decoderAt: () => Promise.resolve(decoder) };
}

/** Undefined where scales do not fit, or are more than a slice may read: then what is stored are codes. */
async function scaledForm(scaling: Scaling, bytes: number, files: Reader): Promise<SliceForm | undefined> {
  const { whole, byUnit } = partsOf(scaling);
  if (whole.reduce((sum, { extent }) => sum + extent.bytes, 0) > limits.sliceBytes) return undefined;
  const held = new Map<ScaleUse, Uint8Array>();
  for (const { use, extent } of whole) held.set(use, await files.read(extent.path, extent.offset, extent.bytes));
  const decoder = scaledDecoder(scaling, byUnit === undefined ? held : new Map([...held, ['scales', new Uint8Array(1)]]));
  if (decoder === undefined || bytes % decoder.unitBytes !== 0) return undefined;
  const decoderAt = async (unit: number, units: number): Promise<NumberDecoder> => {
    if (byUnit === undefined) return decoder;
    const { path, offset } = byUnit.extent;
    const scales = await files.read(path, offset + unit, units);
    const own = scaledDecoder(scaling, new Map([...held, ['scales', scales]])) ?? decoder;
    return { ...own, decode: (block, unitsBefore) => own.decode(block, unitsBefore - unit) };
  };
  return { decoder, isScaled: true, decoderAt };
}

/** Scales of one byte a unit are read where they are needed; what bitsandbytes stores and scales of blocks are read whole. */
function partsOf({ kind, parts }: Scaling): { whole: ScalePart[]; byUnit: ScalePart | undefined } {
  if (kind === 'bitsandbytes' || kind === 'f8') return { whole: parts, byUnit: undefined };
  return { whole: parts.filter(({ use }) => use !== 'scales'), byUnit: parts.find(({ use }) => use === 'scales') };
}
