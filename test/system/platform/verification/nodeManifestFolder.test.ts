import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../builders/until.js';
import { temporaryName } from '../../../../src/platform/replaceFiles.js';
import { nodeManifestFolder } from '../../../../src/platform/verification/nodeManifestFolder.js';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'stowage-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the folder of a manifest', () => {
  it('is made with the first file, and has no partial manifest at the end', async () => {
    const manifest = nodeManifestFolder(path.join(folder, 'deep', 'er'));
    expect(await manifest.readPartial()).toBeNull();
    await manifest.beginPartial('head\n');
    await manifest.addToPartial('line\n');
    await manifest.flushPartial();
    expect(await manifest.readPartial()).toBe('head\nline\n');
    await manifest.finish({ a: 'x', b: 'y' });
    expect(readdirSync(path.join(folder, 'deep', 'er')).sort()).toEqual(['a', 'b']);
  });

  it('has lines without their being flushed, at once or not at all', async () => {
    const manifest = nodeManifestFolder(folder);
    await manifest.beginPartial('head\n');
    await manifest.addToPartial('a\n');
    await manifest.addToPartial('b\n');
    expect(await manifest.readPartial()).toBe('head\n');
    await until('both lines', () => readFileSync(path.join(folder, 'stowage-manifest.json.partial'), 'utf8') === 'head\na\nb\n');
  });

  it('fails for what is added after lines could not be written', async () => {
    const manifest = nodeManifestFolder(path.join(folder, 'none'));
    await manifest.addToPartial('a\n');
    await expect(manifest.flushPartial()).rejects.toMatchObject({ code: 'io' });
    await expect(manifest.addToPartial('b\n')).rejects.toMatchObject({ code: 'io' });
  });

  it('keeps the old files where one of the new ones cannot be written', async () => {
    writeFileSync(path.join(folder, 'a'), 'old');
    // Where the second file would be written there is a directory: the write fails as it does on a full disk.
    mkdirSync(path.join(folder, temporaryName('b', process.pid)));
    const manifest = nodeManifestFolder(folder);
    await manifest.beginPartial('head\n');
    await expect(manifest.finish({ a: 'new', b: 'new' })).rejects.toMatchObject({ code: 'io' });
    expect(readFileSync(path.join(folder, 'a'), 'utf8')).toBe('old');
    expect(await manifest.readPartial()).toBe('head\n');
  });

  it('renames its files in their order', async () => {
    // Where the second file is to be there is a directory with a file: it takes the place of no other.
    mkdirSync(path.join(folder, 'a', 'full'), { recursive: true });
    await expect(nodeManifestFolder(folder).finish({ b: 'new', a: 'new' })).rejects.toMatchObject({ code: 'io' });
    expect(readFileSync(path.join(folder, 'b'), 'utf8')).toBe('new');
  });

  it('removes what a process that was killed has left of it, and nothing of one that runs', async () => {
    const { pid: ended } = spawnSync(process.execPath, ['--version']);
    const left = [temporaryName('a', ended), temporaryName('b', process.pid)];
    const others = [temporaryName('a', process.ppid), temporaryName('c', ended), `a.other-machine-${ended}.tmp`, 'a.tmp'];
    for (const name of [...left, ...others]) writeFileSync(path.join(folder, name), 'half');
    await nodeManifestFolder(folder).finish({ a: 'new', b: 'new' });
    expect(readdirSync(folder).sort()).toEqual([...others, 'a', 'b'].sort());
    expect(readFileSync(path.join(folder, 'b'), 'utf8')).toBe('new');
  });

  it('does not write through a link', async () => {
    writeFileSync(path.join(folder, 'target'), 'precious');
    symlinkSync('target', path.join(folder, 'stowage-manifest.json.partial'));
    await expect(nodeManifestFolder(folder).beginPartial('head\n')).rejects.toMatchObject({ code: 'io' });
    expect(readFileSync(path.join(folder, 'target'), 'utf8')).toBe('precious');
  });
});
