/** A check's numbers as tables, which panel, terminal and Markdown show alike. */
import { isObjectStore } from '../../bandwidth/fileSystemKind.js';
import type { Latencies } from '../../bandwidth/measurement.js';
import { counted, shortRate, shortShare, shortTime } from '../../text/quantities.js';
import type { PageTable } from '../table.js';
import { formatBinaryBytes, formatBytes, formatCount } from '../../text/units.js';
import type { BandwidthReport, FileSystemReport, RateSummary } from '../../bandwidth/bandwidthReport.js';
import type { SustainedReport } from '../../bandwidth/sustained/sustainedReport.js';
import { sustainedTable } from './sustainedPage.js';
import { sweepTable } from './sweepPage.js';

export function bandwidthTables(report: BandwidthReport): PageTable[] {
  const { sweep, sustained } = report;
  const nodes = nodesTable(report);
  return [
    samplesTable(report),
    ...(nodes === null ? [] : [nodes]),
    ...(sweep === null ? [] : [sweepTable(sweep)]),
    ...(sustained === null ? [] : [sustainedTable(sustained)]),
    latencyTable(report),
  ];
}

export function samplesTable({ write, read }: BandwidthReport): PageTable {
  const rows = [...sampleRows('write', write), ...sampleRows('read', read)];
  return {
    id: 'samples',
    caption: 'Repeats',
    columns: [
      { label: 'what', isNumber: false },
      { label: 'bandwidth', isNumber: true },
      { label: 'bytes', isNumber: true },
      { label: 'last done', isNumber: true },
      { label: 'first done', isNumber: true },
    ],
    rows,
    note: 'Bandwidth is of the bytes of all streams over the time until the last one was done.',
  };
}

function sampleRows(what: string, { samples }: RateSummary): string[][] {
  return samples.map(({ bytes, seconds, firstDoneSeconds, bytesPerSecond, isCut }, index) => [
    `${what} ${index + 1}${isCut ? ', cut by the time' : ''}`,
    shortRate(bytesPerSecond),
    formatCount(bytes),
    shortTime(seconds),
    shortTime(firstDoneSeconds),
  ]);
}

export function nodesTable({ nodes }: BandwidthReport): PageTable | null {
  if (nodes === null) return null;
  return {
    id: 'nodes',
    caption: 'Nodes, at the same time',
    columns: [
      { label: 'node', isNumber: false },
      { label: 'write', isNumber: true },
      { label: 'slowest write', isNumber: true },
      { label: 'read', isNumber: true },
      { label: 'slowest read', isNumber: true },
    ],
    rows: nodes.perNode.map((node) => [
      node.name,
      shortRate(node.writeBytesPerSecond),
      shortTime(node.writeSeconds),
      shortRate(node.readBytesPerSecond),
      shortTime(node.readSeconds),
    ]),
    note: `The slowest node decides: ${shortTime(nodes.write.maximumSeconds)} to write, ${shortTime(nodes.read.maximumSeconds)} to read. Nodes differ by ${shortShare(nodes.write.spread)} in writing. They began within ${shortTime(nodes.startSpreadSeconds)}.`,
  };
}

export function latencyTable({ write, read, metadata, shape, fileSystem }: BandwidthReport): PageTable {
  // A file that is smaller than a block is written at once.
  const block = formatBinaryBytes(Math.min(shape.blockBytes, shape.largestFileBytes));
  const isObject = isObjectStore(fileSystem.type);
  const rows = [
    latencyRow(`write ${block}`, write.blocks),
    latencyRow(isObject ? 'complete an upload' : 'fsync a large file', write.syncs),
    latencyRow(`read ${block}`, read.blocks),
    ...(metadata === null
      ? []
      : [
          latencyRow('create a small file', metadata.create),
          latencyRow('fsync it', metadata.sync),
          latencyRow('rename it', metadata.rename),
          latencyRow('remove it', metadata.remove),
        ]),
  ];
  return {
    id: 'latencies',
    caption: 'Single operations',
    columns: [
      { label: 'operation', isNumber: false },
      { label: 'times', isNumber: true },
      { label: 'median', isNumber: true },
      { label: 'p95', isNumber: true },
      { label: 'p99', isNumber: true },
      { label: 'longest', isNumber: true },
    ],
    rows,
    note: metadata === null ? '' : smallFilesNote(metadata),
  };
}

function smallFilesNote({ files, streams, filesPerSecond, isCut }: NonNullable<BandwidthReport['metadata']>): string {
  const cut = isCut ? ', cut by the time' : '';
  return `${counted(files, 'small file')} by ${counted(streams, 'stream')}${cut}: ${formatCount(filesPerSecond)} a second.`;
}

function latencyRow(operation: string, latencies: Latencies): string[] {
  const { operations, medianSeconds, p95Seconds, p99Seconds, maximumSeconds } = latencies;
  if (operations === 0) return [operation, '0', '', '', '', ''];
  return [operation, formatCount(operations), ...[medianSeconds, p95Seconds, p99Seconds, maximumSeconds].map(shortTime)];
}

/** What was measured and where, a line each: label and value. */
export function bandwidthFacts(report: BandwidthReport): Fact[] {
  const { shape, fileSystem, machine, io, metadata, sustained } = report;
  const facts: [string, string | null][] = [
    ['Written', shapeLine(report)],
    ['Sustained', sustained && sustainedLine(sustained)],
    ['Blocks', `${formatBinaryBytes(shape.blockBytes)}, ${cacheWords(report)}`],
    ['Machine', `${machine.name}, ${counted(machine.cpus, 'processor')}, ${formatBinaryBytes(machine.memoryBytes)} of memory`],
    [
      'Moved',
      `${formatBytes(io.writtenBytes)} written, ${formatBytes(io.readBytes)} read, ${counted(metadata?.files ?? 0, 'small file')}; all removed`,
    ],
    [
      'Processor',
      io.writtenBytes === 0 ? null : `${(io.writeCpuSeconds / (io.writtenBytes / 1e9)).toFixed(2)} s for each GB written`,
    ],
  ];
  return [...fileSystemLines(fileSystem), ...known(facts)];
}

function sustainedLine({ mostBytes, mostSeconds, roomBytes }: SustainedReport): string {
  return `within ${formatBytes(mostBytes)} and ${shortTime(mostSeconds)}, in ${formatBytes(roomBytes)} of room`;
}

interface Fact {
  label: string;
  value: string;
}

/** What the system tells of a file system, a line each. */
export function fileSystemLines(fileSystem: FileSystemReport): Fact[] {
  const { options, freeBytes, totalBytes, freeFiles, quota, stripe } = fileSystem;
  return known([
    ['File system', fileSystemLine(fileSystem)],
    ['Options', options.length === 0 ? null : options.join(', ')],
    ['Free', freeBytes === null ? null : freeInWords(freeBytes, totalBytes)],
    ['Free files', freeFiles === null ? null : formatCount(freeFiles)],
    ['Quota', quota && `${formatBytes(quota.usedBytes)} of ${formatBytes(quota.limitBytes)} used`],
    ['Striping', stripe && `${counted(stripe.count, 'target')}, ${formatBinaryBytes(stripe.sizeBytes)} each`],
  ]);
}

function known(facts: [string, string | null][]): Fact[] {
  return facts.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]));
}

function freeInWords(freeBytes: number, totalBytes: number | null): string {
  return totalBytes === null ? formatBytes(freeBytes) : `${formatBytes(freeBytes)} of ${formatBytes(totalBytes)}`;
}

function fileSystemLine({ name, mountPoint, source }: FileSystemReport): string {
  return [name, mountPoint === null ? null : `mounted at ${mountPoint}`, source === null ? null : `from ${source}`]
    .filter((part) => part !== null)
    .join(' ');
}

function shapeLine({ shape, nodes }: BandwidthReport): string {
  const of =
    shape.replayOf === null
      ? ''
      : ` in place of ${formatBytes(shape.realBytes)} in ${counted(shape.realFiles, 'file')} of ${shape.replayOf}`;
  return `${counted(shape.files, 'file')}, ${formatBytes(shape.totalBytes)}, by ${counted(shape.streams, 'stream')}${nodes === null ? '' : ` of each of ${nodes.count} nodes`}, ${shape.repeats === 1 ? 'once' : `${shape.repeats} times`}${of}`;
}

function cacheWords({ write, fileSystem }: BandwidthReport): string {
  if (fileSystem.kind === 'object') return 'parts of an upload';
  return write.isDirect ? 'past the cache (O_DIRECT)' : 'through the cache';
}
