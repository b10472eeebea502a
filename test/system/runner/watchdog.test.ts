/** What holds its thread forever is ended and named; what has ended is left alone. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

/** Never lets go of its thread, as a loop without end does, but leaves the processor to others. */
const hold = 'const hold = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);';

/** Runs a script that has a watchdog with a limit of one second. */
function watched(script: string): { signal: string | null; status: number | null; stderr: string } {
  const module = pathToFileURL(path.resolve('test/runner/watchdog.mjs')).href;
  return spawnSync(
    process.execPath,
    ['--input-type=module', '-e', `import { watchdog } from '${module}'; const dog = watchdog(1);\n${hold}\n${script}`],
    { encoding: 'utf8' },
  );
}

it('a place without end is ended, and its place named', () => {
  const { signal, stderr } = watched(
    "dog.begin('Seed 7: field a.bin', { values: ['0', '2^31'], command: 'npx vitest run a.test.ts' }); dog.at(1234); dog.at(7); hold();",
  );
  expect(stderr).toContain(
    'HANGS Seed 7: field a.bin, offset 3, value 2^31 (repeat: STOWAGE_OFFSET=3 npx vitest run a.test.ts): no progress for 1 s.',
  );
  expect(signal).toBe('SIGKILL');
});

it('a test that hangs has no place', () => {
  const { signal, stderr } = watched("dog.begin('test/a.test.ts > a sum'); hold();");
  expect(stderr).toContain('HANGS test/a.test.ts > a sum: no progress for 1 s.');
  expect(signal).toBe('SIGKILL');
});

it('what has ended may be followed by anything', () => {
  const { status, stderr } = watched("dog.begin('a'); dog.end(); hold(3000);");
  expect(stderr).toBe('');
  expect(status).toBe(0);
});
