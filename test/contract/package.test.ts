import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { manifest, projectRoot, readMetafiles, readText } from './projectFiles.js';

const vsix = path.join(projectRoot, '.cache', 'test-build', 'stowage.vsix');

/** Everything in the VSIX. Whoever adds a file here has thought about whether users need it. */
const packed = [
  '[Content_Types].xml',
  'extension.vsixmanifest',
  'extension/LICENSE.txt',
  'extension/changelog.md',
  'extension/dist/THIRD-PARTY-NOTICES.txt',
  'extension/dist/bandwidthWorker.js',
  'extension/dist/cli.js',
  'extension/dist/estimateWorker.js',
  'extension/dist/extension.js',
  'extension/dist/inspectionWorker.js',
  'extension/dist/remoteFiles.js',
  'extension/dist/web/extension.js',
  'extension/dist/webview/bandwidth.css',
  'extension/dist/webview/bandwidth.js',
  'extension/dist/webview/bandwidth.js.LEGAL.txt',
  'extension/dist/webview/codicon.css',
  'extension/dist/webview/codicon.ttf',
  'extension/dist/webview/compare.css',
  'extension/dist/webview/compare.js',
  'extension/dist/webview/compare.js.LEGAL.txt',
  'extension/dist/webview/estimate.css',
  'extension/dist/webview/estimate.js',
  'extension/dist/webview/estimate.js.LEGAL.txt',
  'extension/dist/webview/planner.css',
  'extension/dist/webview/planner.js',
  'extension/dist/webview/planner.js.LEGAL.txt',
  'extension/dist/webview/report.css',
  'extension/dist/webview/report.js',
  'extension/dist/webview/report.js.LEGAL.txt',
  'extension/dist/webview/run.css',
  'extension/dist/webview/run.js',
  'extension/dist/webview/run.js.LEGAL.txt',
  'extension/l10n/bundle.l10n.json',
  'extension/media/activity.svg',
  'extension/media/icon.png',
  'extension/media/report-dark.svg',
  'extension/media/report-light.svg',
  'extension/media/stowage-holds.schema.json',
  'extension/media/stowage-plan.schema.json',
  'extension/media/stowage-retention.schema.json',
  'extension/media/walkthrough/estimate.md',
  'extension/media/walkthrough/findRuns.md',
  'extension/media/walkthrough/inspect.md',
  'extension/media/walkthrough/plan.md',
  'extension/package.json',
  'extension/package.nls.json',
  'extension/readme.md',
];

const kilobyte = 1_000;

/**
 * Upper bounds in bytes: a bundle that grows beyond is looked at before the bound is raised. A format takes 5 kB of the workers, of the web extension and of
 * the command line, a command 0.3 kB of the extension: a new bound leaves room for several.
 */
const budgets: Record<string, number> = {
  // A fiftieth runs and shows the commands that ask a cluster.
  // A fifth of it are bandwidth checks: their panel, their history, and what is done about those that a crash has ended.
  // A fifteenth is the tables of commands, editors and readable files, which are what the manifest is made of.
  // A tenth is the Checkpoints view, the panel of saves, and following a run.
  // A fifteenth compares checkpoints: commands, their panel, and what starts its thread. A twentieth is addresses of stores and their file system.
  'extension.js': 128 * kilobyte,
  // A fifth of these is what reads Parquet, Arrow and YAML, and what tokenizes. Records of zip archives are found as two readers
  // find them, and models beside runs and copies are told by their contents. Pickles in place of any file take 4 kB. Packed weights of
  // 18 quantizations, what loading opens and leaves, and pickles behind other bytes, in schemas and in values take 32 kB.
  // Verifying files, for the report’s tab, takes 67 kB, zlib in JavaScript for it 30 kB, and values of tensors 65 kB.
  // Values of arrays in chunks and of floats with scales, and sums of ArrayRecord and tar, take 30 kB, here and in the command line; the log of both 12 kB.
  // A tenth plans, lists the saves of runs and applies retention policies, whose YAML it also writes.
  // Comparing two checkpoints, with the values of their tensors, takes 45 kB here, and as much in the web extension.
  // Whether a model loads takes a third: the architectures and configs of the estimates, to compare their tensors with those that are there.
  // What quantizers and tokenizers refuse, and what two checkpoints have in common under other names, take 30 kB, here, in the web extension and in the command line.
  'inspectionWorker.js': 2_880 * kilobyte,
  // Half of it is YAML and TOML, a third the architectures. A hundredth reads sharding and ways of saving, another Python's trainers, jobs of clusters and MaxText's blocks.
  // What transformers 5.24 has added, the heads that runs train and layers that they freeze take 20 kB here, in the web extension and in the command line.
  // Configs of slime, Megatron-Bridge, OLMo-core, XTuner and fairseq, and files that a script sources, take as much.
  // 190 more published models, seven architectures and the heads of transformers’ examples take 20 kB, here and in the other two.
  // Megatron under other programs, saves that only the next one replaces, adapters by what is trained of a model, and branches of scripts take 12 kB there as well.
  // Fourteen models that see, hear, speak or denoise, whose towers are each of their own form, take 35 kB, here and in the other two.
  // Dtypes that a run does not set, adapters' modules of another dtype, Hydra's search path and Qwen3-Omni's talker take 13 kB there as well.
  // Scripts in words of scripts, batches that ramp up, and what Megatron saves of an optimizer that is aware of precision take 10 kB, here and in the other two.
  // Steps that freeze parts of a model, caches of families with heads of their own, and save intervals that are none take 13 kB, here and in the other two.
  // Arguments of TRL, recipes of NeMo 2 and Megatron-Bridge in Python, curricula and the release of transformers take 26 kB, here and in the other two.
  // What serving takes by engines and images, defaults of a script's own arguments, and much copied scripts take 18 kB, here and in the other two.
  'estimateWorker.js': 905 * kilobyte,
  // Three quarters of it are the layouts of checkpoints, which find the newest of a run. A fiftieth is sweeps, sustained rates and the three answers of a verdict.
  // Words of what loading compares take 5 kB.
  // Google's and Azure's stores, with their logins, take 26 kB here and in the command line; proxies of the environment 30 kB, loaded where one is named.
  'bandwidthWorker.js': 970 * kilobyte,
  'remoteFiles.js': 82 * kilobyte,
  // What the report asks of values and verification, which are read elsewhere, takes 2 kB.
  // The load check takes 150 kB here and in the command line, which have architectures and configs already.
  'web/extension.js': 2_830 * kilobyte,
  // The workers' work, and a fifth for plans and what they are exported as; a tenth for bandwidth checks, here, on several nodes and of object stores.
  // A fiftieth judges by retention policies, and writes their scripts.
  // A tenth is Arrow, in which jobs of a file system are handed to other programs.
  // Values of tensors take 70 kB, a fifth of it grids of ggml's types.
  // Verifying files takes 67 kB: fifteen formats with sums, lists, manifests and threads; zlib in JavaScript for it takes 30 kB.
  // Telling telemetry’s jobs from chance, and fitting drains one by one, takes 10 kB.
  // Arrays of Slurm and Jobs of Kubernetes for both take 20 kB, half of it schemas of what other nodes leave.
  // Comparing two checkpoints takes 45 kB with the values of their tensors.
  // Addresses of stores, and who asks them, take 25 kB.
  // Proxies of the environment take 30 kB, and are loaded where one is named.
  'cli.js': 3_700 * kilobyte,
  // Three quarters of it are the plan itself: what it computes, its words, the tables of storage systems and of frameworks’ settings. A thirtieth is exports, another what rests on room, walltimes and
  // warnings.
  'webview/planner.js': 415 * kilobyte,
  'webview/planner.css': 20 * kilobyte,
  // A quarter of it is drawing charts and reading amounts, as in the planner. A tenth judges earlier reports again, and shows and exports sweeps and sustained rates.
  'webview/bandwidth.js': 205 * kilobyte,
  'webview/bandwidth.css': 20 * kilobyte,
  // Three quarters of it are the table, the header and the bar, as in the report.
  'webview/estimate.js': 150 * kilobyte,
  'webview/estimate.css': 20 * kilobyte,
  // Four fifths of it are the table, the header and the charts, as in the report and in the planner.
  'webview/run.js': 160 * kilobyte,
  'webview/run.css': 20 * kilobyte,
  // Three quarters of it are the table, the header and the tabs, as in the report. A tenth is the heat map of values, and the tab that asks for them.
  'webview/compare.js': 160 * kilobyte,
  'webview/compare.css': 20 * kilobyte,
  // A tenth are values of tensors: the chart, which other panels have too.
  'webview/report.js': 345 * kilobyte,
  'webview/report.css': 20 * kilobyte,
};

/**
 * Bandwidth checks take a seventh of it: their panel, and a worker with all layouts, as it lists a checkpoint. Plans with their sites, exports and settings are in the
 * command line, the planner and the workers: each of their tables counts four times.
 * What inspection has learnt of quantizations, verdicts and pickles counts as often, and so do published models and what programs save.
 * The panel of saves takes 45 kB, and Arrow in the command line 40 kB. Configs that serve and recipes in Python take 45 kB in four tables.
 * Values of tensors take 25 kB in the command line and in the worker, and verification 35 kB in both; the tabs and commands of both take 25 kB.
 * Comparing checkpoints takes 30 kB in the command line, in the worker and in the web extension, and its panel 45 kB.
 * The load check takes 40 kB in the command line and in the web extension, and 150 kB in the worker of inspections, with the readers of configs.
 */
const vsixBudget = 4_280 * kilobyte;

describe('package', () => {
  it('holds what is listed here and nothing else', () => {
    const names: string[] = [];
    unzipSync(readFileSync(vsix), { filter: ({ name }) => (names.push(name), false) });
    expect(names.sort()).toEqual(packed);
  });

  it('is small', () => {
    expect(statSync(vsix).size).toBeLessThan(vsixBudget);
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
