import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freeBytesFor } from '../../../src/platform/freeBytes.js';
import { nodeConfigSources } from '../../../src/platform/nodeConfigSources.js';
import { windowsSystem } from '../../../src/platform/os/windows.js';
import { createNodeFileTree } from '../../../src/platform/nodeFileTree.js';

const outOfWorkspace = 'it leads out of the workspace, which is not trusted';

let folder: string;
const at = (...names: string[]): string => path.join(folder, ...names);

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'stowage-roots-'));
  for (const name of ['work/run', 'work-2', 'home']) mkdirSync(at(name), { recursive: true });
  for (const name of ['work/model.json', 'work-2/model.json', 'home/secret.json']) writeFileSync(at(name), '{"hidden_size": 8}');
  symlinkSync(at('home/secret.json'), at('work/run/linked.json'));
  symlinkSync('../model.json', at('work/run/beside.json'));
  symlinkSync(at('home'), at('work/run/home'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

describe('a config of a workspace that is not trusted', () => {
  it.each([
    ['linked.json', false],
    ['beside.json', true],
    ['../model.json', true],
    ['model.json', true],
    ['../../work-2/model.json', false],
    ['../../home/secret.json', false],
    ['home/secret.json', false],
  ])('names %s: read %s', async (named, isRead) => {
    const found = await nodeConfigSources(at('work/run'), [at('work')]).read(named);
    expect(found !== null).toBe(isRead);
    expect(await nodeConfigSources(at('work/run')).read(named)).not.toBeNull();
  });

  it('names no file by its absolute path but those of the workspace', async () => {
    const { read } = nodeConfigSources(at('work/run'), [at('work')]);
    expect(await read(at('work/model.json'))).not.toBeNull();
    expect(await read(at('home/secret.json'))).toBeNull();
  });
});

it.each(['/dev/zero', '/dev/ptmx', '/proc/self/environ', '/proc/kmsg', '/sys/kernel/uevent_seqnum'])(
  'a config never has %s read',
  async (named) => expect(await nodeConfigSources(at('work')).read(named)).toBeNull(),
);

it.each([(file: string) => `/${file}`, (file: string) => `\\\\${file}`, (file: string) => `/\\${file}`])(
  'a config that names a server on Windows has nothing there opened, nor its space asked for',
  async (onServer) => {
    const named = onServer(at('work/model.json'));
    expect(await nodeConfigSources(at('work'), null, windowsSystem()).read(named)).toBeNull();
    expect(await freeBytesFor(at('work'), named, windowsSystem())).toBeNull();
  },
);

it('a path that begins with two slashes is one of this machine elsewhere', async () => {
  const named = `/${at('work/model.json')}`;
  expect(await nodeConfigSources(at('work')).read(named)).not.toBeNull();
  expect(await freeBytesFor(at('work'), `/${at('work')}`)).toBeGreaterThan(0);
});

it.each(['$SCRATCH/out', 'gs://bucket/run', '{{ output_dir }}', '<path>', '/no-such-machine/run/checkpoints'])(
  'free space of %s is not known here',
  async (outputFolder) => {
    expect(await freeBytesFor(at('work'), outputFolder)).toBeNull();
  },
);

it('free space of a folder that is made later is that of the one above', async () => {
  expect(await freeBytesFor(at('work'), 'out/run-1')).toBeGreaterThan(0);
  expect(await freeBytesFor(at('work'), at('work/later/run-1'))).toBeGreaterThan(0);
});

describe('files below a directory of a workspace that is not trusted', () => {
  it('are read but for links out of it', async () => {
    const tree = await createNodeFileTree(at('work'), [at('work')]);
    const { entries } = await tree.list();
    expect(entries.map((entry) => [entry.path, entry.sizeBytes, entry.error])).toEqual([
      ['model.json', 18, undefined],
      ['run/beside.json', 0, undefined],
      ['run/home', 0, undefined],
      ['run/linked.json', 0, outOfWorkspace],
    ]);
    const beside = await tree.open('run/beside.json');
    expect(beside.sizeBytes).toBe(18);
    await beside.close();
    await expect(tree.open('run/linked.json')).rejects.toMatchObject({ code: 'io', detail: outOfWorkspace });
  });

  it('are read through links in a trusted one', async () => {
    const tree = await createNodeFileTree(at('work'));
    const source = await tree.open('run/linked.json');
    expect(source.sizeBytes).toBe(18);
    await source.close();
  });

  it('are not those of a directory outside that a link leads to', async () => {
    await expect(createNodeFileTree(at('work/run/home'), [at('work')])).rejects.toMatchObject({ detail: outOfWorkspace });
    await expect(createNodeFileTree(at('work/run/linked.json'), [at('work')])).rejects.toMatchObject({ detail: outOfWorkspace });
  });

  it('are not files that a link took the place of after the listing', async () => {
    const tree = await createNodeFileTree(at('work'));
    await tree.list();
    rmSync(at('work/model.json'));
    symlinkSync(at('home/secret.json'), at('work/model.json'));
    await expect(tree.open('model.json')).rejects.toMatchObject({ code: 'io' });
  });
});
