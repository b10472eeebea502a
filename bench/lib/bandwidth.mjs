/** Bandwidth checks next to fio: the same files, block size and streams, in alternating runs. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { bundle, cacheFolder } from './prepare.mjs';
import { capture } from './processes.mjs';

const mebibyte = 2 ** 20;
const blockBytes = 4 * mebibyte;
/** Each 2 GiB: on storage of 2 GB/s a phase takes a second, in which the start of a process is small. */
const shapes = [
  { streams: 1, fileBytes: 2048 * mebibyte },
  { streams: 4, fileBytes: 512 * mebibyte },
  { streams: 8, fileBytes: 256 * mebibyte },
];
/** How far a rate may be from fio's, and processor time from a core a GB/s. */
const rateTolerance = 0.05;
const coresPerGigabyte = 1;
const restMs = 1000;

/**
 * @typedef {object} Shape
 * @property {number} streams each with a file of its own
 * @property {number} fileBytes
 *
 * @typedef {object} BandwidthRun
 * @property {number} write bytes a second
 * @property {number} read bytes a second
 * @property {number} cpu processor seconds for each GB that was written
 * @property {number} waited share of the writing time in which the writers waited until data were made
 * @property {number} claimed bytes that it says it wrote
 * @property {number | null} counted bytes that the kernel counted for its writers
 * @property {number | null} process bytes that the kernel counted for the whole process
 *
 * @typedef {object} BandwidthCandidate
 * @property {string} label
 * @property {(directory: string, shape: Shape) => Promise<BandwidthRun>} run
 */

/**
 * Measures and answers the section for docs/benchmarks.md.
 * @param {{ directory: string | null, rounds: number, log: (text: string) => void }} options
 */
export async function measureBandwidth({ directory, rounds, log }) {
  const fio = await fioVersion();
  const check = await bundle('bench/candidates/bandwidthCheck.ts');
  const parent = path.resolve(directory ?? path.join(cacheFolder, 'scratch'));
  mkdirSync(parent, { recursive: true });
  const place = mkdtempSync(path.join(parent, 'bandwidth-'));
  /** @type {BandwidthCandidate[]} */
  const candidates = [
    { label: 'Stowage', run: (at, shape) => runCheck(check, at, shape) },
    { label: `${fio}, psync`, run: (at, shape) => runFio(at, shape, ['--ioengine=psync']) },
    { label: `${fio}, libaio, depth 1`, run: (at, shape) => runFio(at, shape, ['--ioengine=libaio', '--iodepth=1']) },
  ];
  try {
    const parts = [];
    for (const shape of shapes) {
      log(nameOf(shape));
      parts.push(render(shape, await runRounds(candidates, shape, place, rounds, log)));
    }
    return { text: parts.join('\n\n'), fileSystem: await fileSystemOf(place) };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** The version by which it calls itself. */
async function fioVersion() {
  try {
    return (await capture('fio', ['--version'])).trim();
  } catch {
    throw new TypeError('fio is not installed: it is a package of most distributions (apt-get install fio)');
  }
}

/**
 * Candidates alternate, and each round begins with another one, so that what follows whom is different each time. The first round is not
 * counted.
 * @param {BandwidthCandidate[]} candidates
 * @param {Shape} shape
 * @param {string} place
 * @param {number} rounds
 * @param {(text: string) => void} log
 */
async function runRounds(candidates, shape, place, rounds, log) {
  const rows = candidates.map((candidate) => ({ candidate, runs: /** @type {BandwidthRun[]} */ ([]) }));
  for (let round = 0; round <= rounds; round++) {
    for (let turn = 0; turn < rows.length; turn++) {
      const row = /** @type {typeof rows[number]} */ (rows[(round + turn) % rows.length]);
      await settle();
      const run = await row.candidate.run(place, shape);
      log(`  ${round}: ${row.candidate.label}: write ${gigabytes(run.write)}, read ${gigabytes(run.read)} GB/s`);
      if (round > 0) row.runs.push(run);
    }
  }
  return rows;
}

/**
 * What one candidate removed is not to be paid by the next: a file system mounted with `discard` tells the device of freed blocks only when its
 * journal is committed, which is up to 5 s later or at the next fsync, whoever's that is.
 */
async function settle() {
  await capture('sync', []);
  await wait(restMs);
}

/**
 * @param {string} check
 * @param {string} place
 * @param {Shape} shape
 * @returns {Promise<BandwidthRun>}
 */
async function runCheck(check, place, { streams, fileBytes }) {
  const args = [check, place, String(streams), String(fileBytes), String(blockBytes)];
  const { measured, processWrittenBytes } = JSON.parse(await capture(process.execPath, args));
  if (!measured.write.isDirect) throw new TypeError(`${place} cannot be written past the cache: name another directory`);
  const [write, read] = [measured.write.samples[0], measured.read.samples[0]];
  return {
    write: write.bytes / write.seconds,
    read: read.bytes / read.seconds,
    cpu: measured.io.writeCpuSeconds / (write.bytes / 1e9),
    waited: measured.io.dataWaitShare,
    claimed: measured.io.writtenBytes,
    counted: measured.io.countedWrittenBytes,
    process: processWrittenBytes,
  };
}

/**
 * @param {string} place
 * @param {Shape} shape
 * @param {string[]} engine
 * @returns {Promise<BandwidthRun>}
 */
async function runFio(place, { streams, fileBytes }, engine) {
  const folder = mkdtempSync(path.join(place, 'fio-'));
  const output = path.join(folder, 'output.json');
  const shared = [
    '--name=check',
    `--directory=${folder}`,
    `--numjobs=${streams}`,
    `--size=${fileBytes}`,
    `--bs=${blockBytes}`,
    '--direct=1',
    // No framework lays its files out before it writes them, and neither does a check.
    '--fallocate=none',
    '--group_reporting',
    '--output-format=json',
    `--output=${output}`,
    ...engine,
  ];
  /** @param {string[]} more */
  const run = async (more) => {
    await capture('fio', [...shared, ...more]);
    return JSON.parse(readFileSync(output, 'utf8')).jobs[0];
  };
  try {
    const written = await run(['--rw=write', '--end_fsync=1']);
    const read = await run(['--rw=read']);
    return {
      write: written.write.bw_bytes,
      read: read.read.bw_bytes,
      // Shares of the time of all jobs together, in percent.
      cpu: (((written.usr_cpu + written.sys_cpu) / 100) * (written.job_runtime / 1000)) / (written.write.io_bytes / 1e9),
      // It makes one block before its clock starts.
      waited: 0,
      claimed: written.write.io_bytes,
      counted: null,
      process: null,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {Shape} shape
 * @param {{ candidate: BandwidthCandidate, runs: BandwidthRun[] }[]} rows
 */
function render(shape, rows) {
  const [ours, peer] = rows;
  if (ours === undefined || peer === undefined) throw new TypeError('there is nothing to compare');
  const table = rows.map(({ candidate, runs }) => {
    const rates = /** @type {const} */ (['write', 'read']).map((kind) => {
      const all = runs.map((run) => run[kind]);
      return `${gigabytes(Math.min(...all))} / **${gigabytes(median(all))}** / ${gigabytes(Math.max(...all))}`;
    });
    return `| ${candidate.label} | ${rates.join(' | ')} | ${median(runs.map((run) => run.cpu)).toFixed(2)} |`;
  });
  const goals = /** @type {const} */ (['write', 'read']).map((kind) => {
    const ratio = median(ours.runs.map((run) => run[kind])) / median(peer.runs.map((run) => run[kind]));
    return `| ${kind} rate within ${rateTolerance * 100} % of fio's (psync) | ${(ratio * 100).toFixed(1)} % of it | ${reached(Math.abs(ratio - 1) <= rateTolerance)} |`;
  });
  const cpu = median(ours.runs.map((run) => run.cpu));
  const waited = median(ours.runs.map((run) => run.waited));
  const isCounted = ours.runs.every((run) => run.counted === run.claimed);
  const beside = Math.max(...ours.runs.map((run) => (run.process ?? 0) - run.claimed));
  return `### ${nameOf(shape)}

| | write, GB/s | read, GB/s | processor seconds a GB written |
|---|---|---|---|
${table.join('\n')}

| goal | measured | |
|---|---|---|
${goals.join('\n')}
| writers wait for data (a part of their time) | ${(waited * 100).toFixed(1)} % | |
| below ${coresPerGigabyte} core a GB/s | ${cpu.toFixed(2)} | ${reached(cpu < coresPerGigabyte)} |
| bytes claimed are those that the kernel counted | ${whole(ours.runs[0]?.claimed ?? 0)} claimed, ${whole(ours.runs[0]?.counted ?? 0)} counted for the streams, at most ${whole(beside)} more for the whole process | ${reached(isCounted)} |`;
}

/** @param {Shape} shape */
function nameOf({ streams, fileBytes }) {
  const files = `${whole(fileBytes / mebibyte)} MiB`;
  return streams === 1 ? `One stream, one file of ${files}` : `${streams} streams, each a file of ${files}`;
}

/** @param {string} place */
async function fileSystemOf(place) {
  return (await capture('stat', ['--file-system', '--format=%T', place])).trim();
}

/** @param {boolean} is */
function reached(is) {
  return is ? 'reached' : 'not reached';
}

/** @param {number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** @param {number} bytesPerSecond */
function gigabytes(bytesPerSecond) {
  return (bytesPerSecond / 1e9).toFixed(2);
}

/** @param {number} value */
function whole(value) {
  return value.toLocaleString('en-US');
}
