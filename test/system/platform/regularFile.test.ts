import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasNamedPipes, makeNamedPipe } from '../../builders/namedPipe.js';
import { FormatError } from '../../../src/core/bytes/formatError.js';
import {
  openRegularDescriptor,
  openRegularDescriptorAtOnce,
  openRegularFile,
  readRegularFile,
  readRegularText,
} from '../../../src/platform/regularFile.js';

let folder: string;
const at = (name: string): string => path.join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'stowage-regular-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a regular file', () => {
  it('is read whole where it is short enough', async () => {
    writeFileSync(at('config.yaml'), 'größe: 1');
    await expect(readRegularText(at('config.yaml'), 10)).resolves.toBe('größe: 1');
    await expect(readRegularFile(at('config.yaml'), 9)).rejects.toMatchObject({ code: 'limit-exceeded' });
  });

  const irregular = hasNamedPipes ? ['a pipe', 'a device', 'a device behind a link', 'a terminal'] : [];
  it.each([...irregular, 'a folder', 'nothing'])('is not %s', async (what) => {
    if (what === 'a pipe') makeNamedPipe(at(what));
    if (what === 'a device behind a link') symlinkSync('/dev/zero', at(what));
    if (what === 'a folder') mkdirSync(at(what));
    const file = what === 'a device' ? '/dev/zero' : what === 'a terminal' ? '/dev/ptmx' : at(what);
    await expect(readRegularFile(file, 1e6)).rejects.toMatchObject({ code: 'io' });
    await expect(openRegularFile(file)).rejects.toMatchObject({ code: 'io' });
    await expect(openRegularDescriptor(file)).rejects.toMatchObject({ code: 'io' });
    expect(() => openRegularDescriptorAtOnce(file)).toThrow(FormatError);
  });

  it('is no link where links were followed before', async () => {
    writeFileSync(at('weights'), 'abc');
    symlinkSync('weights', at('link'));
    const { handle, sizeBytes } = await openRegularFile(at('link'));
    await handle.close();
    expect(sizeBytes).toBe(3);
    await expect(openRegularFile(at('link'), true)).rejects.toMatchObject({ code: 'io' });
    await expect(openRegularDescriptor(at('link'), true)).rejects.toMatchObject({ code: 'io' });
    expect(() => openRegularDescriptorAtOnce(at('link'), true)).toThrow(FormatError);
  });
});
