import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CheckError } from '../../../../src/core/bandwidth/checkError.js';
import type { CheckShape } from '../../../../src/core/bandwidth/checkShape.js';
import type { CheckProgress, CheckRequest } from '../../../../src/core/bandwidth/measurement.js';

/** Threads run bundles, as the ones that are shipped are. */
export async function bundleEntry(
  folder: string,
  options: { entry?: string; name?: string; banner?: string } = {},
): Promise<string> {
  const { entry = 'src/platform/bandwidth/bandwidthWorker.ts', name = 'worker', banner = '' } = options;
  const outfile = path.join(folder, `${name}.cjs`);
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    banner: { js: banner },
    logLevel: 'error',
  });
  return outfile;
}

export function makeFolder(): string {
  return mkdtempSync(path.join(os.tmpdir(), 'stowage-bandwidth-'));
}

export const mebibyte = 2 ** 20;

/** A small check: two streams, three files, blocks of 256 KiB. */
export function requestOf(
  target: string,
  changes: Partial<Omit<CheckRequest, 'shape'>> & { shape?: Partial<CheckShape> } = {},
): CheckRequest {
  const { shape, ...rest } = changes;
  const files = shape?.files ?? [
    { name: '0001-model.safetensors', sizeBytes: 2 * mebibyte },
    { name: '0002-optimizer.pt', sizeBytes: mebibyte + 8192 },
    { name: '0003-config.json', sizeBytes: 4096 },
  ];
  const totalBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return {
    target,
    repeats: 2,
    seconds: 60,
    smallFiles: 20,
    sweep: null,
    sustained: null,
    ...rest,
    shape: {
      replayOf: null,
      realBytes: totalBytes,
      realFiles: files.length,
      scale: 1,
      totalBytes,
      streams: 2,
      blockBytes: 262_144,
      ...shape,
      files,
    },
  };
}

export function progressTo(onProgress: (progress: CheckProgress) => void = () => undefined): {
  onProgress(progress: CheckProgress): void;
} {
  return { onProgress };
}

/** What a check failed with. */
export async function failureOf(promise: Promise<unknown>): Promise<CheckError> {
  const error: unknown = await promise.then(
    (value) => new Error(`no failure but ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (!CheckError.is(error)) throw error;
  return error;
}

/** What is there besides what was there before. */
export function namesIn(folder: string): string[] {
  return readdirSync(folder).sort();
}

/** The directory of the only check in a folder. */
export function checkIn(folder: string): string {
  const name = readdirSync(folder).find((entry) => entry.startsWith('.stowage-bandwidth-'));
  if (name === undefined) throw new Error('there is no check');
  return path.join(folder, name);
}

/** Mounts a file system for a test; null, with a loud line, where that is not possible. */
export function mountFor(
  folder: string,
  name: string,
  args: string[],
  prepare: (image: string) => void = () => undefined,
): string | null {
  const at = path.join(folder, name);
  mkdirSync(at);
  try {
    prepare(path.join(folder, `${name}.img`));
    execFileSync('mount', [...args, at], { stdio: ['ignore', 'ignore', 'pipe'] });
    return at;
  } catch (error) {
    console.warn(
      `NOT TESTED HERE: ${name} cannot be mounted (${String((error as Error).message)
        .split('\n')
        .slice(0, 2)
        .join(' ')})`,
    );
    return null;
  }
}

export function unmount(at: string | null): void {
  if (at !== null) execFileSync('umount', [at], { stdio: 'ignore' });
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
