import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { projectRoot } from '../../scripts/host/project.mjs';
import { runCommand } from '../../scripts/host/runCommand.mjs';

/**
 * Runs one vitest project and counts its tests. A file that fails to load counts as a failure, skipped
 * tests count as failures too: a test that does not run proves nothing.
 * @param {string} project
 * @returns {Promise<import('./results.mjs').SuiteResult>}
 */
export async function runVitestSuite(project) {
  const report = path.join(os.tmpdir(), `${project}.json`);
  const vitest = path.join(projectRoot, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [vitest, 'run', '--project', project, '--reporter=json', '--reporter=default', `--outputFile.json=${report}`];
  const { code, output } = await runCommand(process.execPath, args, {
    cwd: projectRoot,
    env: { ...process.env, NO_COLOR: '1' },
  });
  const result = resultOf(project, readReport(report, output));
  if (code !== 0 && result.failures.length === 0) result.failures.push({ name: `vitest ended with code ${code}`, error: output });
  else if (/⎯ Unhandled Errors? ⎯/.test(output))
    result.failures.push({ name: 'an error outside of any test', error: output.slice(output.search(/⎯ Unhandled Errors? ⎯/)) });
  result.notes = notesOf(output, result.failures.length > 0);
  return result;
}

/**
 * @param {string} project
 * @param {VitestReport} report
 * @returns {import('./results.mjs').SuiteResult}
 */
function resultOf(project, { testResults }) {
  const failures = [];
  const timings = [];
  let passed = 0;
  for (const file of testResults) {
    const where = path.relative(projectRoot, file.name);
    timings.push({ name: where, seconds: (file.endTime - file.startTime) / 1000 });
    if (file.status === 'failed' && file.assertionResults.length === 0) failures.push({ name: where, error: file.message });
    for (const { status, fullName, failureMessages } of file.assertionResults) {
      if (status === 'passed') passed += 1;
      else failures.push({ name: `${where} > ${fullName}`, error: failureMessages.join('\n') || `the test is ${status}` });
    }
  }
  return { name: project, passed, failures, timings };
}

/**
 * What a person should see of vitest's output: the seed, what was not tested on this machine, and of failures the differences
 * between expected and actual values, which the report does not have.
 * @param {string} output
 * @param {boolean} hasFailed
 */
function notesOf(output, hasFailed) {
  const notes = [...(output.match(/^Seed .*$/m) ?? []), ...(output.match(/^.*NOT TESTED.*$/gm) ?? [])];
  if (!hasFailed) return notes;
  const differences = output.slice(Math.max(output.search(/⎯ Failed (Suites|Tests)/), 0)).slice(0, 20_000);
  return [...notes, ...differences.split('\n')];
}

/**
 * @typedef {object} VitestReport
 * @property {{ name: string, status: string, message: string, startTime: number, endTime: number, assertionResults: { status: string, fullName: string, failureMessages: string[] }[] }[]} testResults
 */

/**
 * @param {string} report
 * @param {string} output
 * @returns {VitestReport}
 */
function readReport(report, output) {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    throw new Error(`vitest wrote no report\n${output}`);
  }
}
