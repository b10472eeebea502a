/**
 * `npm run fuzz -- [--minutes N] [--seed S] [--target NAME,...] [--jobs N] [--repeat FILE] [--list]`: seeded mutations of valid inputs,
 * guided by coverage, against everything that reads what it did not write. docs/testing.md describes targets and findings.
 */
import { execFileSync, fork } from 'node:child_process';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { bundleFuzzer } from './bundle.mjs';
import { projectRoot } from '../scripts/host/project.mjs';

/**
 * @typedef {import('./job.js').JobMessage} JobMessage
 * @typedef {{ executions: number, findings: string[], slowestMs: number }} Total
 */

const everyMs = 30_000;
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string' },
    target: { type: 'string', default: '' },
    jobs: { type: 'string', default: '1' },
    turn: { type: 'string', default: '5' },
    repeat: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
});
const { job, places } = await bundleFuzzer();
if (values.repeat !== undefined) process.exitCode = runOnce(['repeat', values.repeat]);
else if (values.list) process.exitCode = runOnce(['list']);
else process.exitCode = await fuzz();

/** @param {string[]} options */
function runOnce(options) {
  try {
    execFileSync(process.execPath, [job, ...options], { cwd: projectRoot, stdio: 'inherit' });
    return 0;
  } catch {
    return 1;
  }
}

async function fuzz() {
  const parts = values.target.split(',').filter((name) => name !== '');
  const names = execFileSync(process.execPath, [job, 'list'], { cwd: projectRoot, encoding: 'utf8' }).trim().split('\n');
  const targets = names.filter((name) => parts.length === 0 || parts.some((part) => name.includes(part)));
  const [minutes, jobs] = [Number(values.minutes), Number(values.jobs)];
  const seed = Number(values.seed ?? Math.floor(Date.now() / 86_400_000));
  if (targets.length === 0 || !(minutes > 0) || !Number.isInteger(jobs) || jobs < 1 || !Number.isSafeInteger(seed)) {
    console.error(`No such run. Targets: ${names.join(', ')}`);
    return 2;
  }
  console.log(
    `Seed ${seed}, ${targets.length} targets, ${jobs} of ${os.cpus().length} processors, ${places} places are counted.`,
  );
  /** @type {Map<string, Total>} */
  const totals = new Map();
  const startMs = Date.now();
  const endMs = startMs + minutes * 60_000;
  const turnMs = Math.min(Number(values.turn) * 1000, (minutes * 60_000) / targets.length);
  const timer = setInterval(() => console.log(inWords(totals, startMs)), everyMs);
  await Promise.all(
    Array.from({ length: jobs }, (_, number) => keepRunning(targets, seed + number * 1_000_003, endMs, turnMs, totals)),
  );
  clearInterval(timer);
  for (const [name, { executions, findings, slowestMs }] of [...totals].sort())
    console.log(
      `${name.padEnd(32)} ${count(executions).padStart(12)}  slowest ${Math.round(slowestMs)} ms  ${findings.length} findings`,
    );
  console.log(`Seed ${seed}: ${inWords(totals, startMs)}`);
  return [...totals.values()].every(({ findings }) => findings.length === 0) ? 0 : 1;
}

/**
 * A job, and another one where it ends before its time: a process that is gone takes no other with it.
 * @param {string[]} targets
 * @param {number} seed
 * @param {number} endMs
 * @param {number} turnMs
 * @param {Map<string, Total>} totals
 */
async function keepRunning(targets, seed, endMs, turnMs, totals) {
  let order = targets;
  for (let start = 0; Date.now() < endMs; start++) {
    let last = '';
    const child = fork(job, ['run', JSON.stringify({ targets: order, seed: seed + start, endMs, turnMs })], { cwd: projectRoot });
    child.on('message', (message) => {
      const { target, result } = /** @type {JobMessage} */ (message);
      last = target;
      add(totals, target, result);
      for (const file of result.findings) console.log(`FINDING ${file}`);
    });
    const code = await new Promise((resolve) => child.once('exit', resolve));
    if (code === 0) return;
    const at = (order.indexOf(last) + 1) % order.length;
    const crashed = order[at] ?? '';
    console.log(`CRASH the process ended with code ${code} in ${crashed}, seed ${seed + start}`);
    add(totals, crashed, { executions: 0, findings: [`the process ended with code ${code}`], slowestMs: 0 });
    order = [...order.slice(at + 1), ...order.slice(0, at + 1)];
  }
}

/**
 * @param {Map<string, Total>} totals
 * @param {string} target
 * @param {Total} result
 */
function add(totals, target, result) {
  const total = totals.get(target) ?? { executions: 0, findings: [], slowestMs: 0 };
  totals.set(target, {
    executions: total.executions + result.executions,
    findings: [...total.findings, ...result.findings],
    slowestMs: Math.max(total.slowestMs, result.slowestMs),
  });
}

/**
 * @param {Map<string, Total>} totals
 * @param {number} startMs
 */
function inWords(totals, startMs) {
  const all = [...totals.values()];
  const executions = all.reduce((sum, total) => sum + total.executions, 0);
  const findings = all.reduce((sum, total) => sum + total.findings.length, 0);
  const seconds = (Date.now() - startMs) / 1000;
  return `${count(executions)} executions in ${Math.round(seconds)} s, ${count(Math.round(executions / seconds))}/s, ${findings} findings`;
}

/** @param {number} value */
function count(value) {
  return value.toLocaleString('en-US');
}
