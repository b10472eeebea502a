/** Writes runs of DeepSpeed as their files are left, half an hour between two checkpoints; payloads are sparse. */
import { closeSync, ftruncateSync, mkdirSync, openSync, utimesSync } from 'node:fs';
import path from 'node:path';

const firstSeconds = Date.UTC(2026, 0, 1) / 1000;

/**
 * @param {string} directory
 * @param {number} runs
 * @param {number} checkpoints of each run
 * @param {number} files of each checkpoint
 */
export function writeRuns(directory, runs, checkpoints, files) {
  for (let run = 0; run < runs; run++)
    for (let index = 1; index <= checkpoints; index++) {
      const place = path.join(directory, `team${run % 20}`, `run${run}`, `global_step${index * 100}`);
      mkdirSync(place, { recursive: true });
      for (let rank = 0; rank < files; rank++) {
        const file = path.join(place, `bf16_zero_pp_rank_${rank}_mp_rank_00_optim_states.pt`);
        const descriptor = openSync(file, 'w');
        ftruncateSync(descriptor, 1_000_000_000);
        closeSync(descriptor);
        const doneSeconds = firstSeconds + index * 1800 + rank * 0.1;
        utimesSync(file, doneSeconds, doneSeconds);
      }
    }
}
