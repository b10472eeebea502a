import { spawn } from 'node:child_process';
import { limits } from '../../core/bytes/limits.js';

export interface ProgramOptions {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Takes the output whatever the program ends with. */
  anyExitCode?: boolean;
}

/** What a program writes to its standard output, no more than a limit of it; null where there is no such program, or it fails, or takes too long. */
export function runProgram(command: string, args: string[], options: ProgramOptions): Promise<string | null> {
  const { timeoutMs, signal, anyExitCode = false } = options;
  return new Promise((resolve) => {
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
    const child = spawn(command, args, {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      ...(signal && { signal }),
    });
    // Not the option of spawn: its timer goes on, and keeps the process alive, where there is no such program.
    const limit = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    let output = '';
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text: string) => {
      output += text.slice(0, limits.programOutputBytes - output.length);
    });
    child.on('error', () => {
      clearTimeout(limit);
      resolve(null);
    });
    // Not `close`: a child of the program may keep its output open for as long as it likes.
    child.on('exit', (code) => {
      clearTimeout(limit);
      const isDone = code === 0 || (anyExitCode && code !== null);
      if (!isDone) resolve(null);
      else if (child.stdout.readableEnded) resolve(output);
      else {
        const timer = setTimeout(() => resolve(output), timeoutMs);
        child.stdout.once('close', () => {
          clearTimeout(timer);
          resolve(output);
        });
      }
    });
  });
}
