/**
 * `npm test [-- --list | [--write-docs] suite…]`: sets everything up, runs the suites, ends with one line `N passed, N failed`. Uses
 * nothing but Node itself until the packages are installed.
 */
import os from 'node:os';
import { ensureDependencies } from '../../scripts/host/project.mjs';
import { leftOut, printSuite, summarize } from './results.mjs';
import { runToEnd } from './scratch.mjs';

const options = process.argv.slice(2).filter((word) => word.startsWith('--'));
const chosen = process.argv.slice(2).filter((word) => !word.startsWith('--'));

async function main() {
  await ensureDependencies();
  const { suites } = await import('./suites.mjs');
  if (options.includes('--list')) {
    for (const { name, summary } of suites) console.log(`${name.padEnd(16)} ${summary}`);
    return 0;
  }
  const unknown = chosen.filter((word) => !suites.some(({ name, group }) => word === name || word === group));
  if (unknown.length > 0 || options.some((option) => option !== '--write-docs')) {
    const names = new Set(suites.flatMap(({ name, group }) => [name, group]));
    const wrong = [...unknown, ...options.filter((option) => option !== '--write-docs')];
    console.error(
      `there is no ${wrong.join(', ')}; usage: npm test [-- --list | [--write-docs] suite…], with ${[...names].join(', ')}`,
    );
    return 2;
  }
  const { printTimes, recordTimes, writeTimes } = await import('./times.mjs');
  const { runSuites } = await import('./schedule.mjs');
  const wanted = suites.filter(({ name, group, isByName = false }) =>
    chosen.length === 0 ? !isByName : chosen.includes(name) || chosen.includes(group),
  );
  // A suite keeps about one processor busy, a browser's a little more.
  const slots = Math.min(2, os.availableParallelism());
  // A suite that runs alone takes both.
  process.env['VITEST_MAX_WORKERS'] ??= String(wanted.length === 1 ? slots : 1);
  const ran = await runSuites(wanted, { slots, onResult: printSuite });
  recordTimes(ran);
  printTimes(ran);
  if (options.includes('--write-docs')) writeTimes(ran, suites);
  const results = ran.map(({ result }) => result);
  for (const line of leftOut(results)) console.log(`\nLeft out on this machine: ${line}`);
  if (chosen.length === 0)
    for (const { name } of suites.filter(({ isByName }) => isByName)) console.log(`\nNot part of this run: npm test -- ${name}`);
  const { line, isSuccess } = summarize(results);
  console.log(`\n${line}`);
  return isSuccess ? 0 : 1;
}

await runToEnd(main);
