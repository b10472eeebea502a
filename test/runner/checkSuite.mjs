import { projectRoot } from '../../scripts/host/project.mjs';
import { runCommand } from '../../scripts/host/runCommand.mjs';

/**
 * A command that is one test: it passes when it ends with code 0.
 * @param {string} name
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<import('./results.mjs').SuiteResult>}
 */
export async function runCheck(name, command, args) {
  const { code, output } = await runCommand(command, args, { cwd: projectRoot });
  if (code === 0) return { name, passed: 1, failures: [] };
  return { name, passed: 0, failures: [{ name: [command, ...args].join(' '), error: output }] };
}
