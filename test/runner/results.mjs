import { CommandError } from '../../scripts/host/runCommand.mjs';

/**
 * @typedef {object} SuiteResult
 * @property {string} name
 * @property {number} passed
 * @property {{ name: string, error: string }[]} failures
 * @property {string[]} [notes] figures and remarks that are printed with the result
 * @property {Timing[]} [timings] of its files or specs
 *
 * @typedef {{ name: string, seconds: number }} Timing
 */

/** Something that a suite needs is not on this machine: the message is one line, and says how it gets there. */
export class MissingError extends Error {
  /** @override */
  name = 'MissingError';
}

/**
 * The result of a suite that could not run: one failure, so that it is never taken for a success.
 * @param {string} name
 * @param {unknown} error
 * @returns {SuiteResult}
 */
export function brokenSuite(name, error) {
  return { name, passed: 0, failures: [{ name: `${name} could not run`, error: describeError(error) }] };
}

/**
 * The result of a suite of specs.
 * @param {string} name
 * @param {{ name: string, error?: string, seconds: number }[]} specs those that failed have an error
 * @returns {SuiteResult}
 */
export function resultOfSpecs(name, specs) {
  const failures = specs.flatMap(({ name, error }) => (error === undefined ? [] : [{ name, error }]));
  const timings = specs.map(({ name, seconds }) => ({ name, seconds }));
  return { name, passed: specs.length - failures.length, failures, timings };
}

/** @param {unknown} error */
export function describeError(error) {
  if (error instanceof MissingError || error instanceof CommandError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
 * Prints a suite's line, and its failures in full.
 * @param {SuiteResult} result
 * @param {number} seconds
 */
export function printSuite({ name, passed, failures, notes = [] }, seconds) {
  const verdict = failures.length > 0 ? 'FAILED' : passed === 0 ? 'RAN NOTHING' : notes.some(isLeftOut) ? 'PARTLY' : 'ok';
  console.log(`${verdict.padEnd(8)} ${name.padEnd(20)} ${passed} passed, ${failures.length} failed (${seconds.toFixed(1)} s)`);
  for (const note of notes) console.log(`           ${note}`);
  for (const failure of failures) console.log(`\n  ✗ ${name}: ${failure.name}\n${indent(failure.error)}\n`);
}

/** @param {string} note of a part that this machine could not run */
const isLeftOut = (note) => note.includes('NOT TESTED');

/**
 * What was not tested on this machine, by suite: the last line is not to be taken for more than it says.
 * @param {SuiteResult[]} results
 * @returns {string[]}
 */
export function leftOut(results) {
  return results.flatMap(({ name, notes = [] }) => notes.filter(isLeftOut).map((note) => `${name}: ${note}`));
}

/**
 * The last line of a run, and whether the run is a success.
 * @param {SuiteResult[]} results
 */
export function summarize(results) {
  const empty = results.filter(({ passed, failures }) => passed + failures.length === 0);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  // A suite that ran nothing is a failure of its own: else a wrong glob would look like a success.
  const failed = results.reduce((sum, { failures }) => sum + failures.length, 0) + empty.length;
  return { line: `${passed} passed, ${failed} failed`, isSuccess: failed === 0 && passed > 0 };
}

/** @param {string} text */
function indent(text) {
  return text.trimEnd().replaceAll(/^/gm, '    ');
}
