/** Named pipes, which whoever opens one waits for. */
import { execFileSync } from 'node:child_process';

/** Windows has none among its files. */
export const hasNamedPipes = process.platform !== 'win32';

/** Makes a named pipe. @throws Error where there are none */
export function makeNamedPipe(path: string): void {
  execFileSync('mkfifo', [path]);
}
