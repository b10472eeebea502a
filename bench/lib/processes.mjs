import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

/**
 * Runs a command and hands back its standard output; fails with its error output.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<string>}
 */
export function capture(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let errors = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (errors += chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${command} ended with ${code}: ${errors.slice(-2000)}`)),
    );
  });
}

/**
 * @typedef {object} Run one process of one candidate
 * @property {number} processMs from start to end, as seen from outside
 * @property {number | null} workMs inside, from the call to the result, where the candidate tells
 * @property {number | null} peakBytes
 * @property {any} result what the candidate printed
 */

/**
 * Runs one candidate in its own process. Its output goes to a file, so that no pipe slows it down.
 * @param {import('./candidates.mjs').Candidate} candidate
 * @param {string} scratch
 * @returns {Promise<Run>}
 */
export async function runOnce(candidate, scratch) {
  const outputFile = path.join(scratch, 'output.json');
  const peakFile = path.join(scratch, 'peak');
  rmSync(peakFile, { force: true });
  const output = openSync(outputFile, 'w');
  const began = process.hrtime.bigint();
  const ended = await new Promise((resolve, reject) => {
    const child = spawn(candidate.command, candidate.args, {
      stdio: ['ignore', output, 'pipe'],
      env: { ...process.env, STOWAGE_BENCH_PEAK: peakFile, NODE_OPTIONS: '' },
    });
    let errors = '';
    child.stderr?.on('data', (chunk) => (errors += chunk));
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      const at = process.hrtime.bigint();
      child.once('close', () => resolve({ at, code, signal, errors }));
    });
  });
  closeSync(output);
  if (ended.code !== 0) throw new Error(`${candidate.label} ended with ${ended.code ?? ended.signal}: ${lastLine(ended.errors)}`);
  const result = JSON.parse(readFileSync(outputFile, 'utf8'));
  return {
    processMs: Number(ended.at - began) / 1e6,
    workMs: candidate.workMs?.(result) ?? result.workMs ?? null,
    peakBytes: result.peakBytes ?? (existsSync(peakFile) ? Number(readFileSync(peakFile, 'utf8')) : null),
    result,
  };
}

/** @param {string} text */
function lastLine(text) {
  return text.trim().split('\n').at(-1) ?? '';
}

/**
 * Candidates alternate (A B C A B C ...), so that a change of the machine's mood meets all of them. Round 0 warms the page cache,
 * checks the results, and is not counted. Candidates that run apart come after the last round, three times.
 * @param {import('./candidates.mjs').Candidate[]} candidates
 * @param {number} rounds
 * @param {string} scratch
 * @param {(text: string) => void} log
 */
export async function runAlternating(candidates, rounds, scratch, log) {
  /** @type {{ candidate: import('./candidates.mjs').Candidate, runs: Run[], failure: string | null, remark: string | null }[]} */
  const rows = candidates.map((candidate) => ({ candidate, runs: [], failure: null, remark: null }));
  const groups = [
    { members: rows.filter(({ candidate }) => candidate.apart !== true), counted: rounds },
    { members: rows.filter(({ candidate }) => candidate.apart === true), counted: 3 },
  ];
  for (const { members, counted } of groups) {
    for (let round = 0; round <= counted; round++) {
      for (const row of members) {
        if (row.failure !== null) continue;
        try {
          if (round > 0) row.runs.push(await runOnce(row.candidate, scratch));
          else row.remark = await check(row.candidate, scratch, log);
        } catch (error) {
          row.failure = error instanceof Error ? error.message : String(error);
          log(`  ${row.candidate.label}: FAILED, ${row.failure}`);
        }
      }
    }
  }
  return rows;
}

/**
 * @param {import('./candidates.mjs').Candidate} candidate
 * @param {string} scratch
 * @param {(text: string) => void} log
 */
async function check(candidate, scratch, log) {
  const { processMs, result } = await runOnce({ ...candidate, args: candidate.checkArgs ?? candidate.args }, scratch);
  const remark = candidate.check(result);
  log(`  ${candidate.label}: ${Math.round(processMs)} ms cold${remark ? `, ${remark}` : ''}`);
  return remark;
}
