import { homedir, hostname } from 'node:os';
import path from 'node:path';
import { isPlaceholderIn, notOnThisMachine } from './cloudFolders.js';
import { runProgram } from './runProgram.js';
import type { System } from './system.js';
import { unixSystem } from './unix.js';
import { mountOfShare, mountOfVolume, withoutNamespace } from './windowsVolumes.js';

/** PowerShell alone takes a second to start on a busy machine. */
const timeoutMs = 10_000;

/** What Windows gives through its programs and its environment. */
export interface WindowsSources {
  run: (command: string, args: string[]) => Promise<string | null>;
  env: Record<string, string | undefined>;
  home: string;
  hostName: string;
}

const sourcesOfMachine = (): WindowsSources => ({
  run: (command, args) => runProgram(command, args, { timeoutMs }),
  env: process.env,
  home: homedir(),
  hostName: hostname(),
});

/** FILE_FLAG_NO_BUFFERING by the number that libuv gives it on Windows (UV_FS_O_DIRECT); Node has no constant for it there. */
const noBuffering = 0x02000000;

/** Windows. What its programs give is documented for Windows 10 and later; without PowerShell, types of file systems are unknown. */
export function windowsSystem(sources: WindowsSources = sourcesOfMachine()): System {
  const { run, env, home, hostName } = sources;
  const program = (name: string): string => path.win32.join(env['SystemRoot'] ?? 'C:\\Windows', 'System32', name);
  const powershell = program('WindowsPowerShell\\v1.0\\powershell.exe');
  const ask = (script: string): Promise<string | null> => run(powershell, ['-NoProfile', '-NonInteractive', '-Command', script]);
  const cloudFolders = [env['OneDrive'], env['OneDriveConsumer'], env['OneDriveCommercial'], `${home}\\iCloudDrive`].filter(
    (folder) => folder !== undefined,
  );
  return {
    ...unixSystem,
    leadsOutOfFiles: (file) => /^[\\/]{2}/.test(file) || namesDeviceOrStream(file),
    opendirReportsLinks: false,
    hasReparsePoints: true,
    hasUnixStats: false,
    placeholderReason: (file, stats) =>
      isPlaceholderIn(cloudFolders, '\\', withoutNamespace(file), stats) ? notOnThisMachine : null,
    opensDirectories: false,
    directFlag: noBuffering,
    // Others may take it and cache all the same: servers do, and so does wine.
    directTypes: new Set(['ntfs', 'refs']),
    holdsFiles: true,
    async identity() {
      const output = await run(program('reg.exe'), ['query', 'HKLM\\SOFTWARE\\Microsoft\\Cryptography', '/v', 'MachineGuid']);
      const guid = /MachineGuid\s+REG_SZ\s+([\da-f-]{36})/i.exec(output ?? '')?.[1];
      // Machines made of one image may have the same: their names differ.
      return { machineId: guid === undefined ? null : `${hostName}/${guid}`, bootId: null, processNamespace: null };
    },
    async startOfProcess(pid) {
      const started = await ask(`(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`);
      return /^\d+$/.exec(started?.trim() ?? '')?.[0] ?? null;
    },
    async mountAt(file) {
      const mount = mountOfShare(file) ?? mountOfVolume(file, await ask(volumesScript));
      return { mount, storing: mount };
    },
  };
}

const deviceName = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/i;

/** Microsoft, "Naming Files, Paths, and Namespaces": devices have these names in every directory, and a colon names a stream of a file. */
function namesDeviceOrStream(file: string): boolean {
  const parts = file.replace(/^[A-Za-z]:/, '').split(/[\\/]/);
  return parts.some((part) => part.includes(':') || deviceName.test(part));
}

const volumesScript =
  'Get-CimInstance Win32_LogicalDisk | Select-Object DeviceID, DriveType, FileSystem, ProviderName | ConvertTo-Json -Compress';
