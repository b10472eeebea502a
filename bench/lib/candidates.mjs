/** What the cases are made of: candidates, and how figures are put into words. */
import path from 'node:path';
import { benchFolder } from './prepare.mjs';

/**
 * @typedef {object} Candidate
 * @property {string} id
 * @property {string} label
 * @property {string} command
 * @property {string[]} args
 * @property {string[]} [checkArgs] arguments of the uncounted first run, where checking costs time
 * @property {boolean} [apart] runs after all others: it takes long, and leaves a page cache full of other things behind
 * @property {(result: any) => number | null} [workMs] where the result holds the time it took
 * @property {(result: any) => string | null} check throws when the result is wrong, else may return a remark
 */

/**
 * @typedef {object} Cited a figure that could not be measured here
 * @property {string} label
 * @property {number} workMs
 * @property {number} processMs
 * @property {number} peakMiB
 * @property {string} where
 */

/**
 * @typedef {object} BenchmarkCase
 * @property {string} id
 * @property {string} title
 * @property {string} text
 * @property {Candidate[]} candidates
 * @property {Cited[]} cited
 * @property {(rows: import('./table.mjs').Row[]) => string[]} notes
 * @property {(rows: import('./table.mjs').Row[]) => { goal: string, measured: string, reached: boolean }[]} goals
 */

/** @param {import('./prepare.mjs').Setup} setup */
export function createCandidates(setup) {
  const candidate = (/** @type {string} */ name) => path.join(benchFolder, 'candidates', name);
  const node = (/** @type {string[]} */ ...args) => ({
    command: process.execPath,
    args: ['--require', candidate('reportPeak.cjs'), ...args],
  });

  /** @returns {Candidate} */
  const commandLine = (
    /** @type {string} */ target,
    /** @type {(report: any) => string | null} */ check,
    /** @type {string[]} */ ...flags
  ) => ({
    id: 'cli',
    label: 'Stowage, command line',
    ...node(setup.cli, 'inspect', target, '--json', ...flags),
    workMs: (report) => report.io.elapsedMs,
    check,
  });
  /** @returns {Candidate} */
  const core = (
    /** @type {string} */ target,
    /** @type {(result: any) => string | null} */ check,
    /** @type {string[]} */ ...args
  ) => ({
    id: 'core',
    label: 'Stowage, core',
    ...node(setup.core, target, ...args),
    check,
  });
  return { candidate, node, commandLine, core };
}

export function readNote(/** @type {import('./table.mjs').Row[]} */ rows) {
  const run = rows.find(({ id }) => id === 'core')?.last;
  return run ? [`Stowage read ${count(run.io.bytesRead)} bytes in ${count(run.io.reads)} reads.`] : [];
}

/** @param {string} message @returns {never} */
export function fail(message) {
  throw new Error(message);
}

/**
 * @param {import('./table.mjs').Row[]} rows
 * @param {string} id
 * @param {'workMs' | 'processMs' | 'peakBytes'} figure
 */
export function median(rows, id, figure) {
  return rows.find((row) => row.id === id)?.[figure]?.median ?? null;
}

/**
 * Those that could be measured.
 * @template {object} T
 * @param {(T | false | null | undefined)[]} all
 * @returns {T[]}
 */
export function goals(all) {
  return all.flatMap((goal) => (goal ? [goal] : []));
}

export const count = (/** @type {number} */ value) => value.toLocaleString('en-US');
export const ms = (/** @type {number} */ value) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
export const times = (/** @type {number} */ value) => `${value.toFixed(1)} times`;
