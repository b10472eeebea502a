import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { cacheRoot } from '../../scripts/host/project.mjs';
import { runCommand } from '../../scripts/host/runCommand.mjs';

const version = 'v1.8.0';

/** @type {Promise<{ binary: string } | { missing: string }> | undefined} */
let ensured;

/**
 * An S3 server that checks signatures, built from its source through Go's module proxy, once; two minutes of two processors.
 * @returns {Promise<{ binary: string } | { missing: string }>}
 */
export function ensureVersityGateway() {
  ensured ??= findOrBuild();
  return ensured;
}

async function findOrBuild() {
  const folder = path.join(cacheRoot, 'versitygw', version);
  const binary = path.join(folder, 'versitygw');
  if (existsSync(binary)) return { binary };
  mkdirSync(folder, { recursive: true });
  console.log(`Building versitygw ${version} …`);
  // Sources and objects are of no use once the server is built.
  const work = mkdtempSync(path.join(os.tmpdir(), 'stowage-go-'));
  try {
    // What others wait for goes first: only the last of the suites needs the server.
    const { code, output } = await runCommand(
      'nice',
      ['-n', '10', 'go', 'install', `github.com/versity/versitygw/cmd/versitygw@${version}`],
      {
        env: {
          ...process.env,
          GOPATH: work,
          GOBIN: folder,
          GOCACHE: path.join(work, 'objects'),
          GOFLAGS: '-modcacherw',
          CGO_ENABLED: '0',
        },
      },
    );
    if (code === 127) return { missing: 'install Go (sudo apt-get install golang), which builds the server' };
    return code === 0 ? { binary } : { missing: `go ended with code ${code}: ${output.slice(-2_000)}` };
  } catch (error) {
    return { missing: String(error) };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
