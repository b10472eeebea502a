/** Inspections of what is in an object store that answers after a while: time, requests and bytes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { writeShards } from '../generators/shards.mjs';
import { benchFolder, cacheFolder, metadataBytes, prepare } from './prepare.mjs';
import { capture } from './processes.mjs';
import { writeOnce } from './writeOnce.mjs';

/**
 * @typedef {object} StoreCase
 * @property {string} title
 * @property {string} folder whose files are in the bucket
 * @property {string} path in the bucket
 * @property {number} delayMs of each answer
 * @property {number} [made] objects that there are in place of files
 * @property {boolean} [again] the second inspection, with the headers of the first
 * @property {{ seconds: number, requests?: number, bytes?: number }} goal
 */

/**
 * Measures the cases; the text of the result.
 * @param {{ rounds: number, build: boolean, log: (text: string) => void }} options
 */
export async function measureStores({ rounds, build, log }) {
  const setup = await prepare({ build, log });
  const rows = [];
  for (const each of await storeCases(setup, log)) {
    log(each.title);
    rows.push(await measureCase(setup.cli, each, rounds));
  }
  return `| what | each answer after | seconds | requests | bytes of files | goal | reached |
| --- | ---: | ---: | ---: | ---: | --- | --- |
${rows.join('\n')}`;
}

/**
 * @param {import('./prepare.mjs').Setup} setup
 * @param {(text: string) => void} log
 * @returns {Promise<StoreCase[]>}
 */
async function storeCases(setup, log) {
  const folder = path.join(cacheFolder, 'data-1');
  const bucket = path.join(folder, 'bucket');
  mkdirSync(bucket, { recursive: true });
  await writeOnce(path.join(bucket, 'shards'), '64 shards', log, (place) => writeShards(place, 64, 3000));
  await writeOnce(path.join(bucket, 'model'), '64 shards of a model of 70B', log, (place) => writeShards(place, 64, 12));
  const python = (/** @type {string} */ script, /** @type {string[]} */ ...args) =>
    capture(setup.torchPython ?? 'python3', [path.join(benchFolder, 'generators', script), ...args]);
  await writeOnce(path.join(bucket, 'distributed'), 'a distributed save of 1,024 files', log, (place) =>
    python('writeDistributedMetadata.py', place, '200', '1024'),
  );
  const numpy = setup.interpreterWith(['numpy']);
  if (numpy !== null)
    await writeOnce(path.join(bucket, 'arrays'), 'an archive of arrays of 72 MiB', log, async (place) => {
      mkdirSync(place);
      await capture(numpy, [
        '-c',
        `import numpy as n; n.savez(${JSON.stringify(`${place}/params.npz`)}, W_enc=n.ones((2304, 4096), 'f4'), W_dec=n.ones((4096, 2304), 'f4'), b_enc=n.ones(4096, 'f4'), b_dec=n.ones(2304, 'f4'), threshold=n.ones(4096, 'f4'))`,
      ]);
    });
  const { headers, index } = metadataBytes(path.join(bucket, 'shards'));
  const shards = { folder: bucket, path: 'shards', delayMs: 50 };
  return [
    {
      ...shards,
      title: '64 safetensors files, 192,000 tensors',
      goal: { seconds: 3, requests: 2 * 64 + 4, bytes: 1.01 * (headers + index) },
    },
    {
      ...shards,
      path: 'model',
      title: '64 safetensors files, 768 tensors, whose headers are kept from before',
      again: true,
      goal: { seconds: 0.3 },
    },
    { title: 'a distributed save of 1,024 files', folder: bucket, path: 'distributed', delayMs: 20, goal: { seconds: 5 } },
    ...(numpy === null
      ? []
      : [
          {
            title: 'five arrays in an `.npz` of 72 MiB',
            folder: bucket,
            path: 'arrays/params.npz',
            delayMs: 20,
            goal: { seconds: 1, requests: 6 + 2, bytes: 136 * 1024 },
          },
        ]),
    { title: 'a list of 100,000 objects', folder: bucket, path: 'run', delayMs: 20, made: 100_000, goal: { seconds: 10 } },
  ];
}

/**
 * @param {string} cli
 * @param {StoreCase} benchmark
 * @param {number} rounds
 */
async function measureCase(cli, { title, folder, path: name, delayMs, made = 0, again = false, goal }, rounds) {
  const server = spawn(
    process.execPath,
    [path.join(benchFolder, 'lib', 'slowStore.mjs'), folder, String(delayMs), String(made)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const cache = path.join(cacheFolder, 'scratch', 'headers');
  rmSync(cache, { recursive: true, force: true });
  try {
    const [port] = /** @type {[Buffer]} */ (await once(server.stdout, 'data'));
    const endpoint = `http://127.0.0.1:${String(port).trim()}`;
    const env = { ...process.env, AWS_ENDPOINT_URL: endpoint, AWS_ACCESS_KEY_ID: 'bench', AWS_SECRET_ACCESS_KEY: 'bench' };
    const args = [cli, 'inspect', `s3://bucket/${name}`, '--json', '--fetch-all', ...(again ? ['--header-cache', cache] : [])];
    const inspect = () => capture(process.execPath, args, { env });
    const counts = async () =>
      /** @type {{ requests: number, bytes: number }} */ (await (await fetch(`${endpoint}/counts`)).json());
    await inspect();
    await counts();
    const seconds = [];
    let used = { requests: 0, bytes: 0 };
    for (let round = 0; round < rounds; round++) {
      const began = performance.now();
      await inspect();
      seconds.push((performance.now() - began) / 1000);
      used = await counts();
    }
    seconds.sort((a, b) => a - b);
    const median = seconds[Math.floor(rounds / 2)] ?? 0;
    const reached =
      median < goal.seconds && used.requests <= (goal.requests ?? Infinity) && used.bytes <= (goal.bytes ?? Infinity);
    const range = `${seconds[0]?.toFixed(2)} / **${median.toFixed(2)}** / ${seconds.at(-1)?.toFixed(2)}`;
    return `| ${title} | ${delayMs} ms | ${range} | ${count(used.requests)} | ${count(used.bytes)} | ${goalText(goal)} | ${reached ? 'yes' : 'no'} |`;
  } finally {
    server.kill();
  }
}

/** @param {StoreCase['goal']} goal */
function goalText({ seconds, requests, bytes }) {
  return [
    `below ${seconds} s`,
    ...(requests === undefined ? [] : [`${count(requests)} requests`]),
    ...(bytes === undefined ? [] : [`${count(Math.floor(bytes))} bytes`]),
  ].join(', ');
}

/** @param {number} value */
function count(value) {
  return value.toLocaleString('en-US');
}
