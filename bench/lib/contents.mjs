/** Cases of commands that read whole files: `verify` and `values`. */
import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { writeWeights } from '../generators/weights.mjs';
import { createCandidates, fail, goals, median, times } from './candidates.mjs';
import { benchFolder, bundle, cacheFolder, prepare } from './prepare.mjs';
import { runAlternating } from './processes.mjs';
import { renderCase, toRows } from './table.mjs';
import { writeOnce } from './writeOnce.mjs';

const files = 4;
const large = { files, tensors: 12, shape: /** @type {[number, number]} */ ([4096, 8192]) };
const small = { files: 1, tensors: 20_000, shape: /** @type {[number, number]} */ ([32, 64]) };

/**
 * Measures both commands; the text of the result.
 * @param {{ rounds: number, build: boolean, log: (text: string) => void }} options
 */
export async function measureContents({ rounds, build, log }) {
  const setup = await prepare({ build, log });
  const folder = path.join(cacheFolder, 'data-1');
  const weights = path.join(folder, 'weights-4x12');
  const many = path.join(folder, 'weights-20000');
  mkdirSync(folder, { recursive: true });
  await writeOnce(weights, 'four safetensors files of 0.8 GB', log, async (place) => {
    writeWeights(place, large);
    await writeSums(place);
  });
  await writeOnce(many, 'a safetensors file of 20,000 tensors', log, (place) => writeWeights(place, small));
  const scratch = path.join(cacheFolder, 'scratch');
  mkdirSync(scratch, { recursive: true });
  const sections = [];
  for (const benchmark of contentCases(setup, {
    weights,
    many,
    scratch,
    inProcess: await bundle('bench/candidates/valuesInProcess.ts'),
  })) {
    log(benchmark.title);
    sections.push(renderCase(benchmark, toRows(await runAlternating(benchmark.candidates, rounds, scratch, log))));
  }
  rmSync(path.join(scratch, 'manifest'), { recursive: true, force: true });
  return sections.join('\n\n').replaceAll(path.dirname(benchFolder), '.');
}

/**
 * Programs that hash, a process for each file.
 * @param {string} directory with `SHA256SUMS`
 * @param {number} processes at once
 * @returns {import('./candidates.mjs').Candidate[]}
 */
function hashers(directory, processes) {
  if (process.platform === 'win32') return [];
  const each = (/** @type {string} */ id, /** @type {string} */ label, /** @type {string} */ script) => ({
    id,
    label,
    command: 'sh',
    args: [
      '-ec',
      `cd "$1"; tr '\\n' '\\0' < SHA256SUMS | xargs -0 -P ${processes} -n 1 sh -c '${script}' sh; echo '{}'`,
      'sh',
      directory,
    ],
    check: () => null,
  });
  return [
    each('sha256sum', '`sha256sum -c`', 'printf "%s\\n" "$1" | sha256sum --quiet -c'),
    each('openssl', '`openssl dgst -sha256`, which compares nothing', 'openssl dgst -sha256 "${1#*  }" > /dev/null'),
  ];
}

/** `SHA256SUMS` of a directory. @param {string} place */
async function writeSums(place) {
  let text = '';
  for (const name of readdirSync(place).sort()) {
    const hash = createHash('sha256');
    for await (const piece of createReadStream(path.join(place, name))) hash.update(piece);
    text += `${hash.digest('hex')}  ${name}\n`;
  }
  writeFileSync(path.join(place, 'SHA256SUMS'), text);
}

/** @param {string} directory */
function bytesIn(directory) {
  return readdirSync(directory).reduce((sum, name) => sum + statSync(path.join(directory, name)).size, 0);
}

/**
 * @param {import('./prepare.mjs').Setup} setup
 * @param {{ weights: string, many: string, scratch: string, inProcess: string }} data
 * @returns {import('./candidates.mjs').BenchmarkCase[]}
 */
function contentCases(setup, { weights, many, scratch, inProcess }) {
  const { candidate, node } = createCandidates(setup);
  const cores = os.availableParallelism();
  const bytes = bytesIn(weights);
  const gigabytes = (bytes / 1e9).toFixed(1);
  const python = setup.interpreterWith(['numpy']);
  /** @param {string} target @param {number} tensors */
  const scanned = (target, tensors) => (/** @type {any} */ report) => {
    if (report.tensors.length !== tensors) fail(`has values of ${report.tensors.length} of ${tensors} tensors`);
    if (report.bytesRead > bytesIn(target)) fail(`read ${report.bytesRead} bytes of ${bytesIn(target)}`);
    return null;
  };
  const scan = (/** @type {string} */ target, /** @type {number} */ tensors) => ({
    id: 'cli',
    label: '`stowage values`',
    ...node(setup.cli, 'values', target, '--json'),
    check: scanned(target, tensors),
  });
  return [
    {
      id: 'verify',
      title: `Four files of 0.8 GB against SHA256SUMS`,
      text: `The programs beside Stowage hash a file in each of ${cores} processes at once, by \`xargs -P\`. The SHA-256 of Node is OpenSSL’s, which uses instructions of the processor for it; that of coreutils does so in some distributions alone. \`--create\` computes a CRC-32C of each 64 MiB besides, and compares with the old list.`,
      candidates: [
        { id: 'cli', label: '`stowage verify`', ...node(setup.cli, 'verify', weights, '--json'), check: verified },
        {
          id: 'create',
          label: '`stowage verify --create`',
          ...node(setup.cli, 'verify', weights, '--create', '--output', path.join(scratch, 'manifest'), '--json'),
          check: verified,
        },
        ...hashers(weights, cores),
      ],
      cited: [],
      notes: () => [],
      goals(rows) {
        const peer = median(rows, 'sha256sum', 'processMs');
        const rates = ['cli', 'create'].map((id) => {
          const own = median(rows, id, 'processMs');
          return (
            own !== null &&
            peer !== null && {
              goal: `\`verify${id === 'create' ? ' --create' : ''}\` at 90 % of the rate of sha256sum`,
              measured: `${Math.round((100 * peer) / own)} %`,
              reached: peer / own >= 0.9,
            }
          );
        });
        return goals([...rates, memoryGoal(rows, 'create', 300)]);
      },
    },
    {
      id: 'values',
      title: `Values of ${gigabytes} GB of bf16 in 48 tensors`,
      text: 'NaN, infinities, zeros, extremes, mean, standard deviation and histogram of each tensor; numpy makes no histogram.',
      candidates: [
        scan(weights, large.files * large.tensors),
        { id: 'core', label: 'the same in one thread', ...node(inProcess, weights), check: scanned(weights, 48) },
        ...(python === null
          ? []
          : [
              {
                id: 'numpy',
                label: 'numpy, one thread',
                command: python,
                args: [candidate('numpyValues.py'), weights],
                check: (/** @type {any} */ { tensors }) => (tensors.length === 48 ? null : fail('not all tensors')),
                apart: true,
              },
            ]),
      ],
      cited: [],
      notes: (rows) => agreement(rows),
      goals(rows) {
        const process = median(rows, 'cli', 'processMs');
        const work = median(rows, 'core', 'workMs');
        const peer = median(rows, 'numpy', 'workMs');
        const rate = process === null ? null : bytes / 1e6 / process;
        return goals([
          rate !== null && {
            goal: `1.5 GB/s, whole process on ${cores} cores`,
            measured: `${rate.toFixed(2)} GB/s`,
            reached: rate >= 1.5,
          },
          work !== null &&
            peer !== null && {
              goal: 'ahead of numpy, each in one thread',
              measured: times(peer / work),
              reached: work < peer,
            },
          memoryGoal(rows, 'cli', 300),
        ]);
      },
    },
    {
      id: 'many',
      title: 'Values of 20,000 tensors of 4 kB',
      text: 'What each tensor costs, and its lines of JSON: 68 MB of them.',
      candidates: [scan(many, small.tensors)],
      cited: [],
      notes: () => [],
      goals: (rows) => goals([memoryGoal(rows, 'cli', 300)]),
    },
  ];
}

/** @param {any} report */
function verified(report) {
  const same = report.files.filter((/** @type {any} */ { status }) => status === 'same').length;
  return same === files ? null : fail(`${same} of ${files} files are the same`);
}

/** @param {import('./table.mjs').Row[]} rows @param {string} id @param {number} megabytes */
function memoryGoal(rows, id, megabytes) {
  const peak = median(rows, id, 'peakBytes');
  return (
    peak !== null && {
      goal: `peak memory below ${megabytes} MB`,
      measured: `${Math.round(peak / 1e6)} MB`,
      reached: peak < megabytes * 1e6,
    }
  );
}

/** Whether both have the same numbers. @param {import('./table.mjs').Row[]} rows */
function agreement(rows) {
  const own = rows.find(({ id }) => id === 'cli')?.last;
  const peer = rows.find(({ id }) => id === 'numpy')?.last;
  if (!own || !peer) return [];
  const byName = new Map(own.tensors.map((/** @type {any} */ tensor) => [tensor.name, tensor]));
  let most = 0;
  for (const tensor of peer.tensors) {
    const mine = byName.get(tensor.name);
    for (const key of ['count', 'nan', 'inf', 'zeros', 'min', 'max'])
      if (mine?.[key] !== tensor[key]) fail(`${tensor.name}: ${key} is ${mine?.[key]}, numpy has ${tensor[key]}`);
    most = Math.max(most, Math.abs(mine.std / tensor.std - 1));
  }
  return [`Counts and extremes are numpy’s; standard deviations differ by at most ${most.toExponential(1)} of theirs.`];
}
