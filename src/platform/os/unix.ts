import type { System } from './system.js';

/** What holds for every Unix. What a system has beyond POSIX is added by its own file. */
export const unixSystem: System = {
  leadsOutOfFiles: () => false,
  opendirReportsLinks: true,
  hasReparsePoints: false,
  hasUnixStats: true,
  placeholderReason: () => null,
  opensDirectories: true,
  pathOfDescriptor: () => null,
  directFlag: null,
  directTypes: null,
  dropsPages: false,
  holdsFiles: false,
  identity: () => Promise.resolve({ machineId: null, bootId: null, processNamespace: null }),
  startOfProcess: () => Promise.resolve(null),
  mountAt: () => Promise.resolve({ mount: null, storing: null }),
  writtenByThread: () => null,
  programs: () => Promise.resolve([]),
};
