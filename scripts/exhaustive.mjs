/**
 * `npm run test:exhaustive [-- --restart] [pattern]`: every fixture damaged at every place, and properties with their full number of
 * random inputs. Progress is kept in .cache/exhaustive; an interrupted run continues there. A pattern is the name of a file in
 * test/hostile (`tables`), `plans` for the properties of plans, or a part of a fixture's path (`torch/dtypes`). A full run is recorded in
 * docs/testing.md.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from './host/project.mjs';
import { replaceSection } from './sections.mjs';

/**
 * @typedef {object} Run What is kept between the parts of one run.
 * @property {number} seed
 * @property {number} seconds time in which it was running
 * @property {string[]} done parts that are complete
 *
 * @typedef {object} Sweep Progress of one sweep, written by test/hostile/progress.ts.
 * @property {string} name
 * @property {number} places
 * @property {number} next
 * @property {number} visited
 * @property {unknown[]} failures
 */

const folder = path.join(projectRoot, '.cache', 'exhaustive');
const sweepsFolder = path.join(folder, 'sweeps');
const runFile = path.join(folder, 'run.json');
const documentation = path.join(projectRoot, 'docs', 'testing.md');
const everyMs = 10_000;

const options = process.argv.slice(2);
const patterns = options.filter((option) => !option.startsWith('-'));
const unknown = options.filter((option) => option.startsWith('-') && option !== '--restart');
if (unknown.length > 0 || patterns.length > 1) {
  console.error('Usage: npm run test:exhaustive [-- --restart] [pattern]');
  process.exit(2);
}
if (options.includes('--restart')) rmSync(folder, { recursive: true, force: true });
mkdirSync(sweepsFolder, { recursive: true });

const [pattern] = patterns;
const run = readRun();
const began = Date.now();
const secondsBefore = run.seconds;
console.log(
  `${run.seconds === 0 ? 'Exhaustive run' : `Continuing the exhaustive run after ${inHours(run.seconds)}`}, seed ${run.seed}. ${stateInWords()}`,
);

/** Files of the properties of plans, each with 100,000 of them. */
const planFiles = ['test/core/planning/planProperties.test.ts', 'test/core/pages/plan/printedNumbers.test.ts'];
/** Node's tests with a pattern, or both projects one after the other. */
const parts = pattern === undefined ? ['hostile', 'core'] : [pattern === 'plans' ? 'core' : 'hostile'];
let isGreen = true;
for (const project of parts) {
  if (pattern === undefined && run.done.includes(project)) continue;
  const code = await runVitest(project);
  const isPassed = code === 0;
  isGreen &&= isPassed;
  // Failed sweeps keep what they found; a project without sweeps begins anew.
  if (pattern === undefined && isPassed) run.done.push(project);
  saveRun();
  // Ended from outside: what is left waits for the next start.
  if (code === null) break;
}
console.log(stateInWords());
if (pattern === undefined && parts.every((part) => run.done.includes(part))) record();
const isFruitless =
  pattern !== undefined && pattern !== 'plans' && !isTestFile(pattern) && !sweeps().some(({ name }) => name.includes(pattern));
if (isFruitless) console.error(`no fixture that is damaged has ${pattern} in its path`);
process.exitCode = isGreen && !isFruitless ? 0 : 1;

/**
 * @param {string} project
 * @returns {Promise<number | null>} its exit code, null where a signal ended it
 */
async function runVitest(project) {
  const isFile = pattern !== undefined && isTestFile(pattern);
  const filters = filtersOf(isFile);
  const child = spawn(
    process.execPath,
    [path.join(projectRoot, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--project', project, ...filters],
    {
      cwd: projectRoot,
      stdio: 'inherit',
      env: {
        ...process.env,
        STOWAGE_EXHAUSTIVE: '1',
        STOWAGE_SEED: String(run.seed),
        STOWAGE_PROGRESS: sweepsFolder,
        ...(isFile || pattern === undefined || pattern === 'plans' ? {} : { STOWAGE_FILE: pattern }),
      },
    },
  );
  // A terminal interrupts both; whoever ends this process alone means its tests, too.
  const end = () => child.kill();
  process.once('SIGTERM', end);
  const timer = setInterval(() => {
    saveRun();
    console.log(stateInWords());
  }, everyMs);
  /** @type {number | null} */
  const code = await new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal === null ? code : null)));
  clearInterval(timer);
  process.off('SIGTERM', end);
  return code;
}

/** @param {boolean} isFile @returns {string[]} files of tests; all without any */
function filtersOf(isFile) {
  if (isFile) return [`test/hostile/${pattern}.test.ts`];
  if (pattern === 'plans') return planFiles;
  return pattern === undefined ? [] : sweepFiles();
}

/** @param {string} name */
function isTestFile(name) {
  return existsSync(path.join(projectRoot, 'test', 'hostile', `${name}.test.ts`));
}

/** Tests that take a fixture's path; the others would run in full beside them. */
function sweepFiles() {
  return ['cuts', 'fields', 'trees', 'databases', 'datasetFiles', 'tables'].map((name) => `test/hostile/${name}.test.ts`);
}

/** @returns {Run} */
function readRun() {
  if (existsSync(runFile)) return JSON.parse(readFileSync(runFile, 'utf8'));
  const seed = process.env['STOWAGE_SEED'] ?? Math.floor(Date.now() / 86_400_000);
  return { seed: Number(seed), seconds: 0, done: [] };
}

function saveRun() {
  run.seconds = secondsBefore + (Date.now() - began) / 1000;
  writeFileSync(runFile, JSON.stringify(run));
}

/** @returns {Sweep[]} */
function sweeps() {
  return readdirSync(sweepsFolder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(path.join(sweepsFolder, file), 'utf8')));
}

/** Whole inspections, sweeps and findings so far. */
function totals() {
  const all = sweeps();
  return {
    inspections: all.reduce((sum, { visited }) => sum + visited, 0),
    findings: all.reduce((sum, { failures }) => sum + failures.length, 0),
    finished: all.filter(({ next, places }) => next >= places).length,
    underWay: all.filter(({ next, places }) => next < places),
  };
}

function stateInWords() {
  const { inspections, findings, finished, underWay } = totals();
  const now = underWay.map(({ name, next, places }) => `${name} ${Math.floor((100 * next) / places)} %`).join(', ');
  return `${count(inspections)} inspections, ${findings} findings, ${finished} sweeps finished${now === '' ? '.' : `; ${now}`}`;
}

/** Writes the section "last full run" of docs/testing.md; a run that found something is not complete. */
function record() {
  const { inspections, finished } = totals();
  const row = `Last full run: ${new Date().toISOString().slice(0, 10)}, seed ${run.seed}, ${count(inspections)} inspections in ${finished} sweeps, ${inHours(run.seconds)}, all passed.`;
  writeFileSync(documentation, replaceSection(readFileSync(documentation, 'utf8'), 'last full run', row));
  console.log(row);
}

/** @param {number} value */
function count(value) {
  return value.toLocaleString('en-US');
}

/** @param {number} seconds */
function inHours(seconds) {
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
