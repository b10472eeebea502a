import { spawn } from 'node:child_process';
import { limits } from '../../core/bytes/limits.js';

export interface ProgramOptions {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Takes the output whatever the program ends with. */
  anyExitCode?: boolean;
  /** In which it runs; that of this process unless given. */
  directory?: string;
}

/**
 * What a program writes to its standard output; null where there is no such program, or it fails, or takes too long. One that writes more than a
 * limit is ended there.
 */
export function runProgram(command: string, args: string[], options: ProgramOptions): Promise<string | null> {
  const { timeoutMs, signal, anyExitCode = false, directory } = options;
  return new Promise((resolve) => {
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
    const child = spawn(command, args, {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      ...(signal && { signal }),
      ...(directory !== undefined && { cwd: directory }),
    });
    let isOver = false;
    /** Whoever still has the output open, as a child of the program may, writes to no one from then on. */
    const finish = (result: string | null): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(limit);
      child.stdout.destroy();
      resolve(result);
    };
    // Not the option of spawn: its timer goes on, and keeps the process alive, where there is no such program.
    const limit = setTimeout(() => {
      child.kill('SIGKILL');
      finish(null);
    }, timeoutMs);
    let output = '';
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text: string) => {
      output += text.slice(0, limits.programOutputBytes - output.length);
      if (output.length < limits.programOutputBytes) return;
      child.kill('SIGKILL');
      finish(output);
    });
    child.on('error', () => finish(null));
    // Not `close`: a child of the program may keep its output open for as long as it likes.
    child.on('exit', (code) => {
      const isDone = code === 0 || (anyExitCode && code !== null);
      if (!isDone || child.stdout.readableEnded) finish(isDone ? output : null);
      else {
        clearTimeout(limit);
        const timer = setTimeout(() => finish(output), timeoutMs);
        child.stdout.once('close', () => {
          clearTimeout(timer);
          finish(output);
        });
      }
    });
  });
}
