/** What axe finds wrong with a page. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { themeNames } from '../page/themes.js';
import { layOutAll, showTheme } from './spec.js';

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

declare global {
  interface Window {
    axe?: { run(options: RunOptions): Promise<AxeResults> };
  }
}

type Violation = AxeResults['violations'][number];
type Rules = NonNullable<RunOptions['runOnly']>;

const allRules: Rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];
/** The rules whose outcome depends on colours. */
const colourRules: Rules = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** All violations, each with the first element it was found at. */
export async function allViolations(page: Page): Promise<string[]> {
  return (await violationsOf(page, allRules)).map(inWords);
}

/** Serious and critical violations. */
export async function graveViolations(page: Page): Promise<string[]> {
  return (await violationsOf(page, allRules)).filter(isGrave).map(inWords);
}

/** All violations in every theme. */
export async function allViolationsInThemes(page: Page): Promise<string[]> {
  return violationsInThemes(page, () => true);
}

/** Serious and critical violations in every theme. */
export async function graveViolationsInThemes(page: Page): Promise<string[]> {
  return violationsInThemes(page, isGrave);
}

/** All rules in the first theme. The others differ from it in colours alone, so that only the rules about colours can fail in them. */
async function violationsInThemes(page: Page, counts: (violation: Violation) => boolean): Promise<string[]> {
  const found: string[] = [];
  for (const [index, theme] of themeNames.entries()) {
    await showTheme(page, theme);
    const violations = await violationsOf(page, index === 0 ? allRules : colourRules);
    found.push(...violations.filter(counts).map((violation) => `${theme}: ${inWords(violation)}`));
  }
  return found;
}

function isGrave({ impact }: Violation): boolean {
  return impact === 'serious' || impact === 'critical';
}

async function violationsOf(page: Page, rules: Rules): Promise<Violation[]> {
  await layOutAll(page);
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(await axeSource);
  const results = await page.evaluate((runOnly) => window.axe?.run({ resultTypes: ['violations'], runOnly }), rules);
  if (results === undefined) throw new Error('axe is not in the page');
  return results.violations;
}

function inWords({ id, help, nodes }: Violation): string {
  return `${id}: ${help} (${nodes.length}): ${nodes[0]?.html.slice(0, 240)} ${nodes[0]?.failureSummary ?? ''}`;
}
