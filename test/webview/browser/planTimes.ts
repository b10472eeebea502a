/** The planner in a browser: what the page's thread works for each key that is pressed in an input. */
import type { Browser, CDPSession, Locator, Page } from 'playwright-core';
import { planPresets } from '../../../src/core/planning/inputs/presets.js';
import { nextFrames } from './spec.js';
import { withPages } from './run.js';

export interface PlanTimes {
  preset: string;
  /** Of the page's thread, for a key: the plan, its page in words, and drawing it; and what typing by the browser's tools takes by itself. */
  keyMs: number;
  /** Of it, scripts: the plan and its words, and the document that changes. */
  scriptMs: number;
  /** For a key in a text field that nothing listens to: the browser's own work, and that of its tools. */
  idleKeyMs: number;
}

/** Digits and their removal again. */
const presses = 40;

/** Opens each preset in turn, types until the page is warm, and then types again. */
export function measurePlan(browser: Browser, rounds: number): Promise<PlanTimes[]> {
  return withPages(async (server) => {
    const times: PlanTimes[] = [];
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    await page.goto(server.url('plan-405b', 'vscode-dark'));
    await page.locator('stowage-planner h1').waitFor();
    const devtools = await page.context().newCDPSession(page);
    // Processor time of the thread: other work on the machine is not in it.
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    const input = page.getByRole('textbox', { name: 'GPUs', exact: true });
    for (let round = 0; round <= rounds; round++)
      for (const { id } of planPresets) {
        await open(page, id);
        await type(page, input);
        const { taskMs: keyMs, scriptMs } = await measured(devtools, () => type(page, input));
        const { taskMs: idleKeyMs } = await measured(devtools, () => withIdleField(page, (field) => type(page, field)));
        // In the first round the engine still compiles.
        if (round > 0) times.push({ preset: id, keyMs, scriptMs, idleKeyMs });
      }
    await page.close();
    return times;
  });
}

async function open(page: Page, preset: string): Promise<void> {
  const text = JSON.stringify({ kind: 'stowage-plan', schemaVersion: 1, name: preset, preset });
  await page.evaluate((plan) => {
    const host = window.fakeHost as unknown as { send(event: string, payload: object): void };
    host.send('plan', { text: plan, fileName: 'plan.stowage-plan.json' });
  }, text);
  await nextFrames(page);
}

/** One key after the other, each drawn before the next. */
async function type(page: Page, input: Locator): Promise<void> {
  await input.press('End');
  for (let press = 0; press < presses; press++) {
    await page.keyboard.press(press % 2 === 0 ? '0' : 'Backspace');
    await nextFrames(page);
  }
}

/** A field in the same page, for as long as the work takes. */
async function withIdleField(page: Page, work: (field: Locator) => Promise<void>): Promise<void> {
  await page.evaluate(() => {
    const field = document.createElement('input');
    field.id = 'idle-field';
    field.style.position = 'fixed';
    document.body.append(field);
  });
  const field = page.locator('#idle-field');
  await work(field);
  await field.evaluate((element) => element.remove());
}

/** @returns milliseconds of the page's thread for a key of the work */
async function measured(devtools: CDPSession, work: () => Promise<void>): Promise<{ taskMs: number; scriptMs: number }> {
  const before = await workOf(devtools);
  await work();
  const after = await workOf(devtools);
  const of = (name: 'task' | 'script'): number => ((after[name] - before[name]) * 1000) / presses;
  return { taskMs: of('task'), scriptMs: of('script') };
}

/** Seconds that the page's thread has worked so far. */
async function workOf(devtools: CDPSession): Promise<{ task: number; script: number }> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  const of = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return { task: of('TaskDuration'), script: of('ScriptDuration') };
}
