import { appendFileSync, linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasNamedPipes, makeNamedPipe } from '../../builders/namedPipe.js';
import { FormatError } from '../../../src/core/bytes/formatError.js';
import { createNodeFileTree } from '../../../src/platform/nodeFileTree.js';

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'stowage-tree-'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, content = 'abc'): void {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), content);
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return FormatError.is(error) ? error.code : `no FormatError: ${String(error)}`;
}

describe('listing of a local folder', () => {
  it('has all files below it in natural order', async () => {
    for (const name of ['rank_10.pt', 'rank_2.pt', 'sub/deep/a.bin', 'sub/b.bin']) write(name);
    const { entries, errors, truncated } = await (await createNodeFileTree(root)).list();
    expect(entries.map((entry) => [entry.path, entry.sizeBytes])).toEqual([
      ['rank_2.pt', 3],
      ['rank_10.pt', 3],
      ['sub/b.bin', 3],
      ['sub/deep/a.bin', 3],
    ]);
    expect([errors, truncated]).toEqual([[], false]);
  });

  it('counts a linked file once: where it lies, if that is inside', async () => {
    const outside = mkdtempSync(path.join(os.tmpdir(), 'stowage-outside-'));
    try {
      writeFileSync(path.join(outside, 'blob'), '12345');
      write('real.bin');
      symlinkSync('real.bin', path.join(root, 'inside.bin'));
      symlinkSync(path.join(outside, 'blob'), path.join(root, 'outside.bin'));
      const { entries } = await (await createNodeFileTree(root)).list();
      expect(entries.map(({ link }) => link?.entry)).toEqual(['real.bin', undefined, undefined]);
      expect(entries.map(({ path: name, sizeBytes, link }) => [name, sizeBytes, link?.inside])).toEqual([
        ['inside.bin', 0, true],
        ['outside.bin', 5, false],
        ['real.bin', 3, undefined],
      ]);
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  it('has what the names of one file take on the disk once', async () => {
    write('b/second.bin', 'x'.repeat(5000));
    linkSync(path.join(root, 'b/second.bin'), path.join(root, 'a.bin'));
    write('c.bin');
    const { entries } = await (await createNodeFileTree(root)).list();
    const [first, second, other] = ['a.bin', 'b/second.bin', 'c.bin'].map((name) => entries.find((entry) => entry.path === name));
    expect(first?.allocatedBytes).toBeGreaterThanOrEqual(5000);
    expect(second).toMatchObject({ sizeBytes: 5000, allocatedBytes: 0 });
    expect(first?.fileId).toBe(second?.fileId);
    expect(other?.fileId).toBeUndefined();
  });

  it('takes nothing from the disk for a link, whatever other names its target has', async () => {
    write('b/data.bin');
    linkSync(path.join(root, 'b/data.bin'), path.join(root, 'c.bin'));
    symlinkSync('b/data.bin', path.join(root, 'a.bin'));
    symlinkSync('b', path.join(root, 'd'));
    const { entries } = await (await createNodeFileTree(root)).list();
    const allocated = Object.fromEntries(entries.map((entry) => [entry.path, (entry.allocatedBytes ?? -1) > 0]));
    expect(allocated).toEqual({ 'a.bin': false, 'b/data.bin': true, 'c.bin': false, d: false });
    expect(entries.every(({ allocatedBytes }) => allocatedBytes !== undefined)).toBe(true);
  });

  it('follows no link to a folder, so that loops end', async () => {
    write('sub/a.bin');
    symlinkSync('..', path.join(root, 'sub', 'loop'));
    symlinkSync('self', path.join(root, 'self'));
    const { entries } = await (await createNodeFileTree(root)).list();
    expect(entries.map(({ path: name, sizeBytes }) => [name, sizeBytes])).toEqual([
      ['self', 0],
      ['sub/a.bin', 3],
      ['sub/loop', 0],
    ]);
    expect(entries[0]?.error).toContain('loop');
  });

  it.skipIf(!hasNamedPipes)('lists dangling links and pipes as errors and never opens a pipe', async () => {
    symlinkSync('nothing', path.join(root, 'dangling'));
    makeNamedPipe(path.join(root, 'pipe'));
    const tree = await createNodeFileTree(root);
    const { entries } = await tree.list();
    expect(entries.map(({ error }) => error)).toEqual(['the link points at nothing', expect.stringContaining('pipe')]);
    expect(await codeOf(tree.open('pipe'))).toBe('io');
  });

  describe.skipIf(process.platform !== 'linux')('files whose names are not UTF-8', () => {
    const writeBytes = (...parts: (string | number)[]): void => {
      const name = Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.of(part) : Buffer.from(part))));
      writeFileSync(Buffer.concat([Buffer.from(`${root}${path.sep}`), name]), name);
    };
    const contentOf = async (name: string): Promise<string> => {
      const source = await (await createNodeFileTree(root)).open(name);
      const bytes = await source.read(0, source.sizeBytes);
      await source.close();
      return Buffer.from(bytes).toString('latin1');
    };

    it('are listed by their escaped names, and read', async () => {
      writeBytes('a', 0xff, '.bin');
      writeBytes('a', 0xfe, '.bin');
      writeBytes('größe', 0xc3, '.pkl');
      const { entries } = await (await createNodeFileTree(root)).list();
      expect(entries.map(({ path: name, error }) => [name, error]).sort()).toEqual([
        ['a\\xfe.bin', undefined],
        ['a\\xff.bin', undefined],
        ['größe\\xc3.pkl', undefined],
      ]);
      expect(await contentOf('a\\xff.bin')).toBe('a\xff.bin');
      expect(await contentOf('a\\xfe.bin')).toBe('a\xfe.bin');
    });

    it('are not hidden by a file with the character that stands for their bytes', async () => {
      writeBytes('a\ufffd.bin');
      writeBytes('a', 0xff, '.bin');
      const { entries } = await (await createNodeFileTree(root)).list();
      expect(entries.map(({ path: name }) => name).sort()).toEqual(['a\\xff.bin', 'a\ufffd.bin']);
    });

    const bytesOf = (...parts: (string | number)[]): Buffer =>
      Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.of(part) : Buffer.from(part))));
    const at = (...parts: (string | number)[]): Buffer => bytesOf(`${root}${path.sep}`, ...parts);

    it('in folders whose names are not are listed, counted and read', async () => {
      mkdirSync(at('a', 0xff, '/in', 0xfe), { recursive: true });
      mkdirSync(at('a', 0xfd), { recursive: true });
      writeFileSync(at('a', 0xff, '/x.bin'), 'one');
      writeFileSync(at('a', 0xff, '/in', 0xfe, '/y', 0xfc, '.bin'), 'three');
      writeFileSync(at('a', 0xfd, '/x.bin'), 'seven..');
      const { entries, errors } = await (await createNodeFileTree(root)).list();
      expect(errors).toEqual([]);
      expect(entries.map(({ path: name, sizeBytes, error }) => [name, sizeBytes, error]).sort()).toEqual([
        ['a\\xfd/x.bin', 7, undefined],
        ['a\\xff/in\\xfe/y\\xfc.bin', 5, undefined],
        ['a\\xff/x.bin', 3, undefined],
      ]);
      expect(await contentOf('a\\xff/in\\xfe/y\\xfc.bin')).toBe('three');
      expect(await contentOf('a\\xfd/x.bin')).toBe('seven..');
    });

    it('are followed by links, and links have them', async () => {
      mkdirSync(at('d', 0xff));
      writeFileSync(at('d', 0xff, '/x.bin'), 'four');
      writeFileSync(at('plain.bin'), 'plain');
      symlinkSync(bytesOf('d', 0xff, '/x.bin'), at('to-bytes.bin'));
      symlinkSync(bytesOf('plain.bin'), at('l', 0xff, '.bin'));
      symlinkSync(bytesOf('d', 0xff), at('to-folder', 0xfe));
      symlinkSync(bytesOf('gone', 0xff), at('l', 0xfd, '.bin'));
      const { entries, errors } = await (await createNodeFileTree(root)).list();
      expect(errors).toEqual([]);
      expect(
        entries.map(({ path: name, sizeBytes, link, error }) => [name, sizeBytes, link?.target, link?.entry, error]).sort(),
      ).toEqual([
        ['d\\xff/x.bin', 4, undefined, undefined, undefined],
        ['l\\xfd.bin', 0, 'gone\\xff', undefined, 'the link points at nothing'],
        ['l\\xff.bin', 0, 'plain.bin', 'plain.bin', undefined],
        ['plain.bin', 5, undefined, undefined, undefined],
        ['to-bytes.bin', 0, 'd\\xff/x.bin', 'd\\xff/x.bin', undefined],
        ['to-folder\\xfe', 0, 'd\\xff', undefined, undefined],
      ]);
      expect(await contentOf('to-bytes.bin')).toBe('four');
      expect(await contentOf('l\\xff.bin')).toBe('plain');
    });

    it('are not followed out of a workspace that is not trusted', async () => {
      const outside = mkdtempSync(path.join(os.tmpdir(), 'outside-'));
      writeFileSync(bytesOf(`${outside}/s`, 0xff), 'secret');
      symlinkSync(bytesOf(`${outside}/s`, 0xff), at('l', 0xff));
      const tree = await createNodeFileTree(root, [root]);
      const { entries } = await tree.list();
      expect(entries).toMatchObject([{ path: 'l\\xff', sizeBytes: 0, error: expect.stringContaining('not trusted') as string }]);
      expect(await codeOf(tree.open('l\\xff'))).toBe('io');
      rmSync(outside, { recursive: true });
    });

    it('that would be listed as another file are counted, and said', async () => {
      writeBytes('a\\xff.bin');
      writeBytes('a', 0xff, '.bin');
      const { entries } = await (await createNodeFileTree(root)).list();
      expect(entries.map(({ sizeBytes }) => sizeBytes).sort()).toEqual(['a\\xff.bin'.length, 6].sort());
      expect(entries.filter(({ error }) => error?.startsWith('its name is not UTF-8') === true)).toHaveLength(1);
    });
  });

  it('is of one entry for a single file', async () => {
    write('model.safetensors', 'hello');
    const tree = await createNodeFileTree(path.join(root, 'model.safetensors'));
    expect(tree.rootName).toBe('model.safetensors');
    expect((await tree.list()).entries.map(({ path: name, sizeBytes }) => [name, sizeBytes])).toEqual([['model.safetensors', 5]]);
    const source = await tree.open('model.safetensors');
    expect(new TextDecoder().decode(await source.read(0, 5))).toBe('hello');
    await source.close();
  });

  it('brings the partner of a single file along, whichever of both is named', async () => {
    write('text_document.bin', 'tokens');
    write('text_document.idx', 'index');
    write('other.bin', 'other');
    for (const name of ['text_document.bin', 'text_document.idx']) {
      const tree = await createNodeFileTree(path.join(root, name));
      expect(tree.rootName).toBe(name);
      const { entries } = await tree.list();
      expect(entries.map((entry) => [entry.path, entry.sizeBytes])).toEqual([
        ['text_document.bin', 6],
        ['text_document.idx', 5],
      ]);
      const source = await tree.open('text_document.idx');
      expect(new TextDecoder().decode(await source.read(0, 5))).toBe('index');
      await source.close();
      expect(await codeOf(tree.open('other.bin'))).toBe('io');
    }
  });

  it('brings no partner along that is no file', async () => {
    write('other.bin', 'other');
    mkdirSync(path.join(root, 'other.idx'));
    const { entries } = await (await createNodeFileTree(path.join(root, 'other.bin'))).list();
    expect(entries.map((entry) => entry.path)).toEqual(['other.bin']);
  });

  it('fails for a path that is not there, and for one that is no file', async () => {
    expect(await codeOf(createNodeFileTree(path.join(root, 'nothing')))).toBe('io');
    expect(await codeOf(createNodeFileTree('/dev/null'))).toBe('io');
  });

  it('stops when it is cancelled', async () => {
    write('a.bin');
    const tree = await createNodeFileTree(root);
    expect(await codeOf(tree.list(AbortSignal.abort()))).toBe('cancelled');
    expect((await tree.list()).entries).toHaveLength(1);
  });
});

describe('reading of a local file', () => {
  it('opens only what was listed', async () => {
    write('sub/a.bin');
    const tree = await createNodeFileTree(path.join(root, 'sub'));
    for (const name of ['../sub/a.bin', './a.bin', path.join(root, 'sub', 'a.bin'), 'b.bin', '']) {
      expect(await codeOf(tree.open(name)), name).toBe('io');
    }
  });

  it('gives exactly the bytes that were asked for', async () => {
    write('a.bin', '0123456789');
    const source = await (await createNodeFileTree(root)).open('a.bin');
    expect(new TextDecoder().decode(await source.read(3, 4))).toBe('3456');
    expect(await source.read(10, 0)).toHaveLength(0);
    for (const [offset, length] of [
      [8, 3],
      [11, 0],
      [-1, 1],
      [0, Number.MAX_SAFE_INTEGER],
    ] as const) {
      expect(await codeOf(source.read(offset, length))).toBe('truncated');
    }
    await source.close();
    await source.close();
  });

  it('ends in an error when the file shrinks, and keeps to its size when it grows', async () => {
    write('a.bin', '0123456789');
    const source = await (await createNodeFileTree(root)).open('a.bin');
    appendFileSync(path.join(root, 'a.bin'), 'more');
    expect(await codeOf(source.read(10, 1))).toBe('truncated');
    truncateSync(path.join(root, 'a.bin'), 4);
    expect(await codeOf(source.read(2, 4))).toBe('truncated');
    await source.close();
  });

  it('waits for a free handle when many are open, and stops waiting when it is cancelled', async () => {
    for (let index = 0; index < 40; index++) write(`${index}.bin`);
    const tree = await createNodeFileTree(root);
    const open = await Promise.all(Array.from({ length: 32 }, (_, index) => tree.open(`${index}.bin`)));
    const controller = new AbortController();
    const cancelled = codeOf(tree.open('33.bin', controller.signal));
    const waiting = tree.open('34.bin');
    controller.abort();
    expect(await cancelled).toBe('cancelled');
    await open[0]?.close();
    await (await waiting).close();
    await Promise.all(open.map((source) => source.close()));
  });
});
