/** The built command line against servers of the same test: it runs beside them. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `stowage` with these arguments to its end, in an environment with nothing of this machine's own logins. */
export async function stowageAt(environment: Readonly<Record<string, string>>, ...args: string[]): Promise<Ended> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, ['dist/cli.js', ...args], {
    env: { PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once('exit', resolve));
  return { status: child.exitCode, stdout, stderr };
}
