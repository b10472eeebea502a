import { chownSync, mkdirSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasNamedPipes, makeNamedPipe } from '../../../builders/namedPipe.js';
import { limits } from '../../../../src/core/bytes/limits.js';
import { isDataName } from '../../../../src/core/bandwidth/checkNames.js';
import { makeMarker, parseMarker, stateOf, type CheckMarker } from '../../../../src/platform/bandwidth/checkMarker.js';
import { createNodeBandwidthService } from '../../../../src/platform/bandwidth/nodeBandwidthService.js';
import { macosSystem } from '../../../../src/platform/os/macos.js';
import { windowsSystem } from '../../../../src/platform/os/windows.js';
import { failureOf, makeFolder, namesIn, removeFolder } from './checkSetup.js';
import { runs } from '../../../builders/seed.js';

const service = createNodeBandwidthService({ threadFile: '' });
const checkName = `.stowage-bandwidth-${'0'.repeat(32)}`;
const ownMarker = await makeMarker(['a.bin'], 0);
let target: string;

beforeEach(() => (target = makeFolder()));
afterEach(() => removeFolder(target));

/** A check that is over, as its marker says. */
function leave(marker: unknown, name = checkName): string {
  const directory = path.join(target, name);
  mkdirSync(directory);
  writeFileSync(path.join(directory, '.stowage-marker.json'), typeof marker === 'string' ? marker : JSON.stringify(marker));
  return directory;
}

const longAgo = new Date('2020-01-01T00:00:00.000Z');

/** The directory of a check that was killed before it wrote its marker. */
function leaveEmpty(name = checkName, made = longAgo): string {
  const directory = path.join(target, name);
  mkdirSync(directory);
  utimesSync(directory, made, made);
  return directory;
}

/** Of a process that is gone. */
function deadMarker(changes: Partial<CheckMarker> = {}): CheckMarker {
  return { ...ownMarker, pid: 2 ** 30, ...changes };
}

describe('the marker of a check', () => {
  it('says that a check of this process is running, and of others what this machine shows', async () => {
    const mine = await makeMarker([], 0);
    expect(await stateOf(mine)).toBe('running');
    expect(await stateOf({ ...mine, pid: 2 ** 30 })).toBe('left');
    expect(await stateOf({ ...mine, host: 'another', machineId: 'another' })).toBe('elsewhere');
    if (process.platform !== 'linux') return;
    expect(await stateOf({ ...mine, bootId: 'before' })).toBe('left');
    expect(await stateOf({ ...mine, processStart: '1' })).toBe('left');
    expect(await stateOf({ ...mine, processNamespace: 'pid:[1]' })).toBe('elsewhere');
  });

  it('is of this machine whatever its name has become, and of an earlier process with the same number', async () => {
    const answers: Record<string, string> = {
      sysctl: 'B3C1F6A2-0000-4000-8000-000000000001\n',
      ioreg: '    "IOPlatformUUID" = "0A1B2C3D-0000-1000-8000-00805F9B34FB"\n',
      ps: 'Mon Nov 23 15:34:59 2026\n',
    };
    const mac = macosSystem({ run: (command) => Promise.resolve(answers[path.basename(command)] ?? null), home: '/home of/ana' });
    const mine = await makeMarker([], 0, mac);
    expect(JSON.stringify(mine)).not.toContain('0A1B2C3D');
    expect(await stateOf({ ...mine, host: 'ana-mac.home' }, mac)).toBe('running');
    expect(await stateOf({ ...mine, host: 'ana-mac.home', bootId: 'before' }, mac)).toBe('left');
    expect(await stateOf({ ...mine, machineId: 'another' }, mac)).toBe('elsewhere');
    expect(await stateOf({ ...mine, processStart: 'Sun Nov 22 09:00:00 2026' }, mac)).toBe('left');
  });

  it('is compared with the time since the start of a machine that gives neither an id of it nor that of the process', async () => {
    const windows = windowsSystem({ run: () => Promise.resolve(null), env: {}, home: 'C:\\Homes\\ana', hostName: 'PC' });
    const mine = await makeMarker([], 0, windows);
    expect([mine.machineId, mine.bootId, mine.processStart]).toEqual([null, null, null]);
    expect(await stateOf(mine, windows)).toBe('running');
    expect(await stateOf({ ...mine, startedAt: '2020-01-01T00:00:00.000Z' }, windows)).toBe('left');
  });

  it('is taken for what it is however it was changed', async () => {
    const good = await makeMarker(['a.bin', 'b.bin'], 3);
    expect(parseMarker(JSON.stringify(good))).toEqual(good);
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(good)), fc.jsonValue(), (key, value) => {
        const parsed = parseMarker(JSON.stringify({ ...good, [key]: value }));
        if (parsed === null) return;
        expect(parsed.files.every(isDataName)).toBe(true);
        expect(parsed.smallFiles).toBeLessThanOrEqual(200_000);
        expect(Number.isSafeInteger(parsed.pid) && parsed.pid > 0).toBe(true);
      }),
      runs(100),
    );
    fc.assert(
      fc.property(fc.string(), (text) => parseMarker(text) === null),
      runs(100),
    );
  });

  it('has the names of the largest check, and no more', () => {
    const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index}-${'n'.repeat(100)}`);
    const most = deadMarker({ files: names(limits.checkMarkerFiles) });
    expect(parseMarker(JSON.stringify(most))).toEqual(most);
    expect(JSON.stringify(most).length).toBeLessThan(limits.checkMarkerBytes);
    expect(parseMarker(JSON.stringify(deadMarker({ files: names(limits.checkMarkerFiles + 1) })))).toBeNull();
    // Files of the shape, one for each stream of a sweep, two for each that measures the sustained rate.
    expect(limits.checkMarkerFiles).toBe(limits.checkFiles + 3 * limits.checkStreams);
  });

  it('names no file outside of its directory', () => {
    const names = fc.oneof(
      fc.string(),
      fc.constantFrom('..', '.', '', '/etc/passwd', '../a', 'a/../../b', 'a\\b', 'a\0', '.stowage-marker.json'),
    );
    fc.assert(
      fc.property(fc.array(names), (files) => {
        const parsed = parseMarker(JSON.stringify(deadMarker({ files })));
        for (const name of parsed?.files ?? []) expect(path.dirname(path.resolve('/check', name))).toBe('/check');
      }),
      runs(100),
    );
  });
});

describe('what an earlier check left', () => {
  it('is found and removed, with files that are not there any more', async () => {
    const directory = leave(deadMarker({ files: ['a.bin', 'gone.bin'], smallFiles: 2 }));
    for (const name of ['a.bin', '.stowage-probe', '.stowage-small-000000', '.stowage-small-000001.new']) {
      writeFileSync(path.join(directory, name), 'abc');
    }
    expect((await service.facts(target)).others).toMatchObject([{ path: directory, state: 'left', bytes: 12, files: 4 }]);
    await service.removeLeft(directory);
    expect(namesIn(target)).toEqual([]);
  });

  it('is listed by age', async () => {
    leave(deadMarker({ startedAt: '2026-02-01T00:00:00.000Z' }), `.stowage-bandwidth-${'1'.repeat(32)}`);
    leave(deadMarker({ startedAt: '2026-01-01T00:00:00.000Z', host: 'another' }), `.stowage-bandwidth-${'2'.repeat(32)}`);
    const { others } = await service.facts(target);
    expect(others.map(({ state, host }) => [state, host === 'another'])).toEqual([
      ['elsewhere', true],
      ['left', false],
    ]);
  });

  it('keeps folders and links in place of its files', async () => {
    const directory = leave(deadMarker({ files: ['a.bin', 'b.bin'] }));
    mkdirSync(path.join(directory, 'a.bin'));
    writeFileSync(path.join(directory, 'a.bin', 'precious'), '');
    writeFileSync(path.join(target, 'precious'), '');
    symlinkSync('../precious', path.join(directory, 'b.bin'));
    expect((await failureOf(service.removeLeft(directory))).code).toBe('not-removed');
    expect(namesIn(directory)).toEqual(['a.bin', 'b.bin']);
    expect(namesIn(path.join(directory, 'a.bin'))).toEqual(['precious']);
    expect(namesIn(target)).toContain('precious');
  });

  it('is an empty directory of before where it was killed ahead of its marker', async () => {
    const directory = leaveEmpty();
    expect((await service.facts(target)).others).toEqual([
      { path: directory, startedAt: longAgo.toISOString(), host: null, bytes: 0, files: 0, state: 'left' },
    ]);
    await service.removeLeft(directory);
    expect(namesIn(target)).toEqual([]);
  });

  it('keeps a directory that is not empty any more', async () => {
    const directory = leaveEmpty();
    expect((await service.facts(target)).others).toHaveLength(1);
    writeFileSync(path.join(directory, 'precious'), '');
    utimesSync(directory, longAgo, longAgo);
    expect((await failureOf(service.removeLeft(directory))).code).toBe('not-removed');
    expect(namesIn(directory)).toEqual(['precious']);
  });

  for (const [what, make] of [
    ['was just made and has no marker yet', () => mkdirSync(path.join(target, checkName))],
    ['is empty and of a time to come', () => leaveEmpty(checkName, new Date(Date.now() + 86_400_000))],
    ['is empty and has another name', () => leaveEmpty('checkpoint-1000')],
    ['is empty and has more to its name', () => leaveEmpty(`${checkName}0`)],
    [
      'has something in it and no marker',
      () => {
        const directory = leaveEmpty();
        mkdirSync(path.join(directory, 'nested'));
        utimesSync(directory, longAgo, longAgo);
      },
    ],
    [
      'is a link to an empty directory',
      () => {
        leaveEmpty('real');
        symlinkSync('real', path.join(target, checkName));
      },
    ],
    ['has another name', () => leave(deadMarker(), 'checkpoint-1000')],
    ['has an unknown version', () => leave({ ...deadMarker(), schemaVersion: 2 })],
    ['names files outside', () => leave(deadMarker({ files: ['../../a.bin'] }))],
    ['names an absolute path', () => leave(deadMarker({ files: [path.join('/', 'etc', 'x')] }))],
    ['has a marker that is no JSON', () => leave('{"kind":')],
    ['has small files without end', () => leave(deadMarker({ smallFiles: 1e15 }))],
    ['has a marker of several gigabytes', () => truncateSync(path.join(leave(deadMarker()), '.stowage-marker.json'), 2 ** 33)],
    [
      'has a marker that is a link',
      () => {
        const real = leave(deadMarker(), 'real');
        mkdirSync(path.join(target, checkName));
        symlinkSync(path.join(real, '.stowage-marker.json'), path.join(target, checkName, '.stowage-marker.json'));
      },
    ],
    [
      'is a link to a directory',
      () => {
        leave(deadMarker(), 'real');
        symlinkSync('real', path.join(target, checkName));
      },
    ],
    ['is a file', () => writeFileSync(path.join(target, checkName), '')],
    ...(hasNamedPipes
      ? ([
          [
            'has a marker that is a pipe',
            () => {
              const marker = path.join(leave(deadMarker()), '.stowage-marker.json');
              rmSync(marker);
              makeNamedPipe(marker);
            },
          ],
        ] as const)
      : []),
    ...(process.getuid?.() === 0
      ? ([
          ['is another user’s', () => chownSync(leave(deadMarker()), 65534, 65534)],
          ['is empty and another user’s', () => chownSync(leaveEmpty(), 65534, 65534)],
        ] as const)
      : []),
  ] as const) {
    it(`is not what ${what}`, async () => {
      make();
      const before = namesIn(target);
      expect((await service.facts(target)).others).toEqual([]);
      for (const name of before) expect((await failureOf(service.removeLeft(path.join(target, name)))).code).toBe('not-removed');
      expect(namesIn(target)).toEqual(before);
    });
  }
});
