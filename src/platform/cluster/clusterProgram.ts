import { spawn } from 'node:child_process';

/** What a program said, and how it ended. */
export interface ProgramEnd {
  /** Null where a signal ended it, or it could not be started. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Of each of its streams, the end is kept: programs say last why they fail. */
const keptCharacters = 64 * 1024;

export interface RunningProgram {
  /** Never rejected. */
  ended: Promise<ProgramEnd>;
  /** SIGTERM. */
  end(): void;
}

/** Starts one of the cluster's own programs, found by its name in PATH; no shell is between. */
export function startClusterProgram(
  name: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): RunningProgram {
  const child = spawn(name, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...environment } });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout = `${stdout}${chunk.toString()}`.slice(-keptCharacters)));
  child.stderr.on('data', (chunk: Buffer) => (stderr = `${stderr}${chunk.toString()}`.slice(-keptCharacters)));
  const ended = new Promise<ProgramEnd>((resolve) => {
    child.once('error', (error) => resolve({ code: null, stdout, stderr: startProblem(name, error) }));
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { ended, end: () => void child.kill('SIGTERM') };
}

function startProblem(name: string, error: NodeJS.ErrnoException): string {
  return error.code === 'ENOENT'
    ? `there is no ${name} here: call this where jobs are submitted`
    : `${name} cannot be started: ${error.message}`;
}

/** Runs one of the cluster's programs to its end. */
export function runClusterProgram(name: string, args: readonly string[]): Promise<ProgramEnd> {
  return startClusterProgram(name, args).ended;
}
