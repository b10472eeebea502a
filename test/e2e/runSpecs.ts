import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, ConsoleMessage, Page } from 'playwright-core';
import type { PicturePart, Spec } from './spec.js';
import { Workbench, type WindowTheme } from './workbench.js';

export interface E2eOptions {
  browser: Browser;
  /** Address of a window on a folder. */
  url(folder: string): string;
  /** Copies the samples to a new folder; each window has its own. */
  newWorkspace(): string;
  /** Where the extension looks for the Hub. */
  hubPort: number;
  artifactsDir: string;
  /** Runs the specs that take pictures, and takes them. Otherwise all specs with assertions run, and only failures have a picture. */
  pictures: boolean;
}

export interface SpecResult {
  name: string;
  /** Why it failed, if it did. */
  error?: string;
  seconds: number;
}

/** A window and what it is opened on. */
interface OpenWindow {
  page: Page;
  workbench: Workbench;
  workspace: string;
  /** Violations of our documents' policy that it has reported. */
  violations: string[];
  theme: WindowTheme;
}

/** Windows that are open at once: a window keeps about one core busy while it loads. */
const workers = 2;

/** Ends a hang. No result depends on it: a busy machine may take many times as long as an idle one. */
const hangMs = 120_000;

const usualTheme: WindowTheme = 'Dark Modern';
const usualSize = { width: 1440, height: 1000 };

/**
 * Runs each spec, in a window that specs share or in one of its own. A violation of our documents' policy is a failure as well.
 * After a failure the next spec gets a new window.
 */
export async function runSpecs(specs: Spec[], options: E2eOptions): Promise<SpecResult[]> {
  const chosen = specs.filter(({ pictures }) => (options.pictures ? pictures !== undefined : pictures !== 'only'));
  // Those with a window of their own take longest: at the end a worker would be left alone with one.
  const waiting = [...chosen.filter(({ needs }) => needs !== undefined), ...chosen.filter(({ needs }) => needs === undefined)];
  const results: SpecResult[] = [];
  const work = async (): Promise<void> => {
    let shared: OpenWindow | undefined;
    for (let spec = waiting.shift(); spec !== undefined; spec = waiting.shift()) {
      const startedMs = performance.now();
      const isShared = spec.needs === undefined;
      let opened = isShared ? shared : undefined;
      let error: string | undefined;
      try {
        opened ??= await openWindow(options);
        await runSpec(spec, opened, options);
        if (isShared) await tidy(opened);
      } catch (cause) {
        error = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
        if (opened !== undefined)
          await keepPicture(opened, options, `failed-${spec.name.replaceAll(/\W+/g, '-')}`).catch(() => undefined);
      }
      if (!isShared || error !== undefined) await opened?.page.context().close();
      if (isShared) shared = error === undefined ? opened : undefined;
      results.push({ name: spec.name, ...(error !== undefined && { error }), seconds: (performance.now() - startedMs) / 1000 });
    }
    await shared?.page.context().close();
  };
  await Promise.all(Array.from({ length: workers }, work));
  return results;
}

async function openWindow({ browser, url, newWorkspace }: E2eOptions): Promise<OpenWindow> {
  const workspace = newWorkspace();
  const context = await browser.newContext({ viewport: usualSize, reducedMotion: 'reduce' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  page.setDefaultTimeout(hangMs);
  const violations: string[] = [];
  page.on('console', (message) => {
    if (isViolation(message)) violations.push(message.text());
  });
  writeSettings(workspace, usualTheme);
  await page.goto(url(workspace));
  const workbench = new Workbench(page);
  await workbench.ready();
  return { page, workbench, workspace, violations, theme: usualTheme };
}

async function runSpec(spec: Spec, opened: OpenWindow, options: E2eOptions): Promise<void> {
  const { workbench, workspace, violations } = opened;
  await spec.run({
    workbench,
    workspace,
    hubPort: options.hubPort,
    keepPicture: async (name, part) => {
      if (spec.pictures === undefined) throw new Error('a spec that takes pictures has to be marked so');
      if (!options.pictures) return;
      await workbench.settled();
      await keepPicture(opened, options, name, part);
    },
    setTheme: (theme) => setTheme(opened, theme),
  });
  if (violations.length > 0) throw new Error(`the content security policy was violated:\n${violations.join('\n')}`);
}

/** Leaves a window as it was when it was opened. */
async function tidy(opened: OpenWindow): Promise<void> {
  await opened.page.setViewportSize(usualSize);
  await setTheme(opened, usualTheme);
  await opened.workbench.tidy();
}

/** The window follows the settings of its workspace. */
async function setTheme(opened: OpenWindow, theme: WindowTheme): Promise<void> {
  if (theme === opened.theme) return;
  opened.theme = theme;
  writeSettings(opened.workspace, theme);
  await opened.workbench.themeShown(theme);
}

async function keepPicture({ page }: OpenWindow, { artifactsDir }: E2eOptions, name: string, part?: PicturePart): Promise<void> {
  mkdirSync(artifactsDir, { recursive: true });
  await page.screenshot({ path: path.join(artifactsDir, `${name}.png`), ...(part !== undefined && { clip: part }) });
}

function writeSettings(workspace: string, theme: WindowTheme): void {
  mkdirSync(path.join(workspace, '.vscode'), { recursive: true });
  // A browser's window saves a change after a second by default: whether a spec saw that there was one would depend on time.
  const settings = { 'workbench.colorTheme': theme, 'files.autoSave': 'off' };
  writeFileSync(path.join(workspace, '.vscode', 'settings.json'), JSON.stringify(settings));
}

/** Only our own documents count: the workbench reports a few of its own. */
function isViolation(message: ConsoleMessage): boolean {
  return (
    message.type() === 'error' &&
    /content security policy/i.test(message.text()) &&
    /nonce-[0-9a-f]{32}|stowage/.test(message.text())
  );
}
