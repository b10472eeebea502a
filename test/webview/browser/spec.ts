import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { BandwidthScenario } from '../page/bandwidthScenarios.js';
import type { CompareScenario } from '../page/compareScenarios.js';
import type { EstimateScenario } from '../page/estimateScenarios.js';
import type { Scenario } from '../page/scenarios.js';
import type { PlanScenario } from '../page/planScenarios.js';
import type { RunScenario } from '../page/runScenarios.js';
import type { ThemeName } from '../page/themes.js';

export interface OpenOptions {
  scenario: Scenario | EstimateScenario | PlanScenario | BandwidthScenario | RunScenario | CompareScenario;
  theme?: ThemeName;
  width?: number;
  height?: number;
  /** Set where a test's own script (axe writes style elements) makes the page report violations of its policy. */
  foreignScript?: boolean;
}

/** What a browser spec works with. */
export interface SpecContext {
  /**
   * A new document with the panel, ready when its scenario is shown, in place of the one that was open before. The spec fails if a
   * document reported an error.
   */
  open(options: OpenOptions): Promise<Page>;
  /** Keeps a picture for people to look at, of the whole page, of what is in view or of one element, where pictures are asked for. Only in specs that are marked so. */
  keepPicture(page: Page, name: string, extent?: 'page' | 'view' | Locator): Promise<void>;
}

export interface Spec {
  name: string;
  /** 'only': takes pictures and asserts nothing of its own, so that it runs where pictures are asked for. 'also': does both. */
  pictures?: 'only' | 'also';
  run(context: SpecContext): Promise<void>;
}

/** Names of the tabs that the report has, from the first to the last. */
export async function tabNames(page: Page): Promise<string[]> {
  const labels = await page.getByRole('tab').allInnerTexts();
  return labels.map((label) => label.replace(/[\d,\s]+$/, ''));
}

/** Opens a tab and waits until its content stands, the first tensors included. */
export async function openTab(page: Page, name: string): Promise<void> {
  const label = new RegExp(`^${name}`);
  await page.getByRole('tab', { name: label }).click();
  await page.getByRole('tab', { name: label, selected: true }).waitFor();
  await nextFrames(page);
  if (name !== 'Tensors') return;
  const tensors = await page.getByRole('tab', { name: 'Tensors' }).innerText();
  if (!/\b0$/.test(tensors)) await page.locator('[id="row-0"] bdi').first().waitFor();
}

/** Two frames: one in which components render, one in which what they measured is laid out. */
export async function nextFrames(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Lays out the sections of a plan that are not in view as well: until then they have no geometry of their own. */
export async function layOutAll(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { shadowRoot } = document.querySelector('stowage-planner') ?? {};
    for (const section of shadowRoot?.querySelectorAll<HTMLElement>('stowage-plan-section') ?? [])
      section.style.contentVisibility = 'visible';
  });
  await nextFrames(page);
}

/** All text of an element, across shadow roots, as one line. */
export function textOf(page: Page, selector: string): Promise<string> {
  return page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const read = (node: Node): string => {
        if (node instanceof Text) return node.data;
        const root = node instanceof Element ? (node.shadowRoot ?? node) : node;
        const children = root instanceof HTMLSlotElement ? root.assignedNodes() : [...root.childNodes];
        return children.map(read).join(' ');
      };
      return read(element).replaceAll(/\s+/g, ' ').trim();
    });
}

/** Fails unless the text of an element holds each of these. */
export async function assertShows(page: Page, selector: string, ...expected: string[]): Promise<void> {
  const text = await textOf(page, selector);
  for (const words of expected) assert.ok(text.includes(words), `${selector} shows no ${words}: ${text.slice(0, 2000)}`);
}

/** Texts of the cells in a row of a list that have no room for all of it. */
export function clippedCells(row: Locator): Promise<string[]> {
  return row
    .getByRole('gridcell')
    .evaluateAll((cells) =>
      cells
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ textContent }) => (textContent ?? '').replaceAll(/\s+/g, ' ').trim()),
    );
}

/** Requests of one method that the page has sent so far, oldest first. */
export async function requestsOf<T>(page: Page, method: string): Promise<T[]> {
  return (await page.evaluate((name) => window.fakeHost.requests.filter((request) => request.method === name), method)).map(
    ({ params }) => params as T,
  );
}

/** Waits until a request of the method matches, and answers it. */
export async function waitForRequest<T>(page: Page, method: string, matches: (params: T) => boolean): Promise<T> {
  for (;;) {
    const sent = await requestsOf<T>(page, method);
    const found = sent.find(matches);
    if (found !== undefined) return found;
    await page
      .waitForFunction(([name, count]) => window.fakeHost.requests.filter((request) => request.method === name).length > count, [
        method,
        sent.length,
      ] as const)
      .catch((cause: unknown) => {
        throw new Error(`no such request of ${method}; there were ${JSON.stringify(sent).slice(0, 2000)}`, { cause });
      });
  }
}

/** Shows the page in another theme, as VS Code does: other variables and another class, in the same document. */
export async function showTheme(page: Page, theme: ThemeName): Promise<void> {
  await page.evaluate(
    (name) =>
      new Promise((resolve, reject) => {
        const before = document.querySelector('link[href^="theme.css"]');
        if (before === null) throw new Error('the page has no theme');
        const after = document.createElement('link');
        after.rel = 'stylesheet';
        after.href = `theme.css?theme=${name}`;
        after.addEventListener('load', resolve);
        after.addEventListener('error', reject);
        before.replaceWith(after);
        document.body.className = name;
      }),
    theme,
  );
  await nextFrames(page);
}
