#!/usr/bin/env node
/** Measures Stowage against other readers of the same files, and its bandwidth checks against fio. See bench/README.md. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { measureBandwidth } from './lib/bandwidth.mjs';
import { compareBuilds } from './lib/builds.mjs';
import { measureContents } from './lib/contents.mjs';
import { benchmarkCases, caseIds as checkpointCaseIds } from './lib/cases.mjs';
import { datasetCaseIds, datasetCases } from './lib/datasetCases.mjs';
import { cacheFolder, prepare, projectFolder, writeData } from './lib/prepare.mjs';
import { measurePanels, measurePlanner } from './lib/panel.mjs';
import { measureStores } from './lib/stores.mjs';
import { runAlternating } from './lib/processes.mjs';
import { findSection, replaceSection } from '../scripts/sections.mjs';
import { renderCase, toRows } from './lib/table.mjs';

const caseIds = [...checkpointCaseIds, ...datasetCaseIds];
const usage = `usage: npm run bench -- [--case ${caseIds.join(',')}] [--rounds 7] [--no-build] [--write-docs]
       npm run bench -- bandwidth [--rounds 5] [--directory DIRECTORY] [--write-docs]
       npm run bench -- panel [--rounds 5] [--write-docs]
       npm run bench -- contents [--rounds 5] [--no-build] [--write-docs]
       npm run bench -- stores [--rounds 5] [--no-build] [--write-docs]
       npm run bench -- planner [--rounds 5] [--write-docs]
       npm run bench -- builds --before FOLDER [--rounds 21] [--directory DIRECTORY ...] [--write-docs]`;
const docsFile = path.join(projectFolder, 'docs', 'benchmarks.md');
/** Load from which times are too long to be taken for what they are. */
const busyLoad = 0.5;
const log = (/** @type {string} */ text) => process.stderr.write(`${text}\n`);

/** The machine in one line, without its name. */
function machine() {
  const cpus = os.cpus();
  let system = `${os.type()} ${os.release().split('.').slice(0, 2).join('.')}`;
  try {
    const release = readFileSync('/etc/os-release', 'utf8');
    system = `${/^PRETTY_NAME="?([^"\n]+)/m.exec(release)?.[1] ?? 'Linux'}, ${system}`;
  } catch {
    // Not a Linux distribution.
  }
  return `${cpus.length} x ${cpus[0]?.model.trim() ?? 'unknown processor'}, ${(os.totalmem() / 2 ** 30).toFixed(1)} GiB of memory, ${system}`;
}

/**
 * @param {string[]} sections
 * @param {import('./lib/prepare.mjs').Setup} setup
 * @param {string} command
 * @param {number} rounds
 * @param {number} load of the machine before the first run
 */
function renderPage(sections, setup, command, rounds, load) {
  const versions = Object.entries(setup.versions).map(([name, version]) => `${name} ${version}`);
  return `# Benchmarks

How fast Stowage lists what is in large checkpoints and datasets, next to other readers of the same files. Written by \`bench/run.mjs\`;
[bench/README.md](../bench/README.md) describes how it measures.

- Machine: ${machine()}
- Versions: ${versions.join(', ')}
- Date: ${new Date().toISOString().slice(0, 10)}
- Command: \`${command}\`, ${rounds} rounds, candidates alternating, page cache warm${load > busyLoad ? `\n- The machine was busy with other work (load ${load.toFixed(1)} at the start): times are too long, ratios are rough` : ''}

Times are minimum / **median** / maximum. *Work* is the time inside the process from the call to the result, *whole process* the time
from its start to its end as the shell sees it, peak memory the largest resident set. The last two columns tell how many times longer
a candidate took than Stowage's core (work) and Stowage's command line (process), by the medians of this run. *Cited* rows were
measured on another machine and are no part of that comparison.

${sections.join('\n\n')}
${setup.missing.length === 0 ? '' : `\nNot measured here:\n\n${setup.missing.map((entry) => `- ${entry}`).join('\n')}\n`}`;
}

/**
 * Measures bandwidth checks, which needs nothing of what the other cases do.
 * @param {{ rounds?: string, directory?: string[], 'write-docs': boolean }} values
 */
async function benchBandwidth({ rounds: roundsText = '5', directory: [directory] = [], 'write-docs': writeDocs }) {
  const rounds = Number(roundsText);
  if (!Number.isInteger(rounds) || rounds < 1) throw new TypeError(usage);
  const load = os.loadavg()[0] ?? 0;
  if (load > busyLoad) log(`the machine is busy (load ${load.toFixed(1)}): rates will be too low`);
  const { text, fileSystem } = await measureBandwidth({ directory: directory ?? null, rounds, log });
  const options = process.argv.slice(2).join(' ');
  const section = `## Bandwidth checks next to fio

How fast a bandwidth check writes and reads, next to fio in the same run: the same files, blocks of 4 MiB, as many streams, \`--direct=1\`, and
\`--end_fsync=1\` where it writes. A stream of a check is a thread with synchronous reads and writes, as a job of fio is with \`psync\`.

- Machine: ${machine()}
- File system: ${fileSystem}
- Date: ${new Date().toISOString().slice(0, 10)}
- Command: \`npm run bench -- ${options}\`, ${rounds} rounds, candidates alternating and beginning in turn${load > busyLoad ? `\n- The machine was busy with other work (load ${load.toFixed(1)} at the start): rates are too low, ratios are rough` : ''}

Rates are minimum / **median** / maximum. fio writes the same random block again and makes its files before its clock starts; a check makes new data for
every block and counts the creating of its files and the syncing of its directory.

${text}`;
  process.stdout.write(`${section}\n`);
  if (writeDocs) writeFileSync(docsFile, replaceSection(readFileSync(docsFile, 'utf8'), 'bandwidth', section));
}

/**
 * Measures the report panel with 200,000 tensors, in a browser.
 * @param {{ rounds?: string, 'write-docs': boolean }} values
 */
async function benchPanel({ rounds: roundsText = '5', 'write-docs': writeDocs }) {
  const rounds = Number(roundsText);
  if (!Number.isInteger(rounds) || rounds < 1) throw new TypeError(usage);
  const load = os.loadavg()[0] ?? 0;
  const text = await measurePanels({ rounds, log });
  const section = `## The panel with 200,000 tensors

What the inspection worker's answers cost, each by a view that has answered nothing before, and what the page makes of them: 120 frames while the table is scrolled by
30 turns of the wheel, and 120 while a column is dragged. A frame has 16.7 ms at 60 Hz.

- Machine: ${machine()}
- Date: ${new Date().toISOString().slice(0, 10)}
- Command: \`npm run bench -- panel --rounds ${rounds}\`; minimum / **median** / maximum${load > busyLoad ? `\n- The machine was busy with other work (load ${load.toFixed(1)} at the start): times are too long` : ''}

${text}`;
  process.stdout.write(`${section}\n`);
  if (writeDocs) writeFileSync(docsFile, replaceSection(readFileSync(docsFile, 'utf8'), 'panel', section));
}

/**
 * Measures the planner, in a browser.
 * @param {{ rounds?: string, 'write-docs': boolean }} values
 */
async function benchPlanner({ rounds: roundsText = '5', 'write-docs': writeDocs }) {
  const rounds = Number(roundsText);
  if (!Number.isInteger(rounds) || rounds < 1) throw new TypeError(usage);
  const load = os.loadavg()[0] ?? 0;
  const text = await measurePlanner({ rounds, log });
  const section = `## The planner

What the page's thread works for each key that is pressed in an input, once it is warm: the whole plan with its search of bandwidths, its page in words, and drawing it at 1,400 × 900 pixels.
A frame has 16.7 ms at 60 Hz.

- Machine: ${machine()}
- Date: ${new Date().toISOString().slice(0, 10)}
- Command: \`npm run bench -- planner --rounds ${rounds}\`; minimum / **median** / maximum${load > busyLoad ? `\n- The machine was busy with other work (load ${load.toFixed(1)} at the start): times are too long` : ''}

${text}`;
  process.stdout.write(`${section}\n`);
  if (writeDocs) writeFileSync(docsFile, replaceSection(readFileSync(docsFile, 'utf8'), 'planner', section));
}

/**
 * Measures what reads whole files: checksums and values.
 * @param {{ rounds?: string, 'no-build': boolean, 'write-docs': boolean }} values
 */
async function benchContents({ rounds: roundsText = '5', 'no-build': noBuild, 'write-docs': writeDocs }) {
  const rounds = Number(roundsText);
  if (!Number.isInteger(rounds) || rounds < 1) throw new TypeError(usage);
  const load = os.loadavg()[0] ?? 0;
  const text = await measureContents({ rounds, build: !noBuild, log });
  const section = `## Checksums and values

Commands that read every byte of the files, next to programs that do the same. The page cache has the files, so that no disk is measured.

- Machine: ${machine()}
- Date: ${new Date().toISOString().slice(0, 10)}
- Command: \`npm run bench -- contents --rounds ${rounds}\`, candidates alternating; minimum / **median** / maximum${load > busyLoad ? `\n- The machine was busy with other work (load ${load.toFixed(1)} at the start): times are too long, ratios are rough` : ''}

${text}`;
  process.stdout.write(`${section}\n`);
  if (writeDocs) writeFileSync(docsFile, replaceSection(readFileSync(docsFile, 'utf8'), 'contents', section));
}

/**
 * Measures inspections of addresses.
 * @param {{ rounds?: string, 'no-build': boolean, 'write-docs': boolean }} values
 */
async function benchStores({ rounds: roundsText = '5', 'no-build': noBuild, 'write-docs': writeDocs }) {
  const rounds = Number(roundsText);
  if (!Number.isInteger(rounds) || rounds < 1) throw new TypeError(usage);
  const load = os.loadavg()[0] ?? 0;
  const text = await measureStores({ rounds, build: !noBuild, log });
  const section = `## Object stores

\`stowage inspect s3://…\` as a whole process, from a store on this machine that answers each request after a while, sixteen of them at once. Two requests list; the others are of files.

- Machine: ${machine()}
- Date: ${new Date().toISOString().slice(0, 10)}
- Command: \`npm run bench -- stores --rounds ${rounds}\`; minimum / **median** / maximum${load > busyLoad ? `\n- The machine was busy with other work (load ${load.toFixed(1)} at the start): times are too long` : ''}

${text}`;
  process.stdout.write(`${section}\n`);
  if (writeDocs) writeFileSync(docsFile, replaceSection(readFileSync(docsFile, 'utf8'), 'stores', section));
}

/**
 * Compares the production build with an older one.
 * @param {{ rounds?: string, before?: string, directory?: string[], 'write-docs': boolean }} values
 */
function benchBuilds({ rounds: roundsText = '21', before, directory: directories = [], 'write-docs': writeDocs }) {
  const rounds = Number(roundsText);
  if (before === undefined || !Number.isInteger(rounds) || rounds < 1) throw new TypeError(usage);
  const load = os.loadavg()[0] ?? 0;
  const text = compareBuilds({ before: path.resolve(before), after: path.join(projectFolder, 'dist'), rounds, directories, log });
  const section = `## Two builds next to each other

How long the command line takes for what is small, which is mostly its start, and for directories of many files, and how large the bundles are: an older production
build and this one.

- Machine: ${machine()}
- Date: ${new Date().toISOString().slice(0, 10)}
- Command: \`npm run bench -- builds --before FOLDER --rounds ${rounds}${directories.length === 0 ? '' : ' --directory DIRECTORY ...'}\`, the builds in turn, medians; the ratio is the median of the rounds' ratios${load > busyLoad ? `\n- The machine was busy with other work (load ${load.toFixed(1)} at the start): times are too long, ratios are rough` : ''}

${text}`;
  process.stdout.write(`${section}\n`);
  if (writeDocs) writeFileSync(docsFile, replaceSection(readFileSync(docsFile, 'utf8'), 'builds', section));
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      case: { type: 'string', default: caseIds.join(',') },
      rounds: { type: 'string' },
      directory: { type: 'string', multiple: true },
      before: { type: 'string' },
      'no-build': { type: 'boolean', default: false },
      'write-docs': { type: 'boolean', default: false },
    },
  });
  const [what] = positionals;
  if (what === 'bandwidth' && positionals.length === 1) return benchBandwidth(values);
  if (what === 'panel' && positionals.length === 1) return benchPanel(values);
  if (what === 'contents' && positionals.length === 1) return benchContents(values);
  if (what === 'stores' && positionals.length === 1) return benchStores(values);
  if (what === 'planner' && positionals.length === 1) return benchPlanner(values);
  if (what === 'builds' && positionals.length === 1) return benchBuilds(values);
  if (what !== undefined) throw new TypeError(usage);
  const wanted = new Set(values.case.split(','));
  const rounds = Number(values.rounds ?? '7');
  const unknown = [...wanted].filter((id) => !caseIds.includes(id));
  if (unknown.length > 0 || !Number.isInteger(rounds) || rounds < 1) throw new TypeError(usage);
  if (values['write-docs'] && wanted.size < caseIds.length) throw new TypeError('--write-docs needs all cases');

  const setup = await prepare({ build: !values['no-build'], log });
  const data = await writeData(setup, wanted, log);
  const scratch = path.join(cacheFolder, 'scratch');
  mkdirSync(scratch, { recursive: true });
  const load = os.loadavg()[0] ?? 0;
  if (load > busyLoad) log(`the machine is busy (load ${load.toFixed(1)}): times will be too long`);
  const sections = [];
  for (const benchmark of [...benchmarkCases(setup, data), ...datasetCases(setup, data)]) {
    if (!wanted.has(benchmark.id)) continue;
    log(benchmark.title);
    sections.push(renderCase(benchmark, toRows(await runAlternating(benchmark.candidates, rounds, scratch, log))));
  }
  const options = process.argv.slice(2);
  const command = `${setup.torchPython ? 'STOWAGE_BENCH_PYTHON=python3 ' : ''}npm run bench${options.length > 0 ? ` -- ${options.join(' ')}` : ''}`;
  const page = renderPage(sections, setup, command, rounds, load).replaceAll(projectFolder, '.');
  process.stdout.write(page);
  if (!values['write-docs']) return;
  // What is measured apart stays as it is.
  const old = readFileSync(docsFile, 'utf8');
  const kept = ['bandwidth', 'contents', 'panel', 'planner', 'builds'].flatMap((name) => findSection(old, name) ?? []);
  writeFileSync(docsFile, `${[page.trimEnd(), ...kept].join('\n\n')}\n`);
}

main().catch((error) => {
  log(error instanceof TypeError ? error.message : String(error?.stack ?? error));
  process.exitCode = error instanceof TypeError ? 2 : 1;
});
