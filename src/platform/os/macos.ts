import { homedir } from 'node:os';
import path from 'node:path';
import { mountOf } from '../../core/bandwidth/mountTable.js';
import { isPlaceholderIn, notOnThisMachine } from './cloudFolders.js';
import { parseMacosMounts } from './macosMounts.js';
import { runProgram } from './runProgram.js';
import type { System } from './system.js';
import { unixSystem } from './unix.js';

/** Programs that are part of macOS. They start in some 10 ms; `mount` may wait for a server. */
const timeoutMs = 3_000;

/** What the programs of macOS write. */
export interface MacosSources {
  run: (command: string, args: string[]) => Promise<string | null>;
  home: string;
}

const sourcesOfMachine: MacosSources = {
  run: (command, args) => runProgram(command, args, { timeoutMs }),
  home: homedir(),
};

/**
 * macOS. Reads past the cache need F_NOCACHE, which is set by fcntl(2): Node has no call for it. Node's fsync is F_FULLFSYNC there
 * (libuv, `uv__fs_fsync`), so that synced data are on the drive and not in its cache.
 */
export function macosSystem({ run, home }: MacosSources = sourcesOfMachine): System {
  const cloudFolders = ['Library/Mobile Documents', 'Library/CloudStorage', 'Desktop', 'Documents'].map((folder) =>
    path.posix.join(home, folder),
  );
  return {
    ...unixSystem,
    placeholderReason: (file, stats) => (isPlaceholderIn(cloudFolders, '/', file, stats) ? notOnThisMachine : null),
    async identity() {
      const [boot, hardware] = await Promise.all([
        run('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']),
        run('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']),
      ]);
      return { machineId: hardwareId(hardware), bootId: boot?.trim() || null, processNamespace: null };
    },
    async startOfProcess(pid) {
      const started = await run('/bin/ps', ['-o', 'lstart=', '-p', String(pid)]);
      return started?.trim() || null;
    },
    async mountAt(file) {
      const mount = mountOf(parseMacosMounts((await run('/sbin/mount', [])) ?? ''), file);
      return { mount, storing: mount };
    },
  };
}

/** `"IOPlatformUUID" = "…"`: given by the manufacturer, whatever the machine is called. */
function hardwareId(output: string | null): string | null {
  return /"IOPlatformUUID" = "([\dA-F-]{36})"/.exec(output ?? '')?.[1] ?? null;
}
