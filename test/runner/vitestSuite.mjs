import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { cacheRoot, projectRoot } from '../../scripts/host/project.mjs';
import { runCommand } from '../../scripts/host/runCommand.mjs';

/**
 * Runs one vitest project, one file after the other, and counts its tests. A file that fails to load counts as a failure, skipped
 * tests count as failures too: a test that does not run proves nothing.
 * @param {string} project
 * @returns {Promise<import('./results.mjs').SuiteResult>}
 */
export async function runVitestSuite(project) {
  const reports = path.join(cacheRoot, 'test-reports');
  mkdirSync(reports, { recursive: true });
  const report = path.join(reports, `${project}.json`);
  const vitest = path.join(projectRoot, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [
    vitest,
    'run',
    '--project',
    project,
    '--maxWorkers=1',
    '--reporter=json',
    '--reporter=default',
    `--outputFile.json=${report}`,
  ];
  const { code, output } = await runCommand(process.execPath, args, {
    cwd: projectRoot,
    env: { ...process.env, NO_COLOR: '1' },
  });
  const { testResults } = readReport(report, output);
  /** @type {import('./results.mjs').SuiteResult} */
  const result = { name: project, passed: 0, failures: [], timings: [] };
  for (const file of testResults) {
    const where = path.relative(projectRoot, file.name);
    result.timings?.push({ name: where, seconds: (file.endTime - file.startTime) / 1000 });
    if (file.status === 'failed' && file.assertionResults.length === 0)
      result.failures.push({ name: where, error: file.message });
    for (const { status, fullName, failureMessages } of file.assertionResults) {
      if (status === 'passed') result.passed += 1;
      else result.failures.push({ name: `${where} > ${fullName}`, error: failureMessages.join('\n') || `the test is ${status}` });
    }
  }
  // The report has no differences between expected and actual values; what vitest prints after the list of tests has.
  if (result.failures.length > 0)
    result.notes = output
      .slice(Math.max(output.search(/⎯ Failed (Suites|Tests)/), 0))
      .slice(0, 20_000)
      .split('\n');
  if (code !== 0 && result.failures.length === 0) result.failures.push({ name: `vitest ended with code ${code}`, error: output });
  return result;
}

/**
 * @param {string} report
 * @param {string} output
 * @returns {{ testResults: { name: string, status: string, message: string, startTime: number, endTime: number, assertionResults: { status: string, fullName: string, failureMessages: string[] }[] }[] }}
 */
function readReport(report, output) {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    throw new Error(`vitest wrote no report\n${output}`);
  }
}
