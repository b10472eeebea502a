/** A file of telemetry, recognised by its content; or a directory of files that were taken in turn. */
import type { ByteSource } from '../../../bytes/byteSource.js';
import { FormatError } from '../../../bytes/formatError.js';
import { limits } from '../../../bytes/limits.js';
import { decodeStrictText } from '../../../bytes/text.js';
import { readWhole } from '../../../bytes/readWhole.js';
import type { FileTree } from '../../../files/fileTree.js';
import { isParquet } from '../../../formats/parquet/parquetFooter.js';
import { jsonFileValue } from '../../../formats/text/jsonValue.js';
import { jsonErrorInWords } from '../../../formats/text/jsonError.js';
import { csvSamples } from './csvSamples.js';
import { samplesOfDumps, type CounterDump } from './counterDumps.js';
import { isLustreJobStats, lustreDumps } from './lustreSamples.js';
import { isMountStats, mountStatsDumps } from './mountStatsSamples.js';
import { parquetSamples } from './parquetSamples.js';
import { isPrometheus, prometheusSamples } from './prometheusSamples.js';
import type { NamedColumns } from './sampleColumns.js';
import { telemetryOf, type Samples, type Telemetry } from './samples.js';
import { isSysstat, sysstatSamples } from './sysstatSamples.js';

const HEAD_BYTES = 64 * 1024;

/** @throws FormatError with a sentence of what cannot be used, and where */
export async function readTelemetry(tree: FileTree, named: NamedColumns, signal: AbortSignal | undefined): Promise<Telemetry> {
  const { entries } = await tree.list(signal);
  const files = entries.filter(({ error, link }) => error === undefined && link === undefined);
  const [only, ...more] = files;
  if (only === undefined) throw new FormatError('not-this-format', 'no file is there');
  if (more.length === 0) return telemetryOf(await fileSamples(tree, only.path, only.modifiedMs, named, signal));
  const dumps: { kind: string; dump: CounterDump }[] = [];
  let bytes = 0;
  for (const { path, modifiedMs, sizeBytes } of files) {
    bytes += sizeBytes;
    if (bytes > limits.telemetryTextBytes)
      throw new FormatError('limit-exceeded', `its files have more than ${limits.telemetryTextBytes} bytes`);
    const found = await withSource(tree, path, signal, async (source) => dumpsOf(await textOf(source, signal), modifiedMs));
    if (found === null)
      throw new FormatError(
        'not-this-format',
        `${path} is neither job_stats of Lustre nor mountstats: give one file of anything else`,
      );
    for (const dump of found.dumps) dumps.push({ kind: found.kind, dump });
  }
  dumps.sort((a, b) => a.dump.timeMs - b.dump.timeMs);
  return telemetryOf(
    samplesOfDumps(
      dumps[0]?.kind ?? '',
      dumps.map(({ dump }) => dump),
      [],
    ),
  );
}

async function fileSamples(
  tree: FileTree,
  path: string,
  modifiedMs: number | null,
  named: NamedColumns,
  signal: AbortSignal | undefined,
): Promise<Samples> {
  return withSource(tree, path, signal, async (source) => {
    const head = await source.read(0, Math.min(HEAD_BYTES, source.sizeBytes), signal);
    if (head.byteLength === 0) throw new FormatError('not-this-format', 'it is empty');
    if (isParquet(head)) return parquetSamples(source, named, signal);
    const start = textStart(head);
    if (start.startsWith('{') || start.startsWith('['))
      return jsonSamples(await readWhole(source, limits.jsonBytes, 'JSON', signal));
    if (isLustreJobStats(start) || isMountStats(start)) {
      const found = dumpsOf(await textOf(source, signal), modifiedMs);
      if (found !== null) return samplesOfDumps(found.kind, found.dumps, []);
    }
    return csvSamples(source, named, signal);
  });
}

async function withSource<Result>(
  tree: FileTree,
  path: string,
  signal: AbortSignal | undefined,
  use: (source: ByteSource) => Promise<Result>,
): Promise<Result> {
  const source = await tree.open(path, signal);
  try {
    return await use(source);
  } finally {
    await source.close();
  }
}

/** @throws FormatError `not-this-format` for what is no text */
function textStart(head: Uint8Array): string {
  if (head.includes(0)) throw new FormatError('not-this-format', 'it is no text, no JSON and no Parquet file');
  return new TextDecoder().decode(head).trimStart();
}

async function textOf(source: ByteSource, signal: AbortSignal | undefined): Promise<string> {
  const text = decodeStrictText(await readWhole(source, limits.telemetryTextBytes, 'text', signal));
  if (text === undefined) throw new FormatError('not-this-format', 'it is no text in UTF-8');
  return text;
}

function dumpsOf(text: string, fileMs: number | null): { kind: string; dumps: CounterDump[] } | null {
  if (isLustreJobStats(text)) return { kind: 'Lustre job_stats', dumps: lustreDumps(text) };
  return isMountStats(text) ? { kind: 'NFS mountstats', dumps: mountStatsDumps(text, fileMs) } : null;
}

function jsonSamples(bytes: Uint8Array): Samples {
  const value = jsonOf(bytes);
  if (isSysstat(value)) return sysstatSamples(value);
  if (isPrometheus(value)) return prometheusSamples(value);
  throw new FormatError('not-this-format', 'JSON, but neither the answer of a Prometheus range query nor that of sysstat');
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return jsonFileValue(bytes);
  } catch (error) {
    if (FormatError.is(error)) throw error;
    throw new FormatError('corrupt', jsonErrorInWords(error), { cause: error });
  }
}
