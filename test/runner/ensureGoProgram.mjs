import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { cacheRoot } from '../../scripts/host/project.mjs';
import { runCommand } from '../../scripts/host/runCommand.mjs';
import { findProgram, installCommand } from './ensureDebianPackages.mjs';

/**
 * A program whose source comes through Go's module proxy, built once; a minute or two of two processors.
 * @param {{ name: string, module: string, version: string }} program what it is called, and the module that it is built from
 * @returns {Promise<{ binary: string } | { missing: string }>}
 */
export function ensureGoProgram(program) {
  const known = ensured.get(program.name) ?? findOrBuild(program);
  ensured.set(program.name, known);
  return known;
}

/** @type {Map<string, Promise<{ binary: string } | { missing: string }>>} */
const ensured = new Map();

/**
 * @param {{ name: string, module: string, version: string }} program
 * @returns {Promise<{ binary: string } | { missing: string }>}
 */
async function findOrBuild({ name, module, version }) {
  const folder = path.join(cacheRoot, name, version);
  const binary = path.join(folder, name);
  if (existsSync(binary)) return { binary };
  if (findProgram('go') === undefined) return { missing: `${installCommand(['golang'])} installs Go, which builds it` };
  mkdirSync(folder, { recursive: true });
  console.log(`Building ${name} ${version} …`);
  // Sources and objects are of no use once the server is built.
  const work = mkdtempSync(path.join(os.tmpdir(), 'stowage-go-'));
  try {
    // What others wait for goes first: only the last of the suites needs the server.
    const { code, output } = await runCommand('nice', ['-n', '10', 'go', 'install', `${module}@${version}`], {
      env: {
        ...process.env,
        GOPATH: work,
        GOBIN: folder,
        GOCACHE: path.join(work, 'objects'),
        GOFLAGS: '-modcacherw',
        CGO_ENABLED: '0',
        // Go's own notes of its use are none of the home's; its settings still are.
        GOENV: process.env['GOENV'] ?? path.join(configFolder(), 'go', 'env'),
        XDG_CONFIG_HOME: work,
      },
    });
    if (code === 0) return { binary };
    const [last = ''] = output.trim().split('\n').slice(-1);
    return {
      missing: `Go cannot build it (${last}). It comes through Go's module proxy: set GOPROXY to one that this machine reaches`,
    };
  } catch (error) {
    return { missing: String(error) };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Where programs of this user keep their settings. */
function configFolder() {
  return process.env['XDG_CONFIG_HOME'] ?? path.join(os.homedir(), '.config');
}
