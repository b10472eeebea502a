/** @typedef {{ min: number, median: number, max: number }} Spread */

/**
 * @typedef {object} Row one candidate's figures in one case
 * @property {string} id
 * @property {string} label
 * @property {Spread | null} workMs
 * @property {Spread | null} processMs
 * @property {Spread | null} peakBytes
 * @property {any} last what its last run printed
 * @property {string | null} failure
 * @property {string | null} remark
 */

/**
 * @param {(number | null)[]} values
 * @returns {Spread | null}
 */
export function spread(values) {
  const sorted = values.filter((value) => value !== null).sort((a, b) => a - b);
  if (sorted.length === 0) return null;
  const middle = sorted.length >> 1;
  const at = (/** @type {number} */ index) => /** @type {number} */ (sorted[index]);
  const median = sorted.length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2;
  return { min: at(0), median, max: at(sorted.length - 1) };
}

/**
 * @param {Awaited<ReturnType<typeof import('./processes.mjs').runAlternating>>} measured
 * @returns {Row[]}
 */
export function toRows(measured) {
  return measured.map(({ candidate, runs, failure, remark }) => ({
    id: candidate.id,
    label: candidate.label,
    workMs: spread(runs.map((run) => run.workMs)),
    processMs: spread(runs.map((run) => run.processMs)),
    peakBytes: spread(runs.map((run) => run.peakBytes)),
    last: runs.at(-1)?.result ?? null,
    failure,
    remark,
  }));
}

const figure = (/** @type {number} */ value) =>
  value < 1 ? value.toFixed(2) : value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en-US');
const figures = (/** @type {Spread | null} */ value) =>
  value === null ? '' : `${figure(value.min)} / **${figure(value.median)}** / ${figure(value.max)}`;

/**
 * One case as Markdown: the table, what is to be known about it, and how it stands to its goals.
 * @param {import('./candidates.mjs').BenchmarkCase} benchmark
 * @param {Row[]} rows
 */
export function renderCase(benchmark, rows) {
  const core = rows.find(({ id }) => id === 'core')?.workMs?.median;
  const cli = rows.find(({ id }) => id === 'cli')?.processMs?.median;
  const ratio = (/** @type {number | undefined} */ value, /** @type {number | undefined} */ own) =>
    value === undefined || own === undefined ? '' : `${(value / own).toFixed(value / own < 10 ? 1 : 0)} x`;
  const lines = [
    `### ${benchmark.title}`,
    '',
    benchmark.text,
    '',
    '| | work, ms | whole process, ms | peak memory, MiB | work against core | process against command line |',
    '|---|---|---|---|---|---|',
  ];
  for (const row of rows) {
    const label = row.remark ? `${row.label} (${row.remark})` : row.label;
    if (row.failure !== null) {
      lines.push(`| ${label} | failed: ${row.failure.split('\n')[0]} | | | | |`);
      continue;
    }
    const peak = row.peakBytes === null ? '' : figure(row.peakBytes.median / 2 ** 20);
    lines.push(
      `| ${label} | ${figures(row.workMs)} | ${figures(row.processMs)} | ${peak} | ${ratio(row.workMs?.median, core)} | ${ratio(row.processMs?.median, cli)} |`,
    );
  }
  for (const cited of benchmark.cited) {
    lines.push(
      `| ${cited.label} (${cited.where}) | ${figure(cited.workMs)} | ${figure(cited.processMs)} | ${figure(cited.peakMiB)} | | |`,
    );
  }
  for (const note of benchmark.notes(rows)) lines.push('', note);
  const goals = benchmark.goals(rows);
  if (goals.length > 0) lines.push('', '| goal | measured | |', '|---|---|---|');
  for (const { goal, measured, reached } of goals)
    lines.push(`| ${goal} | ${measured} | ${reached ? 'reached' : 'not reached'} |`);
  return lines.join('\n');
}
