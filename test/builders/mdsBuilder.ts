/** Writes shards and an index as MosaicML Streaming's MDSWriter does. */
import { concat, u32 } from './byteWriter.js';

export interface MdsColumnSpec {
  name: string;
  encoding: string;
  /** Bytes of every value, or null. */
  size: number | null;
}

const encoder = new TextEncoder();

/** One shard, and its entry in the index. Values of a sample are in the order of the columns. */
export function mdsShard(
  basename: string,
  columns: readonly MdsColumnSpec[],
  samples: readonly (readonly Uint8Array[])[],
): { bytes: Uint8Array; entry: Record<string, unknown> } {
  const settings = {
    column_encodings: columns.map(({ encoding }) => encoding),
    column_names: columns.map(({ name }) => name),
    column_sizes: columns.map(({ size }) => size),
    compression: null,
    format: 'mds',
    hashes: [],
    size_limit: 67108864,
    version: 2,
  };
  const text = encoder.encode(
    JSON.stringify(settings).replace(/[,:]/g, (mark, at: number, whole: string) => (isInString(whole, at) ? mark : `${mark} `)),
  );
  const encoded = samples.map((values) =>
    concat(...columns.flatMap(({ size }, at) => (size === null ? [u32((values[at] as Uint8Array).byteLength)] : [])), ...values),
  );
  let offset = 4 * (samples.length + 2) + text.byteLength;
  const offsets = [u32(offset), ...encoded.map((sample) => u32((offset += sample.byteLength)))];
  const bytes = concat(u32(samples.length), ...offsets, text, ...encoded);
  return {
    bytes,
    entry: { ...settings, samples: samples.length, raw_data: { basename, bytes: bytes.byteLength, hashes: {} }, zip_data: null },
  };
}

function isInString(text: string, at: number): boolean {
  return (text.slice(0, at).match(/"/g)?.length ?? 0) % 2 === 1;
}

export function mdsIndex(...entries: Record<string, unknown>[]): Uint8Array {
  return encoder.encode(JSON.stringify({ shards: entries, version: 2 }));
}
