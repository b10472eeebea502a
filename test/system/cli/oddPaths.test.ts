/** Paths at which there is no regular file, given to every command that reads one: none may wait for it. */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasNamedPipes, makeNamedPipe } from '../../builders/namedPipe.js';
import { stowage } from './stowage.js';

// Windows has no such files.
describe.skipIf(!hasNamedPipes)('a path', () => {
  let folder = '';

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'stowage-'));
    makeNamedPipe(path.join(folder, 'pipe.yaml'));
    symlinkSync('/dev/zero', path.join(folder, 'zeros.json'));
    symlinkSync('/dev/ptmx', path.join(folder, 'terminal.json'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(
    ['pipe.yaml', 'zeros.json', 'terminal.json'].flatMap((name) => [
      ['inspect', name],
      ['estimate', name],
      ['plan', name],
    ]),
  )('%s %s ends with 3', (command, name) => {
    const { status, stderr } = stowage(command, path.join(folder, name));
    expect(status).toBe(3);
    expect(stderr).toMatch(/neither a folder nor a regular file|not a regular file|to the kernel, not to a disk/);
  });

  it.each(['pipe.yaml', 'zeros.json'])('a tokenizer that is %s is refused', (name) => {
    const { status, stderr } = stowage('inspect', 'samples', '--tokenizer', path.join(folder, name));
    expect([status, stderr]).toEqual([2, expect.stringContaining('not a regular file')]);
  });
});
