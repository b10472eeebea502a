/** The built command line on Windows' own Node under wine: equal to that on this machine, and never led to a server by a file. */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cacheRoot, projectRoot } from '../../scripts/host/project.mjs';
import { runCommand } from '../../scripts/host/runCommand.mjs';
import { ensureBuild } from './build.mjs';
import { ensureWindowsNode } from './ensureWindowsNode.mjs';
import { resultOfSpecs } from './results.mjs';

/**
 * @typedef {{ code: number, output: string, errors: string, reached: string[] }} Ran
 * @typedef {{ name: string, args: string[], copies?: string[], reachesNoServer?: boolean }} Job
 */

const fixtures = 100;
const configs = 10;
const driver = 'test/windows/driver.cjs';
const cli = 'dist/cli.js';

/** @returns {Promise<import('./results.mjs').SuiteResult>} */
export async function runWindowsSuite() {
  await ensureBuild();
  const windows = await ensureWindowsNode();
  if ('missing' in windows)
    return {
      name: 'windows',
      passed: 1,
      failures: [],
      notes: [`NOT TESTED HERE: the command line on Windows: ${windows.missing}`],
    };
  const work = mkdtempSync(path.join(cacheRoot, 'windows-'));
  const startedMs = performance.now();
  try {
    // Relative, as drives of wine have other names.
    const file = (/** @type {string} */ name) => path.relative(projectRoot, path.join(work, name));
    const jobs = [...inspections(file('fixtures')), ...estimates(), oddNames(file('odd')), ...leadingJobs(file('configs'))];
    writeFileSync(file('jobs.json'), JSON.stringify(jobs));
    await Promise.all([
      windows.run([driver, file('jobs.json'), file('windows.json'), cli], file('windows.log')),
      runCommand(process.execPath, [driver, file('jobs.json'), file('here.json'), cli], { cwd: projectRoot }),
    ]);
    const there = /** @type {Ran[]} */ (JSON.parse(readFileSync(file('windows.json'), 'utf8')));
    const here = /** @type {Ran[]} */ (JSON.parse(readFileSync(file('here.json'), 'utf8')));
    const specs = jobs.flatMap((job, index) => specsOf(job, here[index], there[index]));
    const seconds = (performance.now() - startedMs) / 1000 / specs.length;
    return {
      ...resultOfSpecs(
        'windows',
        specs.map((spec) => ({ ...spec, seconds })),
      ),
      notes: [`${fixtures} fixtures in three forms on Node 20 of Windows, under wine`],
    };
  } finally {
    await windows.end();
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * All fixtures in one command line a form. They are copied, as git writes zeros as holes, which Windows is not asked for.
 * @param {string} work @returns {Job[]}
 */
function inspections(work) {
  const root = 'test/fixtures/frameworks';
  const folders = foldersIn(root).flatMap((folder) => foldersIn(folder).map((each) => `${each}/data`));
  const chosen = Array.from({ length: fixtures }, (_, index) => folders[Math.floor((index * folders.length) / fixtures)] ?? root);
  const copies = chosen.map((folder) => copyWithoutHoles(folder, path.join(work, folder)));
  return [['--json', '--tensors'], ['--markdown'], ['--no-color']].map((form) => ({
    name: `inspect ${form.join(' ')} of ${fixtures} fixtures`,
    args: ['inspect', ...copies, ...form],
    copies,
  }));
}

/** @param {string} folder @param {string} copy @returns {string} the copy */
function copyWithoutHoles(folder, copy) {
  for (const entry of readdirSync(path.join(projectRoot, folder), { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const target = path.join(projectRoot, copy, path.relative(path.join(projectRoot, folder), file));
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, readFileSync(file));
  }
  return copy;
}

/** @param {string} folder @returns {string[]} */
function foldersIn(folder) {
  return readdirSync(path.join(projectRoot, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`)
    .sort();
}

/** @returns {Job[]} */
function estimates() {
  const root = 'test/fixtures/configs';
  const files = foldersIn(root).flatMap((folder) => {
    const [first] = readdirSync(path.join(projectRoot, folder))
      .filter((name) => /\.(json|ya?ml|toml)$/.test(name))
      .sort();
    return first === undefined ? [] : [`${folder}/${first}`];
  });
  return files.slice(0, configs).flatMap((file) => [
    { name: `estimate ${file}`, args: ['estimate', file, '--json'] },
    { name: `plan ${file}`, args: ['plan', file, '--markdown'] },
  ]);
}

/** A path of more than 400 characters, reserved names, and names that differ in case or normal form. @param {string} folder @returns {Job} */
function oddNames(folder) {
  const deep = path.join(folder, ...Array.from({ length: 9 }, (_, index) => `${index}`.repeat(48)));
  mkdirSync(path.join(projectRoot, deep), { recursive: true });
  for (const name of ['con', 'aux.json', 'A.json', 'a.json', 'mode\u0300le.json', 'mod\u00e8le.json', 'b c#%.json'])
    writeFileSync(path.join(projectRoot, deep, name), '{"a": 1}');
  return { name: 'inspect of a long path and odd names', args: ['inspect', folder, '--json'] };
}

/** @param {string} file */
function sample(file) {
  return readFileSync(path.join(projectRoot, 'test/fixtures/configs', file), 'utf8');
}

/**
 * @param {string} yaml
 * @param {string[]} keys
 * @param {string} server
 */
function withServer(yaml, keys, server) {
  return keys.reduce((text, key) => text.replace(new RegExp(`^${key}:.*$`, 'm'), () => `${key}: '${server}/${key}'`), yaml);
}

/** Files that name a server wherever a path may stand. @param {string} folder @returns {Job[]} */
function leadingJobs(folder) {
  const named = ['//stowage.invalid/share/m', '\\\\stowage.invalid\\share\\m', '\\\\?\\UNC\\stowage.invalid\\share\\m'];
  return named.flatMap((server, index) => {
    const at = path.join(folder, String(index));
    const write = (/** @type {string} */ name, /** @type {unknown} */ content) => {
      mkdirSync(path.join(projectRoot, at, path.dirname(name)), { recursive: true });
      writeFileSync(path.join(projectRoot, at, name), typeof content === 'string' ? content : JSON.stringify(content));
      return path.join(at, name);
    };
    const training = write(
      'sft.yaml',
      withServer(sample('llama-factory/llama3_full_sft.yaml'), ['output_dir', 'deepspeed'], server),
    );
    const adapter = { ...JSON.parse(sample('peft-adapter/adapter_config.json')), base_model_name_or_path: server };
    const adapted = write('run/adapter_config.json', adapter);
    write('run/config.json', { model_type: 'llama', _name_or_path: server });
    write('run/model.safetensors.index.json', { weight_map: { a: `${server}.safetensors` } });
    write('run/latest', server);
    write('data/index.json', { version: 2, shards: [{ raw_data: { basename: server, bytes: 1 }, format: 'mds' }] });
    return [
      ['estimate', training, '--json'],
      ['plan', training, '--json'],
      ['estimate', adapted, '--json'],
      ['inspect', path.join(at, 'run'), '--json'],
      ['inspect', path.join(at, 'data'), '--json'],
    ].map((args) => ({ name: `${args[0]} of files that name ${server}`, args, reachesNoServer: true }));
  });
}

/**
 * A list of reports is a spec a report.
 * @param {Job} job
 * @param {Ran | undefined} here
 * @param {Ran | undefined} there
 * @returns {{ name: string, error?: string }[]}
 */
function specsOf({ name, copies = [], reachesNoServer = false }, here, there) {
  const spec = (/** @type {string} */ what, /** @type {string | null} */ error) =>
    error === null ? { name: what } : { name: what, error };
  if (here === undefined || there === undefined) return [spec(name, 'it gave no result')];
  if (reachesNoServer) return [spec(name, serverIn(there))];
  const [expected, found] = [here, there].map(({ output }) => reportsIn(output));
  if (expected === null || found === null || here.code !== there.code) return [spec(name, differenceOf(here, there))];
  return copies.map((file, index) => {
    const [own, other] = [expected, found].map((reports) => JSON.stringify(reports?.[index], null, 1) ?? 'no report');
    return spec(
      `inspect ${file.slice(file.indexOf('frameworks'))}`,
      differenceOf({ ...here, output: own ?? '' }, { ...there, output: other ?? '' }),
    );
  });
}

/** Of several paths, the reports are a list. @param {string} output @returns {unknown[] | null} */
function reportsIn(output) {
  if (!output.startsWith('[')) return null;
  const reports = JSON.parse(output);
  return Array.isArray(reports) ? reports : null;
}

/** @param {Ran} there */
function serverIn({ code, errors, reached }) {
  if (code !== 0 || reached.length === 0) return `it was not read: code ${code}\n${errors}`;
  const server = reached.find((file) => /^[\\/]{2}[^\\/]*[\\/]?.*stowage\.invalid/.test(file));
  return server === undefined ? null : `${server} was handed to Windows`;
}

/** @param {Ran} here @param {Ran} there */
function differenceOf(here, there) {
  if (here.output === '' || here.output === 'no report') return `no answer here: ${here.errors}`;
  if (here.code !== there.code) return `code ${there.code} in place of ${here.code}\n${there.errors}`;
  const [expected, found] = [here, there].map(({ output }) => withoutMachine(output).split('\n'));
  const line = expected?.findIndex((text, index) => text !== found?.[index]) ?? -1;
  if (line === -1 && expected?.length === found?.length) return null;
  return `line ${line + 1}:\n- ${expected?.[line]}\n+ ${found?.[line]}`;
}

/** What differs between two runs on one machine, and what Windows does not have: owners and blocks of files. @param {string} text */
function withoutMachine(text) {
  return text
    .replaceAll(/\r/g, '')
    .replaceAll(/^.*"(?:elapsedMs|allocatedBytes|owner|freeBytes|modifiedMs)":.*\n/gm, '')
    .replaceAll(/[\d.,]+ m?s\b/g, 'TIME')
    .replaceAll(/ +/g, ' ');
}
