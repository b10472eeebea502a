/** The thread that executes: takes turns of one target each, and shows what it executes to the thread that watches it. */
import { parentPort, workerData } from 'node:worker_threads';
import './coverage.js';
import { reachedPlaces } from './coverage.js';
import { FuzzSession } from './fuzzTarget.js';
import { targetNamed } from './targets.js';
import type { Input } from './target.js';
import type { ExecutorData, Turn } from './watch.js';

const { seed, current } = workerData as ExecutorData;
const counter = new Int32Array(current, 0, 2);
const shown = new Uint8Array(current, 8);
const encoder = new TextEncoder();
const sessions = new Map<string, FuzzSession>();

parentPort?.on('message', (turn: Turn) => void run(turn));

async function run({ target: name, forMs }: Turn): Promise<void> {
  let session = sessions.get(name);
  if (session === undefined) {
    session = new FuzzSession(targetNamed(name), seed + sessions.size, (input) => show(name, input));
    sessions.set(name, session);
  }
  const progress = await session.run(forMs);
  parentPort?.postMessage({ ...progress, places: reachedPlaces() });
}

/** Writing text takes longer than many executions: the input is shown as it is, its parts one after the other. */
function show(target: string, input: Input): void {
  const names = encoder.encode(JSON.stringify([target, Object.entries(input).map(([path, bytes]) => [path, bytes.byteLength])]));
  let at = 0;
  for (const part of [names, ...Object.values(input)]) {
    if (at + part.byteLength > shown.byteLength) break;
    shown.set(part, at);
    at += part.byteLength;
  }
  Atomics.store(counter, 1, names.byteLength);
  Atomics.add(counter, 0, 1);
}
