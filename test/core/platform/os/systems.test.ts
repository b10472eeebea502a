import { constants, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fileSystemName, isCachedByHost, isShared } from '../../../../src/core/bandwidth/fileSystemKind.js';
import { readStoringFacts } from '../../../../src/platform/bandwidth/fileSystemFacts.js';
import { createNodeFileTree } from '../../../../src/platform/nodeFileTree.js';
import { walkDirectory } from '../../../../src/platform/nodeDirectoryWalk.js';
import { whileHeld, whileHeldSync } from '../../../../src/platform/os/heldFiles.js';
import { linuxSystem } from '../../../../src/platform/os/linux.js';
import { macosSystem } from '../../../../src/platform/os/macos.js';
import { realPath } from '../../../../src/platform/os/realPath.js';
import type { System } from '../../../../src/platform/os/system.js';
import { systemName } from '../../../../src/platform/os/systemName.js';
import { unixSystem } from '../../../../src/platform/os/unix.js';
import { windowsSystem } from '../../../../src/platform/os/windows.js';

afterEach(() => vi.restoreAllMocks());

it.each([
  ['linux', 'linux'],
  ['darwin', 'macos'],
  ['win32', 'windows'],
  ['freebsd', 'other'],
])('%s is %s', (platform, name) => {
  vi.spyOn(process, 'platform', 'get').mockReturnValue(platform as NodeJS.Platform);
  expect(systemName()).toBe(name);
});

describe('Linux', () => {
  it('without /proc and without O_DIRECT gives nothing, and throws nothing', async () => {
    const system = linuxSystem({ readFile: () => null, readLink: () => null, processes: () => [], directFlag: undefined });
    expect(system.directFlag).toBeNull();
    expect(await system.identity()).toEqual({ machineId: null, bootId: null, processNamespace: null });
    expect(await system.startOfProcess(1)).toBeNull();
    expect(await system.mountAt('/data')).toEqual({ mount: null, storing: null });
    expect(system.writtenByThread()).toBeNull();
    expect(await system.programs()).toEqual([]);
  });

  it('has what /proc shows, of a program whose name has brackets too', async () => {
    const files: Record<string, string> = {
      '/proc/7/stat': `7 (a) b) S ${Array.from({ length: 30 }, (_, index) => index + 4).join(' ')}`,
      '/proc/7/comm': 'slurmd\n',
      '/proc/thread-self/io': 'rchar: 1\nwchar: 4096\n',
    };
    const system = linuxSystem({
      readFile: (file) => files[file] ?? null,
      readLink: () => 'pid:[1]',
      processes: () => ['7', 'self'],
      directFlag: 0o40000,
    });
    expect([await system.startOfProcess(7), system.writtenByThread()]).toEqual(['22', 4096]);
    expect(await system.programs()).toEqual(['slurmd']);
    expect(system.pathOfDescriptor(3)).toBe('/proc/self/fd/3/');
  });
});

/** Lines as mount(8) of macOS writes them. */
const macosMount = `/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
devfs on /dev (devfs, local, nobrowse)
/dev/disk3s5 on /System/Volumes/Data (apfs, local, journaled, nobrowse, protect)
map auto_home on /System/Volumes/Data/home (autofs, automounted, nobrowse)
//ana@nas.local/models on /Volumes/models (smbfs, nodev, nosuid, mounted by ana)
files:/export/ckpt on /Volumes/ckpt (nfs, nodev, nosuid, mounted by ana)
/dev/disk5s1 on /Volumes/USB (old) (exfat, local, nodev, nosuid, noowners)
no mount at all
`;

describe('macOS', () => {
  const home = '/home of/ana';
  const system = macosSystem({ run: () => Promise.resolve(macosMount), home });

  it.each([
    ['/home of/ana/ckpt', 'apfs', 'APFS', false],
    ['/Volumes/models/llama', 'smbfs', 'SMB', true],
    ['/Volumes/ckpt', 'nfs', 'NFS', true],
    ['/Volumes/USB (old)/a', 'exfat', 'exFAT', false],
  ])('has %s on %s', async (place, type, name, shared) => {
    const { mount } = await system.mountAt(place);
    expect(mount?.type).toBe(type);
    const named = fileSystemName({ type, source: mount?.source ?? null });
    expect([named.name, isShared(named.kind)]).toEqual([name, shared]);
  });

  it('gives no type where mount gives nothing', async () => {
    const silent = macosSystem({ run: () => Promise.resolve(null), home });
    expect(await silent.mountAt('/')).toEqual({ mount: null, storing: null });
    expect(await silent.identity()).toEqual({ machineId: null, bootId: null, processNamespace: null });
  });

  it('opens no file of a cloud folder that takes no blocks', () => {
    const reason = (file: string, size: number, blocks: number): boolean =>
      system.placeholderReason(file, { size, blocks }) !== null;
    expect(reason(`${home}/Library/Mobile Documents/com~apple~CloudDocs/m.safetensors`, 5e9, 0)).toBe(true);
    expect(reason(`${home}/Documents/m.safetensors`, 5e9, 8)).toBe(false);
    expect(reason(`${home}/Documents/note.txt`, 100, 0)).toBe(false);
    expect(reason('/data/sparse.bin', 5e9, 0)).toBe(false);
    expect(reason(`${home}/DocumentsOfMine/m.safetensors`, 5e9, 0)).toBe(false);
  });
});

/** Members as Microsoft documents Win32_LogicalDisk: of several disks PowerShell makes a list, of one an object. */
const disks = [
  { DeviceID: 'C:', DriveType: 3, FileSystem: 'NTFS', ProviderName: null },
  { DeviceID: 'D:', DriveType: 3, FileSystem: 'ReFS', ProviderName: null },
  { DeviceID: 'E:', DriveType: 2, FileSystem: 'exFAT', ProviderName: null },
  { DeviceID: 'F:', DriveType: 5, FileSystem: null, ProviderName: null },
  { DeviceID: 'M:', DriveType: 4, FileSystem: 'NTFS', ProviderName: '\\\\nas\\models' },
];

function windows(answer: (command: string) => string | null, env: Record<string, string> = {}): System {
  return windowsSystem({ run: (command) => Promise.resolve(answer(command)), env, home: 'C:\\Homes\\ana', hostName: 'PC' });
}

describe('Windows', () => {
  const system = windows(() => JSON.stringify(disks));

  it.each([
    ['C:\\Homes\\ana', 'ntfs', 'NTFS', false],
    ['\\\\?\\c:\\deep', 'ntfs', 'NTFS', false],
    ['D:\\ckpt', 'refs', 'ReFS', false],
    ['E:\\', 'exfat', 'exFAT', false],
    ['F:\\', 'unknown', 'unknown', false],
    ['M:\\llama', 'unc', 'a network share, SMB as a rule', true],
    ['\\\\nas\\models\\llama', 'unc', 'a network share, SMB as a rule', true],
    ['\\\\?\\UNC\\nas\\models', 'unc', 'a network share, SMB as a rule', true],
    ['\\\\cloud@SSL\\DavWWWRoot\\a', 'webdav', 'WebDAV', true],
    ['\\\\wsl.localhost\\Ubuntu\\home', '9p', '9p, a distribution of WSL', false],
  ])('has %s on %s', async (place, type, name, shared) => {
    const { mount } = await system.mountAt(place);
    expect(mount?.type).toBe(type);
    const named = fileSystemName({ type, source: mount?.source ?? null });
    expect([named.name, isShared(named.kind)]).toEqual([name, shared]);
  });

  it.each([null, '', 'Access denied', '{"DeviceID":5}', JSON.stringify(disks[1])])('takes %j for no drive C:', async (answer) => {
    expect(await windows(() => answer).mountAt('C:\\')).toEqual({ mount: null, storing: null });
  });

  it('identifies a machine by its name and its installation', async () => {
    const recorded =
      '\r\nHKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Cryptography\r\n    MachineGuid    REG_SZ    f96ea75f-41b7-46dc-82d9-11e400937a14\r\n\r\n';
    const { machineId } = await windows((command) => (command.endsWith('\\System32\\reg.exe') ? recorded : null)).identity();
    expect(machineId).toBe('PC/f96ea75f-41b7-46dc-82d9-11e400937a14');
    expect(await windows(() => '133769000000000000\r\n').startOfProcess(7)).toBe('133769000000000000');
    expect(await windows(() => 'Get-Process : Cannot find a process').startOfProcess(7)).toBeNull();
  });

  it.each(['C:\\a\\nul', 'con.json', 'a/COM1 .txt', 'lpt¹', 'm.safetensors:stream', 'C:\\m.json::$DATA'])(
    'opens no device or stream for %s',
    (named) => {
      expect(system.leadsOutOfFiles(named)).toBe(true);
      expect(linuxSystem().leadsOutOfFiles(named)).toBe(false);
    },
  );

  it.each(['C:\\a\\m.json', 'a/console.json', 'common/m.json', 'm.json.', 'd:m.json', 'COM10', 'x'.repeat(400)])(
    'takes %s for a file',
    (named) => expect(system.leadsOutOfFiles(named)).toBe(false),
  );

  it('takes reads for uncached only where the file system is known not to cache them', async () => {
    const root = os.tmpdir();
    const at = (type: string): System => {
      const mount = { mountPoint: root, type, source: '', options: [] };
      return { ...system, mountAt: () => Promise.resolve({ mount, storing: mount }) };
    };
    for (const [type, hasOwnCache] of [
      ['ntfs', false],
      ['refs', false],
      ['unc', true],
      ['unknown', true],
    ] as const)
      expect(await readStoringFacts(root, at(type))).toEqual({ isInMemory: false, hasOwnCache });
  });

  it.each(['//evil/share/m', '\\\\evil\\share', '/\\evil\\s', '\\\\?\\C:\\x', '\\\\.\\pipe\\x'])(
    'logs in nowhere for %s',
    (named) => {
      expect(system.leadsOutOfFiles(named)).toBe(true);
      for (const other of [linuxSystem(), macosSystem(), unixSystem]) expect(other.leadsOutOfFiles(named)).toBe(false);
    },
  );

  it('opens no placeholder of OneDrive, by whatever path it is reached', () => {
    const cloud = windows(() => null, { OneDrive: 'C:\\Homes\\ana\\OneDrive' });
    const reason = (file: string, blocks: number): boolean => cloud.placeholderReason(file, { size: 5e9, blocks }) !== null;
    expect(reason('C:\\Homes\\ana\\OneDrive\\m.gguf', 0)).toBe(true);
    expect(reason('\\\\?\\c:\\homes\\ana\\onedrive\\m.gguf', 0)).toBe(true);
    expect(reason('C:\\Homes\\ana\\OneDrive\\m.gguf', 8)).toBe(false);
    expect(reason('D:\\m.gguf', 0)).toBe(false);
  });

  it('reads past the cache by a flag that Node has no constant for', () => {
    expect(system.directFlag).toBe(0x02000000);
    expect(macosSystem().directFlag).toBeNull();
    expect(linuxSystem().directFlag).toBe(constants.O_DIRECT ?? null);
  });
});

describe('folders of a host', () => {
  const mounted = (type: string, source: string): System => ({
    ...unixSystem,
    mountAt: () => {
      const mount = { mountPoint: '/mnt/c', type, source, options: [] };
      return Promise.resolve({ mount, storing: mount });
    },
  });

  it.each([
    ['9p', 'C:\\', '9p, a Windows drive through WSL'],
    ['9p', 'hostshare', '9p, a folder of the host'],
    ['virtiofs', 'work', 'virtiofs, a folder of the host'],
    ['drvfs', 'C:', 'a Windows drive through WSL'],
  ])('%s of %s has a cache that O_DIRECT does not reach', async (type, source, name) => {
    expect(fileSystemName({ type, source })).toEqual({ name, kind: 'node' });
    expect(isCachedByHost(type)).toBe(true);
    expect(await readStoringFacts('/mnt/c', mounted(type, source))).toEqual({ isInMemory: false, hasOwnCache: true });
    expect(isCachedByHost('ext4')).toBe(false);
  });
});

describe('a file that a scanner holds', () => {
  const held = (code: string, times: number): (() => void) => {
    let left = times;
    return () => {
      if (left-- > 0) throw Object.assign(new Error(code), { code });
    };
  };

  it.each(['EPERM', 'EBUSY', 'EACCES'])('is tried again after %s on Windows only', async (code) => {
    const system = windows(() => null);
    const once = held(code, 1);
    await whileHeld(() => Promise.resolve(once()), system);
    whileHeldSync(held(code, 2), system);
    expect(() => whileHeldSync(held(code, 1), unixSystem)).toThrow(code);
    const again = held(code, 1);
    await expect(whileHeld(async () => again(), unixSystem)).rejects.toThrow(code);
  });

  it('is given up after a second, and not tried again for anything else', () => {
    const system = windows(() => null);
    expect(() => whileHeldSync(held('EBUSY', 99), system)).toThrow('EBUSY');
    expect(() => whileHeldSync(held('ENOENT', 1), system)).toThrow('ENOENT');
  });
});

describe('a tree on Windows', () => {
  let root: string;
  const system: System = { ...windows(() => null), placeholderReason: () => null };

  beforeEach(() => {
    root = mkdtempSync(path.join(os.tmpdir(), 'stowage-os-'));
    mkdirSync(path.join(root, 'a'));
    writeFileSync(path.join(root, 'a', 'x.bin'), 'abc');
    symlinkSync('..', path.join(root, 'a', 'loop'));
    symlinkSync('a', path.join(root, 'junction'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('is listed without following links of directories, which Node 20 reports as directories from opendir alone', async () => {
    const { files } = await walkDirectory(root, { system });
    expect(files.map(({ path: file, kind }) => [file, kind]).sort()).toEqual([
      ['a/loop', 'link'],
      ['a/x.bin', 'file'],
      ['junction', 'link'],
    ]);
    const { entries } = await (await createNodeFileTree(root, null, system)).list();
    expect(entries.map(({ path: file, sizeBytes, allocatedBytes }) => [file, sizeBytes, allocatedBytes])).toEqual([
      ['a/loop', 0, 0],
      ['a/x.bin', 3, undefined],
      ['junction', 0, 0],
    ]);
  });

  it('has a placeholder with its size, and never opens it', async () => {
    const cloud: System = { ...system, placeholderReason: (file) => (file.endsWith('x.bin') ? 'in the cloud' : null) };
    for (const place of [root, path.join(root, 'a', 'x.bin')]) {
      const tree = await createNodeFileTree(place, null, cloud);
      const entry = (await tree.list()).entries.find(({ path: file }) => file.endsWith('x.bin'));
      expect(entry).toMatchObject({ sizeBytes: 3, error: 'in the cloud' });
      await expect(tree.open(entry?.path ?? '')).rejects.toMatchObject({ code: 'io', detail: 'in the cloud' });
    }
  });

  it('has the real path of a file for which the system has no final one', async () => {
    const native = (): Promise<never> => Promise.reject(Object.assign(new Error('EISDIR'), { code: 'EISDIR' }));
    const file = path.join(root, 'junction', 'x.bin');
    const real = await realPath(file, system, native);
    expect(lstatSync(real).size).toBe(3);
    expect(real.endsWith(`${path.sep}a${path.sep}x.bin`)).toBe(true);
    await expect(realPath(file, unixSystem, native as never)).rejects.toThrow('EISDIR');
    await expect(realPath(path.join(root, 'gone'), system, native as never)).rejects.toThrow('EISDIR');
  });
});
