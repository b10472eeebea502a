import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cacheRoot, projectRoot } from '../../scripts/host/project.mjs';
import { findSection, replaceSection } from '../../scripts/sections.mjs';

/** How many of the slowest files and specs are printed after a run. */
const printed = 25;
/** Files and specs from here on are listed in the documentation. */
const listedFromSeconds = 1;

const timesFile = path.join(cacheRoot, 'test-reports', 'times.json');
const documentation = path.join(projectRoot, 'docs', 'testing.md');
const suitesSection = 'suites';
const filesSection = 'slowest files and specs';

/**
 * @typedef {object} SuiteTime A suite that ran.
 * @property {import('./results.mjs').SuiteResult} result
 * @property {number} seconds
 */

/**
 * Prints the slowest test files and specs of a run, the slowest first.
 * @param {SuiteTime[]} ran
 */
export function printTimes(ran) {
  const all = slowestFirst(ran);
  if (all.length === 0) return;
  console.log(`\nSlowest test files and specs (all ${all.length}: ${path.relative(process.cwd(), timesFile)})`);
  for (const { suite, name, seconds } of all.slice(0, printed))
    console.log(`${seconds.toFixed(1).padStart(8)} s  ${suite.padEnd(16)} ${name}`);
}

/**
 * Keeps the times of what ran, beside those of suites that did not run this time.
 * @param {SuiteTime[]} ran
 */
export function recordTimes(ran) {
  const timings = Object.fromEntries(ran.flatMap(({ result: { name, timings } }) => (timings ? [[name, timings]] : [])));
  mkdirSync(path.dirname(timesFile), { recursive: true });
  writeFileSync(timesFile, JSON.stringify({ ...recordedTimes(), ...timings }, null, 1));
}

/**
 * Writes what ran into docs/testing.md: each suite with its purpose, its tests and its time, and the slowest files.
 * @param {SuiteTime[]} ran
 * @param {import('./suites.mjs').Suite[]} suites
 */
export function writeTimes(ran, suites) {
  const purposes = new Map(suites.map(({ name, summary }) => [name, summary]));
  const suiteRows = ran.map(
    ({ result: { name, passed }, seconds }) => `| \`${name}\` | ${passed} | ${seconds.toFixed(0)} | ${purposes.get(name)} |`,
  );
  const fileRows = slowestFirst(ran)
    .filter(({ seconds }) => seconds >= listedFromSeconds)
    .map(({ suite, name, seconds }) => `| ${seconds.toFixed(1)} | ${suite} | ${name.replaceAll('|', '\\|')} |`);
  const page = replaceSection(
    readFileSync(documentation, 'utf8'),
    suitesSection,
    table(['suite', 'tests', 'seconds', 'what it is for'], suiteRows),
  );
  writeFileSync(documentation, replaceSection(page, filesSection, table(['seconds', 'suite', 'file or spec'], fileRows)));
}

/**
 * How long each test file took when it last ran here, else in the run that the documentation lists.
 * @returns {Map<string, number>} seconds by file
 */
export function readTimes() {
  const section = findSection(readFileSync(documentation, 'utf8'), filesSection) ?? '';
  const documented = [...section.matchAll(/^\| +([\d.]+) +\| +[\w-]+ +\| +(test\/\S+)/gm)].map(
    ([, seconds, file]) => /** @type {const} */ ([file ?? '', Number(seconds)]),
  );
  const recorded = Object.values(recordedTimes()).flat();
  return new Map([...documented, ...recorded.map(({ name, seconds }) => /** @type {const} */ ([name, seconds]))]);
}

/** @returns {Record<string, import('./results.mjs').Timing[]>} */
function recordedTimes() {
  return existsSync(timesFile) ? JSON.parse(readFileSync(timesFile, 'utf8')) : {};
}

/** @param {SuiteTime[]} ran */
function slowestFirst(ran) {
  return ran
    .flatMap(({ result: { name: suite, timings = [] } }) => timings.map((timing) => ({ suite, ...timing })))
    .sort((a, b) => b.seconds - a.seconds);
}

/**
 * @param {string[]} head
 * @param {string[]} rows
 */
function table(head, rows) {
  return [`| ${head.join(' | ')} |`, `| ${head.map(() => '---').join(' | ')} |`, ...rows].join('\n');
}
