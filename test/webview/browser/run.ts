import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { chromium, type Browser, type Page } from 'playwright-core';
import { startPageServer, type PageServer } from '../page/pageServer.js';
import { specs as datasetPanel } from './datasetPanel.spec.js';
import { specs as accessibility } from './accessibility.spec.js';
import { specs as bandwidth } from './bandwidth.spec.js';
import { specs as hostile } from './hostile.spec.js';
import { specs as layout } from './layout.spec.js';
import { specs as ranksAndRuns } from './ranksAndRuns.spec.js';
import { specs as reportPanel } from './reportPanel.spec.js';
import { specs as planner } from './planner.spec.js';
import type { OpenOptions, Spec } from './spec.js';
import { specs as tensors } from './tensors.spec.js';

export interface SpecResult {
  name: string;
  ok: boolean;
  error?: string;
}

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const allSpecs: Spec[] = [
  ...reportPanel,
  ...datasetPanel,
  ...ranksAndRuns,
  ...tensors,
  ...hostile,
  ...layout,
  ...accessibility,
  ...planner,
  ...bandwidth,
];

/** Builds the panel, serves it under the real content security policy and runs every spec in a browser. */
export async function runBrowserSpecs(options: {
  browserPath: string;
  artifactsDir: string;
  only?: string;
}): Promise<SpecResult[]> {
  await mkdir(options.artifactsDir, { recursive: true });
  const directory = await mkdtemp(path.join(os.tmpdir(), 'stowage-page-'));
  let server: PageServer | undefined;
  let browser: Browser | undefined;
  try {
    await buildPage(directory);
    server = await startPageServer(directory);
    browser = await chromium.launch({ executablePath: options.browserPath, args: flags });
    const results: SpecResult[] = [];
    for (const spec of allSpecs) {
      if (options.only === undefined || spec.name.includes(options.only))
        results.push(await runSpec(spec, browser, server, options.artifactsDir));
    }
    return results;
  } finally {
    await browser?.close();
    await server?.close();
    await rm(directory, { recursive: true, force: true });
  }
}

async function runSpec(spec: Spec, browser: Browser, server: PageServer, artifactsDir: string): Promise<SpecResult> {
  const pages: { page: Page; errors: string[]; foreignScript: boolean }[] = [];
  const open = async ({
    scenario,
    theme = 'vscode-dark',
    width = 1280,
    height = 1000,
    foreignScript = false,
  }: OpenOptions): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce' });
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    const errors: string[] = [];
    pages.push({ page, errors, foreignScript });
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
    });
    await page.goto(server.url(scenario, theme));
    await page.locator('stowage-report h1, stowage-planner h1, stowage-bandwidth h1').first().waitFor();
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    return page;
  };
  const keepPicture = async (page: Page, name: string): Promise<void> => {
    await page.screenshot({ path: path.join(artifactsDir, `${name}.png`), fullPage: true });
  };
  try {
    await spec.run({ open, keepPicture });
    for (const { page, errors, foreignScript } of pages) {
      if (foreignScript) continue;
      const problems = [...errors, ...(await page.evaluate(() => window.violations))];
      if (problems.length > 0) throw new Error(`the page reported: ${problems.join('\n')}`);
    }
    return { name: spec.name, ok: true };
  } catch (error) {
    const page = pages.at(-1)?.page;
    await page
      ?.screenshot({ path: path.join(artifactsDir, `failed-${spec.name.replaceAll(/\W+/g, '-')}.png`) })
      .catch(() => undefined);
    return { name: spec.name, ok: false, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  } finally {
    for (const { page } of pages) await page.context().close();
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
    entryPoints: ['fakeHost', 'fakePlanHost', 'fakeBandwidthHost'].map((name) =>
      path.join(root, 'test', 'webview', 'page', `${name}.ts`),
    ),
    outdir,
    bundle: true,
    format: 'iife',
    target: 'es2022',
    logLevel: 'warning',
  });
}

/** This file runs as a bundle somewhere below the project. */
function projectRoot(): string {
  let directory = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(directory, 'package.json'))) directory = path.dirname(directory);
  return directory;
}
