import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Child processes that can be ended together with all of their own children: each gets a process group of its own. All that
 * still run are ended when this process ends, however it ends.
 */

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/**
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 */
export function spawnGroup(command, args, options = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options, detached: process.platform !== 'win32' });
  running.add(child);
  child.once('close', () => running.delete(child));
  child.once('error', () => running.delete(child));
  return child;
}

/**
 * Ends a child and its children: politely, and by force after `graceMs`.
 * @param {import('node:child_process').ChildProcess} child
 */
export async function endGroup(child, graceMs = 3_000) {
  const isOver = () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  signalGroup(child, 'SIGTERM');
  for (let waitedMs = 0; !isOver() && waitedMs < graceMs; waitedMs += 50) await delay(50);
  // Also when the child itself is gone: children of its own may have outlived it.
  signalGroup(child, 'SIGKILL');
  running.delete(child);
}

/** Ends all children, for the end of a run. */
export async function endAllGroups() {
  await Promise.all([...running].map((child) => endGroup(child)));
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function signalGroup(child, signal) {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // The group is empty already.
  }
}

/** @type {(() => void)[]} */
const interruptActions = [];

/**
 * Calls something when a signal ends this process, once its children have ended.
 * @param {() => void} action
 */
export function onInterrupt(action) {
  interruptActions.push(action);
}

/** How often this process looks whether npm, which started it, still runs. */
const lookMs = 1_000;

/** @type {Promise<void> | undefined} */
let interrupted;

async function interrupt() {
  await endAllGroups();
  for (const action of interruptActions) action();
}

process.once('exit', () => {
  for (const child of running) signalGroup(child, 'SIGKILL');
});
for (const [signal, code] of /** @type {const} */ ([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])) {
  // Signals that follow are ignored: they would end this process before its children.
  process.on(signal, () => endWith(code));
}
// npm passes on none of the signals that end it, unless they come from the terminal.
if (process.env['npm_lifecycle_event'] !== undefined) {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && endWith(143), lookMs).unref();
}

/** @param {number} code */
function endWith(code) {
  interrupted ??= interrupt().finally(() => process.exit(code));
}
