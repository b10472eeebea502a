/**
 * `npm run check [-- FILE…]`: types, lint, and the tests nearest to what changed since the last commit (or to the files named), in
 * seconds. The whole of it is `npm test`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../scripts/host/project.mjs';
import { runCommand } from '../../scripts/host/runCommand.mjs';
import { findFiles } from './findFiles.mjs';
import { importDistances } from './importGraph.mjs';
import { readTimes } from './times.mjs';

/** Recorded seconds that the tests of a check may take together, and those of a file that has no record. */
const testSeconds = 8;
const unknownSeconds = 0.3;

const isSource = (/** @type {string} */ file) => /\.(ts|mjs)$/.test(file);
/** Tests that need neither a build nor a window. */
const isQuickTest = (/** @type {string} */ file) => /^test\/(core|hostile|webview)\/.*\.test\.ts$/.test(file);

function changedFiles() {
  const list = (/** @type {string[]} */ ...args) =>
    execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).split('\0').filter(Boolean);
  const working = [
    ...list('diff', '--name-only', '--relative', '-z', 'HEAD'),
    ...list('ls-files', '--others', '--exclude-standard', '-z'),
  ];
  return working.length > 0 ? working : list('diff', '--name-only', '--relative', '-z', 'HEAD~1', 'HEAD');
}

/** @param {string[]} changed */
function nearestTests(changed) {
  const files = ['src', 'webview', 'test', 'scripts']
    .flatMap((folder) => findFiles(path.join(projectRoot, folder), '').map((file) => `${folder}/${file}`))
    .filter((file) => isSource(file) && !file.startsWith('test/fixtures/'));
  const seconds = readTimes();
  const related = [...importDistances(files, changed)]
    .filter(([file]) => isQuickTest(file) && existsSync(path.join(projectRoot, file)))
    .sort(([, near], [, far]) => near - far)
    .map(([file]) => file);
  let sum = 0;
  const chosen = related.filter((file, index) => {
    sum += seconds.get(file) ?? unknownSeconds;
    return index === 0 || sum <= testSeconds;
  });
  return { related, chosen };
}

/**
 * @param {string} name
 * @param {string} command
 * @param {string[]} args
 */
async function run(name, command, args) {
  const startedMs = performance.now();
  const { code, output } = await runCommand(command, args, { cwd: projectRoot, env: { ...process.env, NO_COLOR: '1' } });
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok' : 'FAILED'}`.padEnd(8), name, `(${seconds} s)`);
  if (code !== 0) console.log(output.trimEnd());
  return code === 0;
}

const named = process.argv.slice(2).map((file) => path.relative(projectRoot, path.resolve(file)).replaceAll('\\', '/'));
const changed = named.length > 0 ? named : changedFiles();
const { related, chosen } = nearestTests(changed.filter(isSource));
console.log(`${changed.length} changed files; ${chosen.length} of ${related.length} related test files, the nearest first`);
const checks = [run('types', 'npm', ['run', '--silent', 'check-types']), run('lint', 'npm', ['run', '--silent', 'lint'])];
if (chosen.length > 0)
  checks.push(
    run(`tests: ${chosen.join(' ')}`, process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=1', ...chosen]),
  );
const results = await Promise.all(checks);
const left = related.length - chosen.length;
if (left > 0) console.log(`${left} related test files were left out: npm test -- core hostile`);
process.exit(results.every(Boolean) ? 0 : 1);
