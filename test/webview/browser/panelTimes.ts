/** The report panel with 200,000 tensors in a browser: when rows are there, and what a frame costs. */
import type { Browser, CDPSession, Page } from 'playwright-core';
import { nextFrames } from './spec.js';
import { withPages } from './run.js';

export interface PanelTimes {
  /** From the answer of the worker to the frame after the one that has its rows. */
  firstRowsMs: number;
  /** From the last key of a search to its rows; the host's own pass over the names included. */
  searchMs: number;
  /** Between frames while the table is scrolled, and while a column is dragged. */
  scrolling: FrameTimes;
  resizing: FrameTimes;
}

export interface FrameTimes {
  medianMs: number;
  p95Ms: number;
  longestMs: number;
  /** Of the page's thread, for a frame: what is left of 16.7 ms is room. */
  busyMs: number;
}

const frames = 120;

/** Opens the panel again for each round. */
export function measurePanel(browser: Browser, rounds: number): Promise<PanelTimes[]> {
  return withPages(async (server) => {
    const times: PanelTimes[] = [];
    for (let round = 0; round <= rounds; round++) {
      const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
      await page.goto(server.url('many', 'vscode-dark'));
      const measured = await measureRound(page);
      // The first round fills the caches of the browser.
      if (round > 0) times.push(measured);
      await page.close();
    }
    return times;
  });
}

async function measureRound(page: Page): Promise<PanelTimes> {
  await page.getByRole('tab', { name: 'Tensors' }).waitFor();
  // The host is in the page here: what it counts for the filters is to come after the rows, as from a worker.
  await page.evaluate(() => (window.fakeHost.delayMs = 1000));
  const firstRowsMs = await timeToRows(page, () => page.getByRole('tab', { name: 'Tensors' }).click());
  await page.getByText('all bf16').first().waitFor();
  await page.evaluate(() => (window.fakeHost.delayMs = 5));
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const scrolling = await timeFrames(page, devtools, async () => {
    await page.mouse.move(500, 600);
    for (let turn = 0; turn < 30; turn++) await page.mouse.wheel(0, 400);
  });
  const resizing = await timeFrames(page, devtools, () => dragColumn(page));
  await page.getByLabel('Search tensor names').fill('layers.7');
  await page.getByText('of 200,000 tensors').waitFor();
  const searchMs = await timeToRows(page, () => page.keyboard.press('.'));
  return { firstRowsMs, searchMs, scrolling, resizing };
}

async function dragColumn(page: Page): Promise<void> {
  const grip = await page.locator('.grip').first().boundingBox();
  if (grip === null) throw new Error('there is no column to drag');
  const [x, y] = [grip.x + grip.width / 2, grip.y + grip.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 1; step <= 30; step++) await page.mouse.move(x + 4 * step, y);
  await page.mouse.up();
}

/** From the first answer with rows after `act` to the frame after the next. */
async function timeToRows(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    performance.clearMarks();
    window.addEventListener('message', function wait({ data }: MessageEvent<{ toPage?: unknown }>) {
      if (data.toPage === undefined || !JSON.stringify(data.toPage).includes('"matching"')) return;
      window.removeEventListener('message', wait);
      const answeredMs = performance.now();
      requestAnimationFrame(() =>
        requestAnimationFrame(() => performance.mark('rows', { detail: performance.now() - answeredMs })),
      );
    });
  });
  await act();
  const mark = await page.waitForFunction(() => performance.getEntriesByName('rows')[0] as PerformanceMark | undefined);
  return mark.evaluate((entry) => (entry as PerformanceMark).detail as number);
}

async function timeFrames(page: Page, devtools: CDPSession, act: () => Promise<void>): Promise<FrameTimes> {
  await nextFrames(page);
  const before = await busySeconds(devtools);
  const intervals = page.evaluate(
    (count) =>
      new Promise<number[]>((resolve) => {
        const found: number[] = [];
        let lastMs = performance.now();
        const note = (): void => {
          const nowMs = performance.now();
          found.push(nowMs - lastMs);
          lastMs = nowMs;
          if (found.length < count) requestAnimationFrame(note);
          else resolve(found);
        };
        requestAnimationFrame(note);
      }),
    frames,
  );
  await act();
  const sorted = (await intervals).sort((a, b) => a - b);
  const busyMs = (1000 * ((await busySeconds(devtools)) - before)) / frames;
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { medianMs: at(0.5), p95Ms: at(0.95), longestMs: at(1), busyMs };
}

/** What the page's thread has worked so far. */
async function busySeconds(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
}
