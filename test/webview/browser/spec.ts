import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { BandwidthScenario } from '../page/bandwidthScenarios.js';
import type { Scenario } from '../page/fakeHost.js';
import type { PlanScenario } from '../page/planScenarios.js';
import type { ThemeName } from '../page/themes.js';

export interface OpenOptions {
  scenario: Scenario | PlanScenario | BandwidthScenario;
  theme?: ThemeName;
  width?: number;
  height?: number;
  /** Set where a test's own script (axe writes style elements) makes the page report violations of its policy. */
  foreignScript?: boolean;
}

/** What a browser spec works with. */
export interface SpecContext {
  /** A fresh page with the panel, ready when its scenario is shown. Closed after the spec, which fails if the page reported an error. */
  open(options: OpenOptions): Promise<Page>;
  /** Keeps a picture for people to look at. */
  keepPicture(page: Page, name: string): Promise<void>;
}

export interface Spec {
  name: string;
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

/** Requests of one method that the page has sent so far, oldest first. */
export async function requestsOf<T>(page: Page, method: string): Promise<T[]> {
  return (await page.evaluate((name) => window.fakeHost.requests.filter((request) => request.method === name), method)).map(
    ({ params }) => params as T,
  );
}

/** Waits until a request of the method matches, and answers it. */
export async function waitForRequest<T>(page: Page, method: string, matches: (params: T) => boolean): Promise<T> {
  const deadline = Date.now() + 5000;
  for (;;) {
    const sent = await requestsOf<T>(page, method);
    const found = sent.find(matches);
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`no such request of ${method}; there were ${JSON.stringify(sent).slice(0, 2000)}`);
    await page.waitForTimeout(20);
  }
}
