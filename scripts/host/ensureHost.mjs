import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { minimumNode, nodePackages } from './pins.mjs';
import { cacheRoot } from './project.mjs';
import { runNpm, runRequired } from './runCommand.mjs';

/** @typedef {{ version: string, integrity: string }} HostPin */

/**
 * A VS Code server of the pinned version and a Node that can run it, from the cache or from npm.
 * @param {HostPin} pin
 * @returns {Promise<{ server: string, node: string }>} the server's main file and the Node binary
 */
export async function ensureHost(pin, say = console.log) {
  const folder = await ensurePackage('code-server', pin, say, async (unpacked) => {
    // The server's own dependencies, as its shrinkwrap pins them. Their install scripts would fetch prebuilt binaries from
    // elsewhere; nothing that we use needs those.
    const cwd = path.join(unpacked, 'lib', 'vscode');
    await runNpm(['install', '--omit=dev', '--ignore-scripts', '--engine-strict=false'], { cwd });
  });
  return { server: path.join(folder, 'lib', 'vscode', 'out', 'server-main.js'), node: await ensureNode(say) };
}

/** @param {(line: string) => void} say */
async function ensureNode(say) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > minimumNode.major || (major === minimumNode.major && minor >= minimumNode.minor)) return process.execPath;
  const platform = `${process.platform}-${process.arch}`;
  const pin = Object.entries(nodePackages).find(([key]) => key === platform)?.[1];
  if (pin === undefined) {
    const needed = `${minimumNode.major}.${minimumNode.minor}`;
    throw new Error(
      `The bundled VS Code needs Node ${needed} or newer; this is ${process.versions.node}, and npm has no pinned Node for ${platform}. Install Node ${needed} or newer and start again.`,
    );
  }
  return path.join(await ensurePackage(pin.name, pin, say), pin.binary);
}

/** @type {Map<string, Promise<string>>} */
const ensured = new Map();

/**
 * Unpacks a package of npm into the cache, once, however many ask for it at the same time.
 * @param {string} name
 * @param {{ version: string, integrity: string }} pin
 * @param {(line: string) => void} say
 * @param {(unpacked: string) => Promise<void>} [prepare]
 */
export function ensurePackage(name, pin, say, prepare) {
  const folder = path.join(cacheRoot, 'packages', `${name}-${pin.version}`);
  const unpacked =
    ensured.get(folder) ?? (existsSync(folder) ? Promise.resolve(folder) : unpack(folder, name, pin, say, prepare));
  ensured.set(folder, unpacked);
  return unpacked;
}

/**
 * A half-made folder never counts: it gets its name when it is complete.
 * @param {string} folder
 * @param {string} name
 * @param {{ version: string, integrity: string }} pin
 * @param {(line: string) => void} say
 * @param {(unpacked: string) => Promise<void>} [prepare]
 */
async function unpack(folder, name, { version, integrity }, say, prepare) {
  say(`Fetching ${name} ${version} …`);
  const making = `${folder}.making-${process.pid}`;
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true });
  try {
    await runNpm(['pack', `${name}@${version}`, '--pack-destination', making], { cwd: making });
    const archive = readdirSync(making).find((file) => file.endsWith('.tgz'));
    if (archive === undefined) throw new Error(`npm packed no archive of ${name}@${version}`);
    const digest = createHash('sha512')
      .update(readFileSync(path.join(making, archive)))
      .digest('base64');
    if (`sha512-${digest}` !== integrity) throw new Error(`${name}@${version} is not the pinned one: its content has changed`);
    await runRequired('tar', ['-xzf', archive], { cwd: making });
    const unpacked = path.join(making, 'package');
    await prepare?.(unpacked);
    renameSync(unpacked, folder);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  return folder;
}
