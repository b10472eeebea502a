import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cacheRoot } from '../../scripts/host/project.mjs';

/** How many of the slowest files are printed after a run. */
const printed = 25;

const timesFile = path.join(cacheRoot, 'test-reports', 'times.json');

/**
 * Prints the slowest test files and specs of a run, the slowest first.
 * @param {import('./results.mjs').SuiteResult[]} results
 */
export function printTimes(results) {
  const all = slowestFirst(results);
  if (all.length === 0) return;
  console.log(`\nSlowest test files and specs (all ${all.length}: ${path.relative(process.cwd(), timesFile)})`);
  for (const { suite, name, seconds } of all.slice(0, printed))
    console.log(`${seconds.toFixed(1).padStart(8)} s  ${suite.padEnd(16)} ${name}`);
}

/**
 * Keeps the times of what ran, beside those of suites that did not run this time.
 * @param {import('./results.mjs').SuiteResult[]} results
 */
export function recordTimes(results) {
  const ran = Object.fromEntries(results.flatMap(({ name, timings }) => (timings === undefined ? [] : [[name, timings]])));
  mkdirSync(path.dirname(timesFile), { recursive: true });
  writeFileSync(timesFile, JSON.stringify({ ...readTimes(), ...ran }, null, 1));
}

/**
 * The recorded times of each suite's files and specs; nothing for suites that never ran here.
 * @returns {Record<string, import('./results.mjs').Timing[]>}
 */
export function readTimes() {
  return existsSync(timesFile) ? JSON.parse(readFileSync(timesFile, 'utf8')) : {};
}

/** @param {import('./results.mjs').SuiteResult[]} results */
function slowestFirst(results) {
  return results
    .flatMap(({ name: suite, timings = [] }) => timings.map((timing) => ({ suite, ...timing })))
    .sort((a, b) => b.seconds - a.seconds);
}
