/** The built command line on a cache of the Hugging Face Hub with real links. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readHubCacheFixture, writeHubCache } from '../../builders/hubCache.js';
import { stowage } from './stowage.js';

const main = 'models--org--tiny-gpt2/snapshots/12fe8dd745be4f73a6f46e3b7392f796aa9bfae3';
let home = '';

beforeAll(() => {
  home = mkdtempSync(path.join(tmpdir(), 'stowage-hub-'));
  writeHubCache(path.join(home, 'hub'), readHubCacheFixture('hub').files);
  writeHubCache(path.join(home, 'store'), readHubCacheFixture('shared-blobs').files);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

interface Numbers {
  kind: string;
  layout: string;
  totalBytes: number;
  cache: { prune: { bytes: number } };
  findings: { code: string }[];
}

function reportOf(directory: string): Numbers {
  return JSON.parse(stowage('inspect', path.join(home, directory), '--json').stdout) as Numbers;
}

describe('a cache on a disk', () => {
  it.each(['hub', 'shared-blobs'] as const)('%s has what its own scan finds', (name) => {
    const { scan } = readHubCacheFixture(name);
    expect(reportOf(name === 'hub' ? 'hub' : 'store')).toMatchObject({
      layout: 'huggingface-cache',
      cache: { prune: { bytes: scan.prune.bytes } },
    });
  });

  it('leads from the path of a row to the report of the revision', () => {
    const report = reportOf(`hub/${main}`);
    expect(report).toMatchObject({ kind: 'checkpoint', layout: 'huggingface-model', totalBytes: 125_980 });
  });

  it('counts the blobs of a repository in a store that lies outside of it', () => {
    // 1,012 bytes of two small files, the model in the store, and the ref.
    expect(reportOf('store/models--fork--tiny-gpt2')).toMatchObject({ kind: 'checkpoint', totalBytes: 1_012 + 124_968 + 40 });
  });

  it('follows no link to a directory, and opens nothing outside by a ref', () => {
    const repository = path.join(home, 'hostile', 'models--org--hostile');
    const outside = path.join(home, 'outside');
    mkdirSync(path.join(repository, 'snapshots', 'a'.repeat(40)), { recursive: true });
    mkdirSync(outside);
    writeFileSync(path.join(outside, 'secret.txt'), 'x'.repeat(5000));
    symlinkSync(outside, path.join(repository, 'snapshots', 'a'.repeat(40), 'directory'));
    symlinkSync('..', path.join(repository, 'refs'));
    const report = reportOf('hostile');
    expect(report.totalBytes).toBe(0);
  });
});
