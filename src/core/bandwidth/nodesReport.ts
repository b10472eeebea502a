import type { CacheState, Latencies, Measurement, MetadataMeasurement, PhaseSample } from './measurement.js';
import { median } from '../bytes/median.js';
import type { NodeMeasurement, NodesMeasurement } from './nodes.js';
import type { NodesRate, NodesReport } from './bandwidthReport.js';

/** What each node reached, and how far the nodes lie apart. @throws RangeError without nodes or samples */
export function nodesReport({ nodes, startSpreadSeconds }: NodesMeasurement): NodesReport {
  return {
    count: nodes.length,
    write: nodesRate(nodes.map(({ measurement }) => measurement.write.samples)),
    read: nodesRate(nodes.map(({ measurement }) => measurement.read.samples)),
    perNode: nodes.map(({ name, measurement: { write, read } }) => ({
      name,
      writeBytesPerSecond: median(write.samples.map(rateOf)),
      readBytesPerSecond: median(read.samples.map(rateOf)),
      writeSeconds: median(write.samples.map(({ seconds }) => seconds)),
      readSeconds: median(read.samples.map(({ seconds }) => seconds)),
    })),
    startSpreadSeconds,
  };
}

/**
 * All nodes as if they were one: bytes are added up, and a repeat lasts until its slowest node is done. Latencies are those of the node
 * with the highest, for each percentile by itself: percentiles of several nodes cannot be added up, and no node was above these.
 */
export function combineNodes({ nodes }: NodesMeasurement): Measurement {
  const all = nodes.map(({ measurement }) => measurement);
  const write = all.map((one) => one.write);
  const read = all.map((one) => one.read);
  return {
    startedAt: all.map(({ startedAt }) => startedAt).sort()[0] ?? '',
    elapsedSeconds: highest(all.map(({ elapsedSeconds }) => elapsedSeconds)),
    machine: {
      name: namesOf(nodes),
      memoryBytes: total(all.map(({ machine }) => machine.memoryBytes)),
      cpus: total(all.map(({ machine }) => machine.cpus)),
    },
    write: {
      samples: combineSamples(write.map(({ samples }) => samples)),
      isDirect: write.every(({ isDirect }) => isDirect),
      blocks: worstLatencies(write.map(({ blocks }) => blocks)),
      syncs: worstLatencies(write.map(({ syncs }) => syncs)),
    },
    read: {
      samples: combineSamples(read.map(({ samples }) => samples)),
      cache: leastSureCache(read.map(({ cache }) => cache)),
      blocks: worstLatencies(read.map(({ blocks }) => blocks)),
      comparedBlocks: total(read.map(({ comparedBlocks }) => comparedBlocks)),
    },
    metadata: combineMetadata(all.map(({ metadata }) => metadata)),
    sweep: null,
    sustained: null,
    io: {
      writtenBytes: total(all.map(({ io }) => io.writtenBytes)),
      readBytes: total(all.map(({ io }) => io.readBytes)),
      countedWrittenBytes: totalOrNull(all.map(({ io }) => io.countedWrittenBytes)),
      writeCpuSeconds: total(all.map(({ io }) => io.writeCpuSeconds)),
      dataWaitShare: highestKnown(all.map(({ io }) => io.dataWaitShare)),
      busyShare: highestKnown(all.map(({ io }) => io.busyShare)),
    },
  };
}

function nodesRate(nodes: readonly PhaseSample[][]): NodesRate {
  const samples = nodes.flat();
  const rates = nodes.map((own) => median(own.map(rateOf)));
  const middle = median(rates);
  return {
    maximumSeconds: highest(samples.map(({ seconds }) => seconds)),
    minimumNodeBytesPerSecond: lowest(samples.map(rateOf)),
    medianBytesPerSecond: median(combineSamples(nodes).map(rateOf)),
    spread: middle === 0 ? 0 : (highest(rates) - lowest(rates)) / middle,
  };
}

/** Repeat by repeat; a repeat that not every node came to is none. */
function combineSamples(nodes: readonly PhaseSample[][]): PhaseSample[] {
  const [first = []] = nodes;
  const repeats = lowest(nodes.map((samples) => samples.length));
  return first.slice(0, repeats).map((_, repeat) => combineRepeat(nodes.flatMap((samples) => samples[repeat] ?? [])));
}

function combineRepeat(samples: readonly PhaseSample[]): PhaseSample {
  return {
    bytes: total(samples.map(({ bytes }) => bytes)),
    seconds: highest(samples.map(({ seconds }) => seconds)),
    firstDoneSeconds: lowest(samples.map(({ firstDoneSeconds }) => firstDoneSeconds)),
    isCut: samples.some(({ isCut }) => isCut),
  };
}

function worstLatencies(all: readonly Latencies[]): Latencies {
  return {
    operations: total(all.map(({ operations }) => operations)),
    medianSeconds: highest(all.map(({ medianSeconds }) => medianSeconds)),
    p95Seconds: highest(all.map(({ p95Seconds }) => p95Seconds)),
    p99Seconds: highest(all.map(({ p99Seconds }) => p99Seconds)),
    maximumSeconds: highest(all.map(({ maximumSeconds }) => maximumSeconds)),
  };
}

function combineMetadata(all: readonly (MetadataMeasurement | null)[]): MetadataMeasurement | null {
  const known = all.flatMap((one) => one ?? []);
  if (known.length === 0 || known.length < all.length) return null;
  return {
    files: total(known.map(({ files }) => files)),
    streams: total(known.map(({ streams }) => streams)),
    seconds: highest(known.map(({ seconds }) => seconds)),
    isCut: known.some(({ isCut }) => isCut),
    create: worstLatencies(known.map(({ create }) => create)),
    sync: worstLatencies(known.map(({ sync }) => sync)),
    rename: worstLatencies(known.map(({ rename }) => rename)),
    remove: worstLatencies(known.map(({ remove }) => remove)),
  };
}

/** From the least sure that the data came from the file system. */
const cacheStates: readonly CacheState[] = ['possibly-cached', 'dropped', 'bypassed'];

function leastSureCache(states: readonly CacheState[]): CacheState {
  return cacheStates.find((state) => states.includes(state)) ?? 'possibly-cached';
}

/** Nodes that a name lists before it only counts them. */
const listedNodes = 4;

function namesOf(nodes: readonly NodeMeasurement[]): string {
  const names = nodes.slice(0, listedNodes).map(({ name }) => name);
  const more = nodes.length - names.length;
  return more === 0 ? names.join(', ') : `${names.join(', ')} and ${more} more`;
}

function rateOf({ bytes, seconds }: PhaseSample): number {
  return seconds > 0 ? bytes / seconds : 0;
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function totalOrNull(values: readonly (number | null)[]): number | null {
  return values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0);
}

/** Null where no node reports it. */
function highestKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : highest(known);
}

function highest(values: readonly number[]): number {
  return values.reduce((most, value) => (value > most ? value : most), 0);
}

function lowest(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((least, value) => (value < least ? value : least));
}
