/** What axe finds wrong with a page. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

declare global {
  interface Window {
    axe: { run(options: RunOptions): Promise<AxeResults> };
  }
}

/** All violations, each with the first element it was found at. */
export async function allViolations(page: Page): Promise<string[]> {
  return (await violationsOf(page)).map(inWords);
}

/** Serious and critical violations. */
export async function graveViolations(page: Page): Promise<string[]> {
  return (await violationsOf(page)).filter(({ impact }) => impact === 'serious' || impact === 'critical').map(inWords);
}

async function violationsOf(page: Page): Promise<AxeResults['violations']> {
  await page.evaluate(await axeSource);
  const results = await page.evaluate(() =>
    window.axe.run({ resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }),
  );
  return results.violations;
}

function inWords({ id, help, nodes }: AxeResults['violations'][number]): string {
  return `${id}: ${help} (${nodes.length}): ${nodes[0]?.html.slice(0, 240)} ${nodes[0]?.failureSummary ?? ''}`;
}
