import { build } from 'esbuild';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeGguf } from '../generators/gguf.mjs';
import { writeRepository } from '../generators/repository.mjs';
import { writeRuns } from '../generators/runs.mjs';
import { inWrapper, nameInMegatron, writeShards } from '../generators/shards.mjs';
import { writeDatasets } from './datasetData.mjs';
import { capture } from './processes.mjs';
import { writeOnce } from './writeOnce.mjs';

export const projectFolder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const benchFolder = path.join(projectFolder, 'bench');
export const cacheFolder = path.join(projectFolder, '.cache', 'bench');

const huggingFace = { '@huggingface/hub': '2.17.5', '@huggingface/gguf': '0.4.6' };

/**
 * @typedef {object} Setup what there is to measure with; null where something could not be had, with the reason in `missing`
 * @property {string} cli
 * @property {string} core
 * @property {string} compare two inspections and their comparison
 * @property {string | null} npm folder that holds the JavaScript peers
 * @property {string | null} python an interpreter with what `requirements.txt` names
 * @property {string | null} netron folder of Netron's sources
 * @property {string | null} torchPython an interpreter with torch
 * @property {string} hyparquet
 * @property {(packages: string[]) => string | null} interpreterWith the first interpreter that has all of them
 * @property {Record<string, string>} versions
 * @property {string[]} missing
 */

/**
 * Builds Stowage and puts the peers into the cache. The second time, nothing is fetched.
 * @param {{ build: boolean, log: (text: string) => void }} options
 * @returns {Promise<Setup>}
 */
export async function prepare({ build: rebuild, log }) {
  mkdirSync(cacheFolder, { recursive: true });
  const cli = path.join(projectFolder, 'dist', 'cli.js');
  if (rebuild || !existsSync(cli)) {
    log('building');
    await capture(process.execPath, ['esbuild.mjs', '--production'], { cwd: projectFolder });
  }
  // A copy, so that a build in the meantime does not change what is measured.
  const cliCopy = path.join(cacheFolder, 'bundles', 'cli.js');
  mkdirSync(path.dirname(cliCopy), { recursive: true });
  copyFileSync(cli, cliCopy);
  const core = await bundle('bench/candidates/coreInProcess.ts');
  const compare = await bundle('bench/candidates/compareInProcess.ts');
  const manifest = JSON.parse(readFileSync(path.join(projectFolder, 'package.json'), 'utf8'));
  /** @type {Record<string, string>} */
  const versions = { Stowage: manifest.version, Node: process.versions.node };
  /** @type {string[]} */
  const missing = [];
  const npm = await peer('huggingface.js', missing, () => installNpmPeer(log));
  if (npm) Object.assign(versions, huggingFace);
  const python = await peer('safetensors for Python', missing, () => installPythonPeers(log));
  if (python) Object.assign(versions, await pythonVersions(python, ['safetensors', 'netron']));
  const netron = python ? await peer('Netron', missing, () => netronFolder(python)) : null;
  const torchPython = process.env['STOWAGE_BENCH_PYTHON'] ?? null;
  if (torchPython) {
    const { torch = '' } = await pythonVersions(torchPython, ['torch']);
    versions['torch'] = torch;
  } else missing.push('torch: name an interpreter that can import it in STOWAGE_BENCH_PYTHON');
  const hyparquet = await bundle('bench/candidates/hyparquetMetadata.ts');
  versions['hyparquet'] = manifest.devDependencies.hyparquet;
  const interpreterWith = await findDatasetPeers([python, torchPython], versions, missing);
  return { cli: cliCopy, core, compare, npm, python, netron, torchPython, hyparquet, interpreterWith, versions, missing };
}

/**
 * Which interpreter has which of the packages that read datasets.
 * @param {(string | null)[]} interpreters
 * @param {Record<string, string>} versions
 * @param {string[]} missing
 * @returns {Promise<Setup['interpreterWith']>}
 */
async function findDatasetPeers(interpreters, versions, missing) {
  const wanted = ['pyarrow', 'datasets', 'megatron-core', 'numpy', 'torch'];
  /** @type {{ interpreter: string, has: Record<string, string> }[]} */
  const found = [];
  for (const interpreter of interpreters)
    if (interpreter !== null) found.push({ interpreter, has: await installedVersions(interpreter, wanted) });
  for (const name of ['pyarrow', 'datasets', 'megatron-core']) {
    const version = found.map(({ has }) => has[name]).find((entry) => entry !== undefined);
    if (version === undefined) missing.push(`${name}: name an interpreter that can import it in STOWAGE_BENCH_PYTHON`);
    else versions[name] = version;
  }
  return (packages) => found.find(({ has }) => packages.every((name) => has[name] !== undefined))?.interpreter ?? null;
}

/**
 * @template T
 * @param {string} name
 * @param {string[]} missing
 * @param {() => Promise<T>} install
 * @returns {Promise<T | null>}
 */
async function peer(name, missing, install) {
  try {
    return await install();
  } catch (error) {
    missing.push(`${name}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
    return null;
  }
}

/** @param {string} entry path below the project */
export async function bundle(entry) {
  const outfile = path.join(cacheFolder, 'bundles', `${path.basename(entry, '.ts')}.cjs`);
  await build({
    entryPoints: [path.join(projectFolder, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    // jsonc-parser's other form has a require that no bundle follows.
    mainFields: ['module', 'main'],
    minify: true,
    logLevel: 'error',
  });
  return outfile;
}

/** @param {(text: string) => void} log */
async function installNpmPeer(log) {
  const folder = path.join(cacheFolder, 'npm');
  const isInstalled = Object.entries(huggingFace).every(([name, version]) => {
    const manifest = path.join(folder, 'node_modules', ...name.split('/'), 'package.json');
    return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version;
  });
  if (!isInstalled) {
    log('installing huggingface.js into the cache');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
    const command = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const packages = Object.entries(huggingFace).map(([name, version]) => `${name}@${version}`);
    await capture(command, ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], {
      cwd: folder,
      shell: process.platform === 'win32',
    });
  }
  return folder;
}

/** @param {(text: string) => void} log */
async function installPythonPeers(log) {
  const folder = path.join(cacheFolder, 'python');
  const interpreter =
    process.platform === 'win32' ? path.join(folder, 'Scripts', 'python.exe') : path.join(folder, 'bin', 'python');
  const requirements = path.join(benchFolder, 'requirements.txt');
  const marker = path.join(folder, 'installed.txt');
  const wanted = readFileSync(requirements, 'utf8');
  if (!existsSync(marker) || readFileSync(marker, 'utf8') !== wanted) {
    log('installing the Python peers into the cache');
    await capture(process.platform === 'win32' ? 'python' : 'python3', ['-m', 'venv', folder]);
    await capture(interpreter, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements]);
    writeFileSync(marker, wanted);
  }
  return interpreter;
}

/**
 * @param {string} interpreter
 * @param {string[]} packages
 * @returns {Promise<Record<string, string>>}
 */
async function pythonVersions(interpreter, packages) {
  const script = `
import json, platform, importlib.metadata as m
print(json.dumps({"Python": platform.python_version(), **{name: m.version(name) for name in ${JSON.stringify(packages)}}}))`;
  return JSON.parse(await capture(interpreter, ['-c', script]));
}

/**
 * The same for packages that may not be there.
 * @param {string} interpreter
 * @param {string[]} packages
 * @returns {Promise<Record<string, string>>}
 */
async function installedVersions(interpreter, packages) {
  const script = `
import json, importlib.metadata as m
wanted = set(${JSON.stringify(packages)})
print(json.dumps({d.metadata["Name"].lower().replace("_", "-"): d.version for d in m.distributions() if d.metadata["Name"].lower().replace("_", "-") in wanted}))`;
  return JSON.parse(await capture(interpreter, ['-c', script]));
}

/** @param {string} interpreter */
async function netronFolder(interpreter) {
  const script = 'import importlib.util as u; print(u.find_spec("netron").submodule_search_locations[0])';
  const folder = (await capture(interpreter, ['-c', script])).trim();
  // Its sources are ES modules, which Node takes from a package only when that says so.
  const manifest = path.join(folder, 'package.json');
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "type": "module" }\n');
  return folder;
}

/**
 * Writes what is not in the cache yet. Folder names carry a number that changes with the generators.
 * @param {Setup} setup
 * @param {Set<string>} cases
 * @param {(text: string) => void} log
 */
export async function writeData(setup, cases, log) {
  const folder = path.join(cacheFolder, 'data-1');
  mkdirSync(folder, { recursive: true });
  const shards = path.join(folder, 'shards-64x3000');
  const wrapped = path.join(folder, 'shards-64x3000-wrapped');
  const megatron = path.join(folder, 'shards-64x3000-megatron');
  const large = path.join(folder, 'model.pt');
  const optimizer = path.join(folder, setup.torchPython ? 'optimizer.pt' : 'optimizer-layout.pt');
  const lyingHeader = path.join(folder, 'lying.safetensors');
  const gguf = path.join(folder, 'vocabulary.gguf');
  const distributed = path.join(folder, setup.torchPython ? 'distributed' : 'distributed-layout');
  const ranks = path.join(folder, 'ranks-1024');
  const listing = path.join(folder, 'listing-100000');
  const repository = path.join(folder, 'repository-100000');
  const run = path.join(folder, 'run-500x64');
  const runs = path.join(folder, 'runs-5000x19');
  const sparse = await bundle('bench/generators/sparseTorchFiles.ts');
  /** @param {string} script @param {string[]} args */
  const python3 = (script, ...args) =>
    capture(setup.torchPython ?? 'python3', [path.join(benchFolder, 'generators', script), ...args]);
  /** @param {string[]} args */
  const node = (...args) => capture(process.execPath, args);
  if (cases.has('shards') || cases.has('compare'))
    await writeOnce(shards, '64 shards', log, (place) => writeShards(place, 64, 3000));
  if (cases.has('compare')) {
    await writeOnce(wrapped, '64 shards with a wrapper', log, (place) => writeShards(place, 64, 3000, inWrapper));
    await writeOnce(megatron, '64 shards of Megatron', log, (place) => writeShards(place, 64, 3000, nameInMegatron));
  }
  if (cases.has('large')) await writeOnce(large, 'a sparse torch file of 100 GB', log, (place) => node(sparse, 'weights', place));
  if (cases.has('optimizer'))
    await writeOnce(optimizer, 'an optimizer state of 2.0 GB', log, (place) =>
      setup.torchPython ? python3('writeOptimizer.py', place) : node(sparse, 'optimizer', place),
    );
  if (cases.has('header')) {
    const head = Buffer.alloc(16);
    head.writeBigUInt64LE(500n * 1024n * 1024n);
    head.write('{"a":{"d', 8);
    writeFileSync(lyingHeader, head);
  }
  if (cases.has('gguf')) await writeOnce(gguf, 'a GGUF with 262,144 tokens', log, (place) => writeGguf(place, 262_144, 1000));
  if (cases.has('metadata'))
    await writeOnce(distributed, 'the index of a distributed save with 60,000 tensors in 24 chunks each', log, (place) =>
      python3('writeDistributedMetadata.py', place, '60000', '24'),
    );
  if (cases.has('ranks'))
    await writeOnce(ranks, 'a DeepSpeed save of 1,024 ranks', log, async (place) =>
      node(await bundle('bench/generators/ranks.ts'), place, '1024'),
    );
  if (cases.has('repository'))
    await writeOnce(repository, 'a repository of 100,000 files', log, (place) => writeRepository(place, 100_000));
  if (cases.has('run')) await writeOnce(run, 'a run of 500 checkpoints', log, (place) => writeRuns(place, 1, 500, 64));
  if (cases.has('runs')) await writeOnce(runs, '5,000 runs', log, (place) => writeRuns(place, 5_000, 19, 2));
  if (cases.has('listing')) await writeOnce(listing, '100,000 empty files', log, writeEmptyFiles);
  const python = setup.interpreterWith(['pyarrow']);
  const datasets = await writeDatasets({ folder, generators: path.join(benchFolder, 'generators'), python, cases, log });
  return {
    shards,
    wrapped,
    megatron,
    large,
    optimizer,
    lyingHeader,
    gguf,
    distributed,
    ranks,
    listing,
    repository,
    run,
    runs,
    ...datasets,
  };
}

/** @param {string} place */
function writeEmptyFiles(place) {
  for (let folder = 0; folder < 100; folder++) {
    mkdirSync(path.join(place, `logs-${folder}`), { recursive: true });
    for (let file = 0; file < 1000; file++) writeFileSync(path.join(place, `logs-${folder}`, `${file}.log`), '');
  }
}

/**
 * Bytes of the headers of all shards (with the eight bytes of their length), and of the index.
 * @param {string} directory
 */
export function metadataBytes(directory) {
  let headers = 0;
  let index = 0;
  for (const name of readdirSync(directory)) {
    const file = path.join(directory, name);
    if (name.endsWith('.json')) index += statSync(file).size;
    else {
      const handle = openSync(file, 'r');
      const length = Buffer.alloc(8);
      readSync(handle, length);
      closeSync(handle);
      headers += 8 + Number(length.readBigUInt64LE());
    }
  }
  return { headers, index };
}
