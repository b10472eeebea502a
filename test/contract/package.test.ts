import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { describe, expect, it } from 'vitest';
import { manifest, projectRoot, readMetafiles, readText } from './projectFiles.js';

/** Everything in the VSIX. Whoever adds a file here has thought about whether users need it. */
const packed = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'dist/THIRD-PARTY-NOTICES.txt',
  'dist/bandwidthWorker.js',
  'dist/cli.js',
  'dist/estimateWorker.js',
  'dist/extension.js',
  'dist/inspectionWorker.js',
  'dist/web/extension.js',
  'dist/webview/bandwidth.css',
  'dist/webview/bandwidth.js',
  'dist/webview/bandwidth.js.LEGAL.txt',
  'dist/webview/codicon.css',
  'dist/webview/codicon.ttf',
  'dist/webview/planner.css',
  'dist/webview/planner.js',
  'dist/webview/planner.js.LEGAL.txt',
  'dist/webview/report.css',
  'dist/webview/report.js',
  'dist/webview/report.js.LEGAL.txt',
  'l10n/bundle.l10n.json',
  'media/icon.png',
  'media/report-dark.svg',
  'media/report-light.svg',
  'media/stowage-plan.schema.json',
  'package.json',
  'package.nls.json',
];

const kilobyte = 1_000;

/** Upper bounds in bytes: a bundle that grows beyond is looked at before the bound is raised. */
const budgets: Record<string, number> = {
  // A fifth of it are bandwidth checks: their panel, their history, and what is done about those that a crash has ended.
  'extension.js': 65 * kilobyte,
  // A fifth of these is what reads Parquet, Arrow and YAML, and what tokenizes.
  'inspectionWorker.js': 1_000 * kilobyte,
  // Half of it is YAML and TOML, a third the architectures.
  'estimateWorker.js': 600 * kilobyte,
  // Three quarters of it are the layouts of checkpoints, which find the newest of a run.
  'bandwidthWorker.js': 480 * kilobyte,
  'web/extension.js': 1_420 * kilobyte,
  // The workers' work, and a fifth for plans; a tenth for bandwidth checks, here, on several nodes and of object stores.
  'cli.js': 1_600 * kilobyte,
  // Two thirds of it are the plan itself: what it reckons, what it says, and what is known of storage systems.
  'webview/planner.js': 400 * kilobyte,
  'webview/planner.css': 20 * kilobyte,
  // Half of it is drawing charts and reading amounts, as in the planner.
  'webview/bandwidth.js': 240 * kilobyte,
  'webview/bandwidth.css': 20 * kilobyte,
  'webview/report.js': 650 * kilobyte,
  'webview/report.css': 20 * kilobyte,
};

/** Bandwidth checks take a seventh of it: their panel, and a worker that knows all layouts, as it lists a checkpoint. */
const vsixBudget = 2_100 * kilobyte;

describe('package', () => {
  it('holds what is listed here and nothing else', async () => {
    expect(
      (await listFiles({ cwd: path.join(projectRoot, '.cache', 'package'), packageManager: PackageManager.None })).sort(),
    ).toEqual(packed);
  });

  it('is small', () => {
    expect(statSync(path.join(projectRoot, '.cache', 'test-build', 'stowage.vsix')).size).toBeLessThan(vsixBudget);
  });

  for (const [file, budget] of Object.entries(budgets)) {
    it(`keeps ${file} below ${budget / kilobyte} kB`, () => {
      const { size } = statSync(path.join(projectRoot, 'dist', file));
      expect(size).toBeGreaterThan(100);
      expect(size).toBeLessThan(budget);
    });
  }

  it('has the entry points that the manifest names', () => {
    for (const file of [manifest.main, manifest.browser, ...Object.values(manifest.bin)]) {
      expect(existsSync(path.join(projectRoot, file)), file).toBe(true);
    }
    expect(readText('dist/cli.js').startsWith('#!/usr/bin/env node\n')).toBe(true);
  });

  it('is under the MIT licence, and names the licence of all that it contains', async () => {
    expect(manifest.license).toBe('MIT');
    expect(readText('LICENSE')).toContain('MIT License');
    const { bundledPackages } = (await import('../../scripts/thirdPartyNotices.mjs')) as {
      bundledPackages(metafiles: object[]): string[];
    };
    const notices = readText('dist/THIRD-PARTY-NOTICES.txt');
    for (const name of bundledPackages(Object.values(readMetafiles()))) {
      const start = notices.indexOf(`\n${name} `);
      expect(start, name).toBeGreaterThan(-1);
      expect(notices.slice(start, start + 3_000), name).toMatch(/copyright/i);
    }
  });
});
