import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, ConsoleMessage } from 'playwright-core';
import type { Spec } from './spec.js';
import { Workbench } from './workbench.js';

export interface E2eOptions {
  browser: Browser;
  /** Address of a window on a folder. */
  url(folder: string): string;
  /** Copies the samples to a new folder; each spec has its own. */
  newWorkspace(): string;
  artifactsDir: string;
}

export interface SpecResult {
  name: string;
  ok: boolean;
  error?: string;
}

/** Windows that are open at once: a window keeps about one core busy while it loads. */
const windows = 2;

/** Runs each spec in a window and on a workspace of its own. A violation of our documents' policy is a failure as well. */
export async function runSpecs(specs: Spec[], options: E2eOptions): Promise<SpecResult[]> {
  const results: SpecResult[] = [];
  const waiting = [...specs];
  const runOne = async (): Promise<void> => {
    for (let spec = waiting.shift(); spec !== undefined; spec = waiting.shift()) results.push(await runSpec(spec, options));
  };
  await Promise.all(Array.from({ length: windows }, runOne));
  return results;
}

async function runSpec(spec: Spec, { browser, url, newWorkspace, artifactsDir }: E2eOptions): Promise<SpecResult> {
  const workspace = newWorkspace();
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 }, reducedMotion: 'reduce' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const violations: string[] = [];
  page.on('console', (message) => {
    if (isViolation(message)) violations.push(message.text());
  });
  const keepPicture = async (name: string): Promise<void> => {
    mkdirSync(artifactsDir, { recursive: true });
    await page.screenshot({ path: path.join(artifactsDir, `${name}.png`) });
  };
  try {
    setTheme(workspace, 'Default Dark Modern');
    await page.goto(url(workspace));
    const workbench = new Workbench(page);
    await workbench.ready();
    await spec.run({
      workbench,
      workspace,
      keepPicture,
      setTheme: async (theme) => {
        setTheme(workspace, theme);
        await page.reload();
        await workbench.ready();
      },
    });
    if (violations.length > 0) throw new Error(`the content security policy was violated:\n${violations.join('\n')}`);
    return { name: spec.name, ok: true };
  } catch (error) {
    await keepPicture(`failed-${spec.name.replaceAll(/\W+/g, '-')}`).catch(() => undefined);
    return { name: spec.name, ok: false, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  } finally {
    await context.close();
  }
}

function setTheme(workspace: string, theme: string): void {
  mkdirSync(path.join(workspace, '.vscode'), { recursive: true });
  writeFileSync(path.join(workspace, '.vscode', 'settings.json'), JSON.stringify({ 'workbench.colorTheme': theme }));
}

/** Only our own documents count: the workbench reports a few of its own. */
function isViolation(message: ConsoleMessage): boolean {
  return (
    message.type() === 'error' &&
    /content security policy/i.test(message.text()) &&
    /nonce-[0-9a-f]{32}|stowage/.test(message.text())
  );
}
