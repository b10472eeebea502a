/**
 * `npm run bombs -- [--only TEXT] [--from NUMBER] [--write-docs]`: small files that cost much unless their reader is bounded, each given to the built
 * command line in a process of its own. Prints peak memory, time and length of the output, and fails where a bound is exceeded.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { projectRoot } from '../scripts/host/project.mjs';
import { replaceSection } from '../scripts/sections.mjs';

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {number} inputBytes
 * @property {number} memoryBytes resident, above that of a process that reads nothing
 * @property {number} cpuSeconds of all threads
 * @property {number} outputBytes
 * @property {string} outcome
 * @property {string[]} exceeded
 */

/** Objects of a report, tables of a decoder, code that is compiled; the heap of Node grows in steps of tens of MB. */
const constantBytes = 200 * 1024 * 1024;
/** What a header becomes while it is read: its bytes, its columns, and one copy while they grow. */
const memoryPerByte = 3;
/** A listing is a header of its own: path, size, role and place in the report of each file, and its lines of JSON. */
const memoryPerFile = 1_500;
/** A file of a checkpoint is opened and read, which takes several operations of the system. */
const secondsPerFile = 200e-6;
/** Beyond it nothing of a file is kept at once. */
const keptBytes = 100_000_000;
const maxOutputBytes = 64 * 1024 * 1024;
const constantSeconds = 4;
const secondsPerMB = 2;
/** Only ends what does not end by itself. */
const endAfterMs = 120_000;

const cli = path.join(projectRoot, 'dist', 'cli.js');
const docsFile = path.join(projectRoot, 'docs', 'security.md');

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    from: { type: 'string', default: '0' },
    'write-docs': { type: 'boolean', default: false },
  },
});
const writer = await bundleWriter();
const names = execFileSync(process.execPath, [writer, 'list'], { encoding: 'utf8' }).trim().split('\n');
const scratch = mkdtempSync(path.join(os.tmpdir(), 'stowage-bombs-'));
/** @type {Row[]} */
const rows = [];
try {
  const idle = await idleBytes();
  for (const [number, name] of names.entries()) {
    if (!name.includes(values.only) || number < Number(values.from)) continue;
    const row = await tryOut(name, number, idle);
    rows.push(row);
    console.log(tableRow(row));
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
const failed = rows.filter(({ exceeded }) => exceeded.length > 0);
console.log(
  `${rows.length} bombs, ${failed.length} beyond a bound${failed.map(({ name, exceeded }) => `\n  ${name}: ${exceeded.join(', ')}`).join('')}`,
);
if (values['write-docs']) writeFileSync(docsFile, replaceSection(readFileSync(docsFile, 'utf8'), 'bombs', table()));
process.exitCode = failed.length === 0 ? 0 : 1;

async function bundleWriter() {
  const outfile = path.join(projectRoot, '.cache', 'fuzz', 'bombs.mjs');
  await esbuild.build({
    absWorkingDir: projectRoot,
    entryPoints: ['fuzz/bombs/main.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
  return outfile;
}

/** Memory of the command line without a file. */
async function idleBytes() {
  const folder = path.join(scratch, 'idle');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'a.txt'), 'a\n');
  return (await run('inspect', folder)).memoryBytes;
}

/**
 * @param {string} name
 * @param {number} number
 * @param {number} idle
 * @returns {Promise<Row>}
 */
async function tryOut(name, number, idle) {
  const folder = path.join(scratch, 'bomb');
  mkdirSync(folder);
  const written = execFileSync(process.execPath, [writer, 'write', String(number), folder], {
    encoding: 'utf8',
    timeout: 180_000,
  });
  /** @type {{ command: string, path: string, unpackedBytes: number | null }} */
  const { command, path: target, unpackedBytes } = JSON.parse(written);
  const { files, bytes: inputBytes } = filesBelow(folder);
  const { memoryBytes, cpuSeconds, outputBytes, outcome } = await run(command, target);
  rmSync(folder, { recursive: true });
  const row = { name, inputBytes, memoryBytes: Math.max(0, memoryBytes - idle), cpuSeconds, outputBytes, outcome };
  return { ...row, exceeded: exceededBy(row, Math.max(unpackedBytes ?? 0, Math.min(inputBytes, keptBytes)), files) };
}

/**
 * @param {Omit<Row, 'exceeded'>} row
 * @param {number} headerBytes what a reader may keep of the files, unpacked
 * @param {number} files
 */
function exceededBy({ memoryBytes, cpuSeconds, outputBytes, outcome }, headerBytes, files) {
  const exceeded = [];
  const memoryBound = constantBytes + memoryPerByte * headerBytes + memoryPerFile * files;
  const secondsBound = constantSeconds + (secondsPerMB * headerBytes) / 1e6 + secondsPerFile * files;
  if (memoryBytes > memoryBound) exceeded.push(`memory ${inMB(memoryBytes)}`);
  if (cpuSeconds > secondsBound) exceeded.push(`time ${cpuSeconds.toFixed(1)} s`);
  if (outputBytes > maxOutputBytes) exceeded.push(`output ${inMB(outputBytes)}`);
  if (outcome !== 'report' && outcome !== 'refused') exceeded.push(outcome);
  return exceeded;
}

/**
 * @param {string} command
 * @param {string} target
 * @returns {Promise<{ memoryBytes: number, cpuSeconds: number, outputBytes: number, outcome: string }>}
 */
function run(command, target) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [cli, command, target, '--json'], { stdio: ['ignore', 'pipe', 'pipe'] });
    let outputBytes = 0;
    let memoryBytes = 0;
    let cpuSeconds = 0;
    let errors = '';
    let isEnded = false;
    child.stdout.on('data', (chunk) => (outputBytes += chunk.length));
    child.stderr.on('data', (chunk) => (errors += chunk));
    const measuring = setInterval(() => {
      memoryBytes = Math.max(memoryBytes, peakBytes(child.pid));
      cpuSeconds = Math.max(cpuSeconds, cpuSecondsOf(child.pid));
    }, 20);
    const limit = setTimeout(() => (isEnded = child.kill('SIGKILL')), endAfterMs);
    child.once('close', (code) => {
      clearInterval(measuring);
      clearTimeout(limit);
      resolve({ memoryBytes, cpuSeconds, outputBytes, outcome: outcomeOf(code, errors, isEnded) });
    });
  });
}

/**
 * @param {number | null} code
 * @param {string} errors
 * @param {boolean} isEnded
 */
function outcomeOf(code, errors, isEnded) {
  if (isEnded) return `no end after ${endAfterMs / 1000} s`;
  if (code === 0) return 'report';
  return code === 3 ? 'refused' : `ended with ${code}: ${errors.trim().split('\n').at(-1)?.slice(0, 100)}`;
}

/**
 * Linux keeps the largest resident set of a process (proc_pid_status(5), VmHWM).
 * @param {number | undefined} pid
 */
function peakBytes(pid) {
  try {
    return 1024 * Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/**
 * Time on processors, which does not depend on other work of the machine: utime and stime in ticks of 10 ms (proc_pid_stat(5)).
 * @param {number | undefined} pid
 */
function cpuSecondsOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}

/**
 * @param {string} folder
 * @returns {{ files: number, bytes: number }}
 */
function filesBelow(folder) {
  let files = 0;
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    files += 1;
    bytes += statSync(path.join(entry.parentPath, entry.name)).size;
  }
  return { files, bytes };
}

/** @param {number} bytes */
function inMB(bytes) {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${Math.round(bytes / 1e6).toLocaleString('en-US')} MB`;
}

/** @param {Row} row */
function tableRow({ name, inputBytes, memoryBytes, cpuSeconds, outputBytes, exceeded }) {
  const cells = [name, inMB(inputBytes), inMB(memoryBytes), `${cpuSeconds.toFixed(1)} s`, inMB(outputBytes), exceeded.join(', ')];
  return `| ${cells.join(' | ')} |`;
}

function table() {
  const date = new Date().toISOString().slice(0, 10);
  return [
    `${rows.length} bombs on ${date}, Node ${process.versions.node}, ${failed.length} beyond a bound.`,
    '',
    '| bomb | files | memory | processor | output | beyond |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map((row) => tableRow(row)),
  ].join('\n');
}
