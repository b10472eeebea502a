/** The report panel with 200,000 tensors: what the worker's answers cost, and what the page makes of them. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { withBrowser } from '../../test/runner/browser.mjs';
import { cacheFolder, projectFolder } from './prepare.mjs';
import { capture } from './processes.mjs';

/**
 * @param {{ rounds: number, log: (text: string) => void }} options
 * @returns {Promise<string>} two tables in Markdown
 */
export async function measurePanels({ rounds, log }) {
  log('answers of the worker');
  const queries = await bundle('bench/candidates/tensorQueries');
  /** @type {{ of: string, question: string, processorMs: number }[]} */
  const answers = [];
  for (let round = 0; round < rounds; round++) answers.push(...JSON.parse(await capture(process.execPath, [queries])));
  log('the page');
  /** @type {typeof import('../../test/webview/browser/panelTimes.js')} */
  const { measurePanel } = await import(pathToFileURL(await bundle('test/webview/browser/panelTimes')).href);
  const pages = await withBrowser((browser) => measurePanel(browser, rounds));
  return [
    '| answer of the worker | tensors | processor time, ms |',
    '|---|---|---|',
    ...groupsOf(answers).map(([question, of, times]) => `| ${question} | ${of} | ${spread(times)} |`),
    '',
    '| page | ms |',
    '|---|---|',
    `| rows after the answer to the first page | ${spread(pages.map(({ firstRowsMs }) => firstRowsMs))} |`,
    `| rows after the answer to a search | ${spread(pages.map(({ searchMs }) => searchMs))} |`,
    ...frameRows('scrolling', pages),
    ...frameRows('resizing', pages),
  ].join('\n');
}

/**
 * The planner: what each key that is pressed in an input costs.
 * @param {{ rounds: number, log: (text: string) => void }} options
 * @returns {Promise<string>} a table in Markdown
 */
export async function measurePlanner({ rounds, log }) {
  log('the planner');
  /** @type {typeof import('../../test/webview/browser/planTimes.js')} */
  const { measurePlan } = await import(pathToFileURL(await bundle('test/webview/browser/planTimes')).href);
  const times = await withBrowser((browser) => measurePlan(browser, rounds));
  const presets = [...new Set(times.map(({ preset }) => preset))];
  const rowOf = (/** @type {string} */ preset) => {
    const own = times.filter((time) => time.preset === preset);
    const cells = [
      own.map(({ keyMs, idleKeyMs }) => keyMs - idleKeyMs),
      own.map(({ scriptMs }) => scriptMs),
      own.map(({ idleKeyMs }) => idleKeyMs),
    ].map(spread);
    return `| ${preset} | ${cells.join(' | ')} |`;
  };
  const head = '| preset | a key, ms | of it scripts, ms | besides, a key in a field that nothing listens to, ms |';
  return [head, '|---|---|---|---|', ...presets.map(rowOf)].join('\n');
}

/**
 * @param {'scrolling' | 'resizing'} what
 * @param {readonly import('../../test/webview/browser/panelTimes.js').PanelTimes[]} pages
 */
function frameRows(what, pages) {
  const of = pages.map((page) => page[what]);
  return [
    `| ${what}: work of the page for a frame | ${spread(of.map(({ busyMs }) => busyMs))} |`,
    `| ${what}: between frames, median | ${spread(of.map(({ medianMs }) => medianMs))} |`,
    `| ${what}: between frames, 95 of 100 | ${spread(of.map(({ p95Ms }) => p95Ms))} |`,
    `| ${what}: between frames, longest | ${spread(of.map(({ longestMs }) => longestMs))} |`,
  ];
}

/**
 * Times of equal questions together.
 * @param {readonly { of: string, question: string, processorMs: number }[]} answers
 * @returns {[question: string, of: string, times: number[]][]}
 */
function groupsOf(answers) {
  /** @type {Map<string, [string, string, number[]]>} */
  const groups = new Map();
  for (const { of, question, processorMs } of answers) {
    const key = `${question}|${of}`;
    const group = groups.get(key) ?? [question, of, []];
    groups.set(key, group);
    group[2].push(processorMs);
  }
  return [...groups.values()];
}

/**
 * Minimum, median and maximum.
 * @param {readonly number[]} times
 */
function spread(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const text = (/** @type {number | undefined} */ ms) => (ms ?? 0).toFixed((ms ?? 0) < 10 ? 1 : 0);
  return `${text(sorted[0])} / **${text(sorted[Math.floor(sorted.length / 2)])}** / ${text(sorted.at(-1))}`;
}

/**
 * @param {string} source
 * @returns {Promise<string>} where its bundle is
 */
async function bundle(source) {
  const outfile = path.join(cacheFolder, 'build', `${path.basename(source)}.mjs`);
  mkdirSync(path.dirname(outfile), { recursive: true });
  await esbuild.build({
    entryPoints: [path.join(projectFolder, `${source}.ts`)],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  return outfile;
}
