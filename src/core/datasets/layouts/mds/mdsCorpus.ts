/** The text of a shard of MosaicML Streaming, for the estimate of tokens: a position is a sample. */
import { FormatError } from '../../../bytes/formatError.js';
import { decodeText } from '../../../bytes/text.js';
import { memberOf } from '../../../formats/text/jsonMember.js';
import { jsonValue } from '../../../formats/text/jsonValue.js';
import { valueIn } from '../../../formats/mds/mdsShard.js';
import type { DatasetAccess } from '../../datasetLayout.js';
import type { TextCorpus, TextDraw } from '../../text/textCorpus.js';
import type { ColumnSizes, MdsRoleColumn } from './mdsColumns.js';
import type { FoundShard } from './foundShard.js';

const WINDOW_BYTES = 16 * 1024;
/** Most that one draw reads: a few very long samples stand for themselves. */
const MAX_DRAW_BYTES = 4 * 1024 * 1024;

/**
 * The corpus of a shard, where it has text that can be read by sample.
 * @param offsets where samples begin, for the formats that keep them beside the data; else they are read from the shard
 */
export function mdsCorpus(
  access: DatasetAccess,
  { entry, path, isZip }: FoundShard,
  columns: readonly MdsRoleColumn[],
  sizes: ColumnSizes | null,
  offsets?: Uint32Array,
): TextCorpus | undefined {
  const column = columns.find(({ role }) => role === 'text');
  if (column === undefined || isZip || entry.samples === 0 || columns.some(({ role }) => role === 'tokens')) return undefined;
  const textBytes = sizes?.bytes[columns.indexOf(column)] ?? null;
  const textOf = textReader(entry.format, columns, column.name);
  if (textOf === undefined) return undefined;
  const weightBytes = Math.max(1, textBytes ?? entry.raw.bytes);
  return {
    path,
    span: entry.samples,
    reachable: entry.samples,
    weightBytes,
    textBytes,
    documents: entry.samples,
    isCounted: true,
    window: Math.max(1, Math.ceil((WINDOW_BYTES * entry.samples) / weightBytes)),
    async draw(from, length, signal): Promise<TextDraw> {
      const to = Math.min(entry.samples, from + length);
      return await access.withSource(path, async (source) => {
        const places = offsets?.subarray(from, to + 1) ?? placesIn(await source.read(4 + 4 * from, 4 * (to - from + 1), signal));
        const start = places[0] ?? 0;
        const end = Math.min(places.at(-1) ?? 0, start + MAX_DRAW_BYTES);
        if (end < start) throw new FormatError('corrupt', 'samples do not ascend', { offset: 4 + 4 * from });
        const bytes = await source.read(start, end - start, signal);
        return drawOf(bytes, places, textOf);
      });
    },
  };
}

function placesIn(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint32Array.from({ length: bytes.byteLength / 4 }, (_, index) => view.getUint32(4 * index, true));
}

type TextReader = (sample: Uint8Array) => string | undefined;

function textReader(format: string, columns: readonly MdsRoleColumn[], name: string): TextReader | undefined {
  if (format === 'mds')
    return (sample) => {
      const value = valueIn(sample, columns, name);
      return value === undefined ? undefined : decodeText(value);
    };
  if (format === 'json')
    return (sample) => {
      const text = memberOf(parsed(decodeText(sample)), name);
      return typeof text === 'string' ? text : undefined;
    };
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return jsonValue(text);
  } catch {
    return undefined;
  }
}

function drawOf(bytes: Uint8Array, places: Uint32Array, textOf: TextReader): TextDraw {
  const draw: TextDraw = { texts: [], textBytes: 0, documents: 0, covered: 0 };
  const start = places[0] ?? 0;
  for (let index = 0; index + 1 < places.length; index++) {
    const from = (places[index] as number) - start;
    const to = (places[index + 1] as number) - start;
    if (to > bytes.byteLength || to < from) break;
    draw.documents += 1;
    draw.covered += 1;
    const text = textOf(bytes.subarray(from, to));
    if (text === undefined) continue;
    draw.texts.push(text);
    draw.textBytes += new TextEncoder().encode(text).byteLength;
  }
  return draw;
}
