/** The thread of watchdog.mjs: looks once a second whether there was progress. */
import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

/** @type {{ state: Int32Array, limitSeconds: number }} progress made so far, and the place it is at */
const { state, limitSeconds } = workerData;

/** @type {{ what: string, places?: { values: string[], command: string } } | null} */
let watched = null;
let lastProgress = -1;
let quietSeconds = 0;

parentPort?.on('message', (message) => {
  watched = message;
  quietSeconds = 0;
});
setInterval(look, 1000);

function look() {
  const progress = Atomics.load(state, 0);
  quietSeconds = watched === null || progress !== lastProgress ? 0 : quietSeconds + 1;
  lastProgress = progress;
  if (watched === null || quietSeconds < limitSeconds) return;
  writeSync(2, `\nHANGS ${watched.what}${placeInWords(watched.places)}: no progress for ${quietSeconds} s.\n`);
  process.kill(process.pid, 'SIGKILL');
}

/** @param {{ values: string[], command: string } | undefined} places */
function placeInWords(places) {
  const place = Atomics.load(state, 1);
  if (place < 0 || places === undefined) return '';
  const { values, command } = places;
  const offset = Math.floor(place / values.length);
  return `, offset ${offset}, value ${values[place % values.length]} (repeat: STOWAGE_OFFSET=${offset} ${command})`;
}
