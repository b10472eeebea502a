import { existsSync } from 'node:fs';
import path from 'node:path';
import { cacheRoot } from '../../scripts/host/project.mjs';
import { runCommand } from '../../scripts/host/runCommand.mjs';
import { ensureGoProgram } from './ensureGoProgram.mjs';

const azuriteVersion = '3.35.0';

/** An S3 server that checks signatures. */
export function ensureVersityGateway() {
  return ensureGoProgram({ name: 'versitygw', module: 'github.com/versity/versitygw/cmd/versitygw', version: 'v1.8.0' });
}

/** A server that speaks as Google Cloud Storage does. */
export function ensureFakeGoogleStorage() {
  return ensureGoProgram({ name: 'fake-gcs-server', module: 'github.com/fsouza/fake-gcs-server', version: 'v1.56.1' });
}

/** @type {Promise<{ script: string } | { missing: string }> | undefined} */
let azurite;

/**
 * Azure's own emulator of its storage: 190 MB with all that it depends on, so that it is none of the packages of this project.
 * @returns {Promise<{ script: string } | { missing: string }>}
 */
export function ensureAzurite() {
  azurite ??= findOrFetchAzurite();
  return azurite;
}

async function findOrFetchAzurite() {
  const folder = path.join(cacheRoot, 'azurite', azuriteVersion);
  const script = path.join(folder, 'node_modules', 'azurite', 'dist', 'src', 'blob', 'main.js');
  if (existsSync(script)) return { script };
  console.log(`Fetching azurite ${azuriteVersion} …`);
  const args = [
    'install',
    '--prefix',
    folder,
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    `azurite@${azuriteVersion}`,
  ];
  const { code, output } = await runCommand('npm', args, {});
  return code === 0 ? { script } : { missing: `npm cannot install it (${output.trim().split('\n').at(-1)})` };
}
