import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Locator, Page } from 'playwright-core';
import { startPageServer, type PageServer } from '../page/pageServer.js';
import { specs as datasetPanel } from './datasetPanel.spec.js';
import { specs as accessibility } from './accessibility.spec.js';
import { specs as bandwidth } from './bandwidth.spec.js';
import { specs as comparePanel } from './comparePanel.spec.js';
import { specs as design } from './design.spec.js';
import { specs as estimate } from './estimate.spec.js';
import { specs as firstScreen } from './firstScreen.spec.js';
import { specs as hostile } from './hostile.spec.js';
import { specs as layout } from './layout.spec.js';
import { specs as ranksAndRuns } from './ranksAndRuns.spec.js';
import { specs as runPanel } from './runPanel.spec.js';
import { specs as reportPanel } from './reportPanel.spec.js';
import { specs as load } from './load.spec.js';
import { specs as planner } from './planner.spec.js';
import { PanelTab } from './panelTab.js';
import { projectRoot } from './projectRoot.js';
import type { Spec } from './spec.js';
import { specs as tables } from './tables.spec.js';
import { specs as tensors } from './tensors.spec.js';
import { specs as values } from './values.spec.js';
import { specs as verification } from './verification.spec.js';

export interface SpecResult {
  name: string;
  /** Why it failed, if it did. */
  error?: string;
  seconds: number;
}

/** Specs that run at once. A page keeps about one core busy. */
const workers = 2;

/** The long ones first, so that no worker is left alone with one at the end. */
const allSpecs: Spec[] = [
  ...accessibility,
  ...layout,
  ...tables,
  ...bandwidth,
  ...planner,
  ...estimate,
  ...runPanel,
  ...comparePanel,
  ...hostile,
  ...reportPanel,
  ...datasetPanel,
  ...ranksAndRuns,
  ...tensors,
  ...verification,
  ...values,
  ...load,
  ...firstScreen,
  ...design,
];

export interface BrowserSpecOptions {
  browser: Browser;
  artifactsDir: string;
  /** Runs the specs that take pictures, and takes them. Otherwise all specs with assertions run, and only failures have a picture. */
  pictures: boolean;
  /** Part of the names of the specs to run. */
  only?: string;
}

/** Builds the panel, serves it under the real content security policy and runs every spec in a browser. */
export async function runBrowserSpecs(options: BrowserSpecOptions): Promise<SpecResult[]> {
  await mkdir(options.artifactsDir, { recursive: true });
  return withPages((server) => runAll(server, options));
}

/** Builds the panels as they are shipped and serves them until `use` is done. */
export async function withPages<Result>(use: (server: PageServer) => Promise<Result>): Promise<Result> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'stowage-page-'));
  let server: PageServer | undefined;
  try {
    await buildPage(directory);
    server = await startPageServer(directory);
    return await use(server);
  } finally {
    await server?.close();
    await rm(directory, { recursive: true, force: true });
  }
}

async function runAll(server: PageServer, options: BrowserSpecOptions): Promise<SpecResult[]> {
  const { browser, pictures, only = '' } = options;
  const waiting = allSpecs.filter((spec) => (pictures ? spec.pictures !== undefined : spec.pictures !== 'only'));
  const results: SpecResult[] = [];
  const work = async (): Promise<void> => {
    const tab = new PanelTab(browser, server);
    for (let spec = waiting.shift(); spec !== undefined; spec = waiting.shift())
      if (spec.name.includes(only)) results.push(await runSpec(spec, tab, options));
    await tab.close();
  };
  await Promise.all(Array.from({ length: workers }, work));
  return results;
}

async function runSpec(spec: Spec, tab: PanelTab, { artifactsDir, pictures }: BrowserSpecOptions): Promise<SpecResult> {
  const startedMs = performance.now();
  const result = (error?: string): SpecResult => ({
    name: spec.name,
    ...(error !== undefined && { error }),
    seconds: (performance.now() - startedMs) / 1000,
  });
  const keepPicture = async (page: Page, name: string, extent: 'page' | 'view' | Locator = 'page'): Promise<void> => {
    if (spec.pictures === undefined) throw new Error('a spec that takes pictures has to be marked so');
    const file = path.join(artifactsDir, `${name}.png`);
    if (!pictures) return;
    if (typeof extent === 'string') await page.screenshot({ path: file, fullPage: extent === 'page' });
    else await extent.screenshot({ path: file });
  };
  try {
    await spec.run({ open: (shown) => tab.open(shown), keepPicture });
    await tab.empty();
    return result();
  } catch (error) {
    await tab.keepPicture(path.join(artifactsDir, `failed-${spec.name.replaceAll(/\W+/g, '-')}.png`));
    // What state it is in is not known: the next spec gets another.
    await tab.close();
    return result(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

/** The shipped bundles as they are built for release, and the fake hosts beside them. */
async function buildPage(outdir: string): Promise<void> {
  const root = projectRoot();
  const { buildWebview } = (await import(pathToFileURL(path.join(root, 'webview', 'build.mjs')).href)) as {
    buildWebview(options: { outdir: string; minify: boolean }): Promise<unknown>;
  };
  await buildWebview({ outdir, minify: true });
  await build({
    entryPoints: ['fakeHost', 'fakeEstimateHost', 'fakePlanHost', 'fakeBandwidthHost', 'fakeRunHost', 'fakeCompareHost'].map(
      (name) => path.join(root, 'test', 'webview', 'page', `${name}.ts`),
    ),
    outdir,
    bundle: true,
    format: 'iife',
    target: 'es2022',
    logLevel: 'warning',
  });
}
