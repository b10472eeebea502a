/**
 * `npm run test:repeat [-- --times 50] [--load 4] [FILE…]`: runs test files again and again beside busy processes, and prints a
 * table with the failures of each. Without files it takes those that start processes, threads or servers, or have to do with time.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createVitest } from 'vitest/node';
import { projectRoot } from '../../scripts/host/project.mjs';
import { onInterrupt } from '../../scripts/host/processGroups.mjs';
import { findFiles } from './findFiles.mjs';
import { closeScratch, openScratch } from './scratch.mjs';
import { readTimes } from './times.mjs';

/** What makes a test depend on more than its input: processes, threads, servers, watchers, timers, clocks and limits of its own. */
const suspicious =
  /child_process|worker_threads|node:(http|net)'|\bset(Timeout|Interval)\(|\bDate\.now|performance\.now|hrtime|useFakeTimers|\bwatch\(|until\(|AbortSignal\.timeout|checkSetup|runWorker|timeout:|\}, [\d_]{4,}\)/;

const { values, positionals } = parseArgs({
  options: { times: { type: 'string', default: '50' }, load: { type: 'string', default: '4' } },
  allowPositionals: true,
});
const times = Number(values.times);
if (!Number.isInteger(times) || times < 1) throw new Error(`--times ${values.times} is no number of times`);
const usualSeconds = readTimes();
/** Files that usually take longer than this are repeated a fifth as often. */
const longSeconds = 5;

const scratch = openScratch();
const load = Array.from({ length: Number(values.load) }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
const end = () => {
  for (const child of load) child.kill('SIGKILL');
  closeScratch(scratch);
};
onInterrupt(end);

function suspiciousFiles() {
  return ['core', 'hostile', 'system', 'webview']
    .flatMap((folder) => findFiles(path.join(projectRoot, 'test', folder), '.test.ts').map((file) => `test/${folder}/${file}`))
    .filter((file) => suspicious.test(readFileSync(path.join(projectRoot, file), 'utf8')));
}

/**
 * @param {import('vitest/node').Vitest} vitest
 * @param {string} file
 */
async function repeat(vitest, file) {
  const specifications = await vitest.globTestSpecifications([file]);
  if (specifications.length === 0) throw new Error(`there is no test file ${file}`);
  let failures = 0;
  let runs = 0;
  /** @type {number[]} */
  const seconds = [];
  const wanted = (usualSeconds.get(file) ?? 0) > longSeconds ? Math.ceil(times / 5) : times;
  for (; runs < wanted; runs++) {
    const startedMs = performance.now();
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    seconds.push((performance.now() - startedMs) / 1000);
    const failed = testModules.filter((testModule) => !testModule.ok());
    if (failed.length === 0 && unhandledErrors.length === 0) continue;
    failures += 1;
    for (const testModule of failed)
      for (const test of testModule.children.allTests('failed'))
        console.log(
          `\n  ✗ ${file} > ${test.fullName}\n${test
            .result()
            .errors?.map(({ stack, message }) => stack ?? message)
            .join('\n')}\n`,
        );
    for (const error of unhandledErrors) console.log(error);
  }
  seconds.sort((a, b) => a - b);
  return `| ${file} | ${runs} | ${failures} | ${(seconds[Math.floor(seconds.length / 2)] ?? 0).toFixed(1)} |`;
}

const files = positionals.length > 0 ? positionals : suspiciousFiles();
console.log(`| file | runs | failed | median seconds |\n| --- | --- | --- | --- |`);
const vitest = await createVitest('test', { watch: false, reporters: [{}], maxWorkers: 1 });
let isClean = true;
try {
  for (const file of files) {
    const row = await repeat(vitest, file);
    isClean &&= row.includes(' | 0 | ');
    console.log(row);
  }
} finally {
  await vitest.close();
  end();
}
process.exit(isClean ? 0 : 1);
