import * as v from 'valibot';
import type { Mount } from '../../core/bandwidth/mountTable.js';

/** Members of Win32_LogicalDisk (Microsoft, "Win32_LogicalDisk class"). */
const diskSchema = v.object({
  DeviceID: v.string(),
  DriveType: v.number(),
  FileSystem: v.nullable(v.string()),
  ProviderName: v.nullable(v.string()),
});
type Disk = v.InferOutput<typeof diskSchema>;

/** DriveType of a drive letter that stands for a share. */
const networkDrive = 4;
const removableDrive = 2;

/** A path without `\\?\`, the prefix for long ones: `C:\…`, `\\server\share\…`. */
export function withoutNamespace(path: string): string {
  return path.replace(/^\\\\\?\\UNC\\/i, '\\\\').replace(/^\\\\\?\\(?=[A-Za-z]:)/, '');
}

/** The share that a path names; null for a path that begins with a drive letter. */
export function mountOfShare(path: string): Mount | null {
  const [whole, server = ''] = /^\\\\([^\\?.][^\\]*)\\[^\\]+/.exec(withoutNamespace(path)) ?? [];
  return whole === undefined ? null : { mountPoint: whole, type: typeOfServer(server), source: whole, options: [] };
}

/** WSL shows the files of its distributions as a server of this machine; WebDAV has the port or `SSL` behind the name. */
function typeOfServer(server: string): string {
  if (/^(wsl\$|wsl\.localhost)$/i.test(server)) return '9p';
  return /@(SSL|\d+)(@|$)/i.test(server) ? 'webdav' : 'unc';
}

/**
 * The volume of a path's drive letter.
 * @param output JSON of the members above: of one disk an object, of several a list; null where nothing answered
 */
export function mountOfVolume(path: string, output: string | null): Mount | null {
  const drive = /^[A-Za-z]:/.exec(withoutNamespace(path))?.[0].toUpperCase();
  const disk = disksOf(output).find(({ DeviceID }) => DeviceID.toUpperCase() === drive);
  if (disk === undefined) return null;
  const mountPoint = `${disk.DeviceID}\\`;
  if (disk.DriveType === networkDrive) return { ...(mountOfShare(disk.ProviderName ?? '') ?? noShare), mountPoint };
  const options = disk.DriveType === removableDrive ? ['removable'] : [];
  return { mountPoint, type: disk.FileSystem?.toLowerCase() || 'unknown', source: disk.DeviceID, options };
}

/** A network drive whose share is not given. */
const noShare: Omit<Mount, 'mountPoint'> = { type: 'unc', source: '', options: [] };

function disksOf(output: string | null): Disk[] {
  try {
    const parsed: unknown = JSON.parse(output ?? '[]');
    return (Array.isArray(parsed) ? parsed : [parsed]).flatMap((disk: unknown) => {
      const checked = v.safeParse(diskSchema, disk);
      return checked.success ? [checked.output] : [];
    });
  } catch {
    return [];
  }
}
