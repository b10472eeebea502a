import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { endGroup, spawnGroup } from './processGroups.mjs';
import { runRequired } from './runCommand.mjs';

/**
 * @typedef {object} HostServerOptions
 * @property {{ server: string, node: string }} host
 * @property {string} dataFolder where the server keeps its state; one server at a time may use it
 * @property {string} extensionsFolder installed extensions
 * @property {number} [port] 0 takes a free one
 * @property {boolean} [workspaceTrust] false: everything is trusted; true: folders start in Restricted Mode
 * @property {boolean} [testDriver] lets a page's address name an extension under development and its tests
 * @property {Record<string, unknown>} [settings]
 * @property {Record<string, string>} [env]
 */

/** Keeps what has nothing to do with this extension out of the window. */
const quietSettings = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'telemetry.telemetryLevel': 'off',
  'git.enabled': false,
};

/**
 * Starts a VS Code server on this machine's loopback address. Only who knows the token gets in: on a shared login node the port
 * is open to all of its users.
 * @param {HostServerOptions} options
 * @returns {Promise<{ url: (parameters?: Record<string, string>) => string, authority: string, stop: () => Promise<void>, log: () => string }>}
 */
export async function startHostServer(options) {
  const {
    host,
    dataFolder,
    extensionsFolder,
    port = 0,
    workspaceTrust = false,
    testDriver = false,
    settings = {},
    env = {},
  } = options;
  const machine = path.join(dataFolder, 'data', 'Machine');
  mkdirSync(machine, { recursive: true });
  mkdirSync(extensionsFolder, { recursive: true });
  writeFileSync(path.join(machine, 'settings.json'), JSON.stringify({ ...quietSettings, ...settings }, null, 2));
  const token = randomBytes(16).toString('hex');
  const tokenFile = path.join(dataFolder, 'token');
  writeFileSync(tokenFile, token, { mode: 0o600 });
  const args = [
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--connection-token-file',
    tokenFile,
    '--accept-server-license-terms',
  ];
  args.push(
    '--server-data-dir',
    dataFolder,
    '--extensions-dir',
    extensionsFolder,
    '--telemetry-level',
    'off',
    '--disable-telemetry',
  );
  if (!workspaceTrust) args.push('--disable-workspace-trust');
  if (testDriver) args.push('--enable-smoke-test-driver');
  const child = spawnGroup(host.node, [host.server, ...args], {
    // Its notes of the machine are none of the home's.
    env: { ...cleanEnvironment(), XDG_CACHE_HOME: path.join(dataFolder, 'cache'), ...env },
  });
  let log = '';
  const listening = new Promise((/** @type {(port: number) => void} */ resolve, reject) => {
    const read = (/** @type {Buffer} */ chunk) => {
      log = (log + chunk.toString()).slice(-200_000);
      const match = /Extension host agent listening on (\d+)/.exec(log);
      if (match !== null) resolve(Number(match[1]));
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('close', (code) => reject(new Error(`the VS Code server ended with code ${code}\n${log}`)));
    child.once('error', reject);
  });
  const actualPort = await listening;
  const authority = `127.0.0.1:${actualPort}`;
  return {
    authority,
    url: (parameters = {}) => `http://${authority}/?${new URLSearchParams({ tkn: token, ...parameters }).toString()}`,
    stop: () => endGroup(child),
    log: () => log,
  };
}

/**
 * Installs a packed extension for servers that use the folder.
 * @param {{ host: { server: string, node: string }, vsix: string, dataFolder: string, extensionsFolder: string }} options
 */
export async function installVsix({ host, vsix, dataFolder, extensionsFolder }) {
  const args = [host.server, '--install-extension', vsix, '--force', '--accept-server-license-terms'];
  args.push('--server-data-dir', dataFolder, '--extensions-dir', extensionsFolder);
  await runRequired(host.node, args, { env: cleanEnvironment() });
}

/** A server that is started from a terminal inside of VS Code must not take itself for a part of that one. */
function cleanEnvironment() {
  const kept = Object.entries(process.env).filter(([name]) => !/^(VSCODE_|ELECTRON_|CODE_SERVER_|npm_|NODE_OPTIONS$)/.test(name));
  return Object.fromEntries(kept);
}
