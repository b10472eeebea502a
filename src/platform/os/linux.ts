import { constants, readdirSync, readlinkSync } from 'node:fs';
import { mountOf, parseMountTable, storingMountOf } from '../../core/bandwidth/mountTable.js';
import type { System } from './system.js';
import { readSystemFile } from './systemFile.js';
import { unixSystem } from './unix.js';

/** What Linux shows of itself in /proc, proc(5); null for what is not there. */
export interface LinuxSources {
  readFile: typeof readSystemFile;
  readLink: (path: string) => string | null;
  /** Names of the numbers of all processes that are visible. */
  processes: () => string[];
  directFlag: number | undefined;
}

const sourcesOfMachine: LinuxSources = {
  readFile: readSystemFile,
  readLink: (path) => orNull(() => readlinkSync(path)),
  processes: () => orNull(() => readdirSync('/proc')) ?? [],
  directFlag: constants.O_DIRECT,
};

/** Works without /proc as well: what it would show is null then. */
export function linuxSystem(sources: LinuxSources = sourcesOfMachine): System {
  const { readFile, readLink } = sources;
  return {
    ...unixSystem,
    // Linux looks a name up from an open directory when it is put behind this.
    pathOfDescriptor: (descriptor) => `/proc/self/fd/${descriptor}/`,
    directFlag: sources.directFlag ?? null,
    dropsPages: true,
    identity: () =>
      Promise.resolve({
        machineId: null,
        bootId: readFile('/proc/sys/kernel/random/boot_id')?.trim() ?? null,
        processNamespace: readLink('/proc/self/ns/pid'),
      }),
    startOfProcess: (pid) => Promise.resolve(startOf(readFile(`/proc/${pid}/stat`))),
    mountAt(path) {
      const mounts = parseMountTable(readFile('/proc/self/mountinfo') ?? '');
      const mount = mountOf(mounts, path);
      return Promise.resolve({ mount, storing: mount === null ? null : storingMountOf(mounts, mount) });
    },
    writtenByThread() {
      const found = /^wchar: (\d+)$/m.exec(readFile('/proc/thread-self/io') ?? '');
      return found === null ? null : Number(found[1]);
    },
    programs: () =>
      Promise.resolve(
        sources
          .processes()
          .filter((entry) => /^\d+$/.test(entry))
          .map((pid) => readFile(`/proc/${pid}/comm`)?.trim() ?? ''),
      ),
  };
}

/** Field 22 of /proc/PID/stat, in ticks. The name of the program, field 2, may hold blanks and brackets, but ends with the last bracket. */
function startOf(stat: string | null): string | null {
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
