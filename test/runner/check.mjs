/**
 * `npm run check [-- FILE…]`: types, lint, format and the tests nearest to the files named, to what changed since the last commit, or
 * to that commit where nothing has, in seconds. The whole of it is `npm test`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../scripts/host/project.mjs';
import { runCommand } from '../../scripts/host/runCommand.mjs';
import { findFiles } from './findFiles.mjs';
import { importDistances } from '../../scripts/house/importGraph.mjs';
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
  return working.length > 0 ? working : list('show', '--name-only', '--relative', '--format=', '-z', 'HEAD');
}

/** @param {string[]} changed */
function nearestTests(changed) {
  const files = ['src', 'webview', 'test', 'scripts']
    .flatMap((folder) => findFiles(path.join(projectRoot, folder), '').map((file) => `${folder}/${file}`))
    .filter((file) => isSource(file) && !file.startsWith('test/fixtures/'));
  const seconds = readTimes();
  const names = new Set(changed.map((file) => path.parse(file).name));
  // A reader's own test may reach it through the whole inspection, as many others do.
  const isNamesake = (/** @type {string} */ test) => names.has(path.basename(test, '.test.ts'));
  const related = [...importDistances(files, changed)]
    .filter(([file]) => isQuickTest(file) && existsSync(path.join(projectRoot, file)))
    .sort(([a, near], [b, far]) => Number(isNamesake(b)) - Number(isNamesake(a)) || near - far)
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

/** The files that are named, or those that changed; ends this process where there are none. */
function filesToCheck() {
  const words = process.argv.slice(2);
  const wrong = words.find((word) => word.startsWith('-') || !existsSync(word));
  if (wrong !== undefined) return refuse(`there is no file ${wrong}; usage: npm run check [-- FILE…]`);
  if (words.length > 0) return words.map((file) => path.relative(projectRoot, path.resolve(file)).replaceAll('\\', '/'));
  try {
    return changedFiles();
  } catch {
    return refuse('git cannot say what changed here: name the files, npm run check -- FILE…');
  }
}

/**
 * @param {string} why
 * @returns {never}
 */
function refuse(why) {
  console.error(why);
  process.exit(2);
}

const changed = filesToCheck();
const { related, chosen } = nearestTests(changed.filter(isSource));
console.log(`Files: ${changed.join(' ')}`);
const checks = [run('types', 'npm', ['run', '--silent', 'check-types']), run('lint', 'npm', ['run', '--silent', 'lint'])];
const present = changed.filter((file) => existsSync(path.join(projectRoot, file)));
if (present.length > 0)
  checks.push(
    run('format', process.execPath, ['node_modules/prettier/bin/prettier.cjs', '--check', '--ignore-unknown', ...present]),
  );
if (chosen.length > 0)
  checks.push(
    run(`tests: ${chosen.join(' ')}`, process.execPath, [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--maxWorkers=1',
      '--allowOnly=false',
      ...chosen,
    ]),
  );
const results = await Promise.all(checks);
console.log(
  `Ran ${chosen.length} of the ${related.length} test files of core and hostile that could notice; builds and windows: npm test`,
);
process.exit(results.every(Boolean) ? 0 : 1);
