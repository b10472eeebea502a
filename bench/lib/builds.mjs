/** Two builds of Stowage against each other: how long their command lines take for what is small, and how large their bundles are. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from './prepare.mjs';

const samples = path.join(projectFolder, 'samples');

/** Commands whose time is mostly that of starting. */
const commands = [
  ['--version'],
  ['inspect', path.join(samples, 'llama-tiny-lora', 'adapter_model.safetensors'), '--json'],
  ['inspect', path.join(samples, 'llama-tiny-trainer', 'checkpoint-30'), '--json'],
  ['estimate', path.join(samples, 'training-configs', 'llama3_8b.toml'), '--json'],
  ['plan', '--preset', '405b', '--json'],
];

/**
 * @param {string} build folder with a cli.js
 * @param {readonly string[]} args
 * @returns {number} milliseconds of the whole process
 */
function timeOf(build, args) {
  const startMs = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [path.join(build, 'cli.js'), ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${build}: ${args.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - startMs;
}

/** @param {readonly number[]} values */
function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/**
 * Runs the builds in turn, each round beginning with the other one; ratios are of the two runs of a round.
 * @param {{ before: string, after: string, rounds: number, directories: readonly string[], log: (text: string) => void }} options `directories` are inspected too
 * @returns {string} tables in Markdown
 */
export function compareBuilds({ before, after, rounds, directories, log }) {
  const rows = [...commands, ...directories.map((directory) => ['inspect', directory])].map((args) => {
    log(args.join(' '));
    const times = Array.from({ length: rounds }, (_, round) => {
      const first = timeOf(round % 2 === 0 ? before : after, args);
      const second = timeOf(round % 2 === 0 ? after : before, args);
      return round % 2 === 0 ? { beforeMs: first, afterMs: second } : { beforeMs: second, afterMs: first };
    });
    const ratio = median(times.map(({ beforeMs, afterMs }) => afterMs / beforeMs));
    const name = args
      .map((part) => (part.startsWith(samples) ? path.relative(samples, part) : part))
      .map((part) => (directories.includes(part) ? path.basename(part) : part));
    return `| \`stowage ${name.join(' ')}\` | ${median(times.map(({ beforeMs }) => beforeMs)).toFixed(0)} | ${median(times.map(({ afterMs }) => afterMs)).toFixed(0)} | ${ratio.toFixed(3)} |`;
  });
  return [
    '| command | before, ms | after, ms | after / before |',
    '|---|---|---|---|',
    ...rows,
    '',
    '| bundle | before, bytes | after, bytes | after / before |',
    '|---|---|---|---|',
    ...bundleRows(before, after),
  ].join('\n');
}

/**
 * @param {string} before
 * @param {string} after
 */
function bundleRows(before, after) {
  const bundles = readdirSync(after, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .sort();
  return bundles.map((file) => {
    const { size } = statSync(path.join(after, file));
    const old = path.join(before, file);
    const oldSize = existsSync(old) ? statSync(old).size : null;
    const cells =
      oldSize === null
        ? ['', size.toLocaleString('en'), '']
        : [oldSize.toLocaleString('en'), size.toLocaleString('en'), (size / oldSize).toFixed(3)];
    return `| ${file} | ${cells.join(' | ')} |`;
  });
}
