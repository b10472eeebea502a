/** The built command line, as its users run it. */
import { spawnSync } from 'node:child_process';

/** What a command printed, and its exit code. */
interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

const maxOutputBytes = 64e6;

/** Runs `stowage` with these arguments to its end. */
export function stowage(...args: string[]): Ended {
  return spawnSync(process.execPath, ['dist/cli.js', ...args], { encoding: 'utf8', maxBuffer: maxOutputBytes });
}
