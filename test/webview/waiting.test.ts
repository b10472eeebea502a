// @vitest-environment happy-dom
import { html, render } from 'lit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LoadingView } from '../../webview/panel/loadingView.js';
import '../../webview/panel/loadingView.js';
import '../../webview/panel/reportHeader.js';
import type { Skeleton } from '../../webview/shared/skeleton.js';
import '../../webview/shared/skeleton.js';
import { progressAfterMs, skeletonAfterMs, Waiting } from '../../webview/shared/waiting.js';
import './standInPage.js';

let place: HTMLElement;

function newPlace(): void {
  place = document.createElement('div');
  document.body.replaceChildren(place);
}

beforeEach(newPlace);
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] }));

afterEach(() => {
  document.body.replaceChildren();
  vi.useRealTimers();
});

const progress = { filesDone: 1204, filesTotal: 8192, bytesRead: 402_113, file: 'optimizer.pt' };

async function put<T extends HTMLElement & { updateComplete: Promise<unknown> }>(content: unknown): Promise<T> {
  render(content, place);
  const element = place.firstElementChild as T;
  await element.updateComplete;
  return element;
}

/** Whether the clock's place shows an element at each of the moments around the two limits. */
async function seenAt<T extends HTMLElement & { updateComplete: Promise<unknown> }>(
  element: T,
  isSeen: (element: T) => boolean,
): Promise<boolean[]> {
  const seen: boolean[] = [];
  let now = 0;
  for (const moment of [0, skeletonAfterMs - 1, skeletonAfterMs, progressAfterMs - 1, progressAfterMs]) {
    vi.advanceTimersByTime(moment - now);
    now = moment;
    await element.updateComplete;
    seen.push(isSeen(element));
  }
  return seen;
}

it('shows shapes after 100 ms and words after 500 ms, in every panel that waits', async () => {
  const isSeen = ({ shadowRoot }: HTMLElement): boolean => shadowRoot?.querySelector('.unseen') === null;
  const rows = [{ heightPx: 40, count: 4 as const }];
  const shapes = (): Promise<Skeleton> => put(html`<stowage-skeleton .rows=${rows} words="Opening the plan"></stowage-skeleton>`);
  expect(await seenAt(await shapes(), isSeen)).toEqual([false, false, true, true, true]);
  newPlace();
  const hasWords = ({ shadowRoot }: HTMLElement): boolean =>
    shadowRoot?.querySelector('.words')?.textContent === 'Opening the plan';
  expect(await seenAt(await shapes(), hasWords)).toEqual([false, false, false, false, true]);
});

it('counts files after 500 ms, at a place that is kept from the first moment on', async () => {
  const view = await put<LoadingView>(html`<stowage-loading-view .name=${'run'} .progress=${progress}></stowage-loading-view>`);
  const line = (): Element | null | undefined => view.shadowRoot?.querySelector('stowage-progress-line');
  expect(line()?.shadowRoot?.textContent).toContain('1,204 of 8,192 files');
  const isSeen = (): boolean => line()?.parentElement?.classList.contains('unseen') === false;
  expect(await seenAt(view, isSeen)).toEqual([false, false, false, false, true]);
});

it('says nothing of a second look that is over before anybody could read of it', async () => {
  const header = (refreshing: unknown) =>
    html`<stowage-report-header .name=${'run'} .subtitle=${'torch file'} .refreshing=${refreshing}></stowage-report-header>`;
  const element = await put(header(progress));
  const status = (): string => element.shadowRoot?.querySelector('.status')?.textContent ?? '';
  const isCancellable = (): boolean => element.shadowRoot?.querySelector('[title="Cancel"]') !== null;
  expect([status(), isCancellable()]).toEqual(['torch file', false]);
  vi.advanceTimersByTime(progressAfterMs);
  await element.updateComplete;
  expect([status(), isCancellable()]).toEqual(['Inspecting again: 1,204 of 8,192 files', true]);
  await put(header(false));
  expect([status(), isCancellable()]).toEqual(['torch file', false]);
  await put(header(true));
  expect(isCancellable()).toBe(false);
});

it('leaves no timer behind when its element goes, and begins a wait once', () => {
  const updates: string[] = [];
  const waiting = new Waiting({
    addController: () => undefined,
    removeController: () => undefined,
    requestUpdate: () => void updates.push(waiting.stage),
    updateComplete: Promise.resolve(true),
  });
  waiting.begin();
  waiting.begin();
  vi.advanceTimersByTime(progressAfterMs);
  expect(updates).toEqual(['skeleton', 'progress']);
  waiting.end();
  waiting.begin();
  waiting.hostDisconnected();
  expect(vi.getTimerCount()).toBe(0);
  expect(waiting.stage).toBe('unseen');
});
