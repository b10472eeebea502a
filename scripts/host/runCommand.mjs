import { spawnGroup } from './processGroups.mjs';

/** A command that did not end well, with what it printed. */
export class CommandError extends Error {
  /**
   * @param {string} message
   * @param {string} output
   */
  constructor(message, output) {
    super(output === '' ? message : `${message}\n${output}`);
    this.name = 'CommandError';
  }
}

/**
 * Runs a command to its end.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<{ code: number, output: string }>} what it printed, both streams in the order in which they came
 */
export function runCommand(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawnGroup(command, args, options);
    let output = '';
    const collect = (/** @type {Buffer} */ chunk) => (output += chunk.toString());
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.once('error', (error) => reject(new CommandError(`${command} cannot be started: ${error.message}`, '')));
    child.once('close', (code, signal) => resolve({ code: code ?? (signal === null ? 1 : 128), output }));
  });
}

/**
 * Runs a command that has to succeed.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<string>} what it printed
 * @throws CommandError
 */
export async function runRequired(command, args, options = {}) {
  const { code, output } = await runCommand(command, args, options);
  if (code !== 0) throw new CommandError(`${[command, ...args].join(' ')} ended with code ${code}`, output.trim());
  return output;
}

/**
 * Runs npm, found beside the Node that runs this.
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 */
export function runNpm(args, options = {}) {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  return runRequired(npm, [...args, '--loglevel=error', '--no-audit', '--no-fund', '--no-update-notifier'], {
    shell: process.platform === 'win32',
    ...options,
  });
}
