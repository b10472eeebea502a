import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { cacheRoot } from '../../scripts/host/project.mjs';
import { runCommand } from '../../scripts/host/runCommand.mjs';

const version = 'v1.8.0';

/**
 * An S3 server that checks signatures, built from its source through Go's module proxy, once; two minutes of two processors.
 * @returns {Promise<{ binary: string } | { missing: string }>}
 */
export async function ensureVersityGateway() {
  const folder = path.join(cacheRoot, 'versitygw', version);
  const binary = path.join(folder, 'versitygw');
  if (existsSync(binary)) return { binary };
  mkdirSync(folder, { recursive: true });
  console.log(`Building versitygw ${version} …`);
  try {
    const { code, output } = await runCommand('go', ['install', `github.com/versity/versitygw/cmd/versitygw@${version}`], {
      env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0' },
    });
    return code === 0 ? { binary } : { missing: `go ended with code ${code}: ${output.slice(-2_000)}` };
  } catch (error) {
    return { missing: String(error) };
  }
}
