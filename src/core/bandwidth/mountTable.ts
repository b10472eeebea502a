/** The table of mounts that Linux tells each process, and which of its lines a path belongs to. */

export interface Mount {
  mountPoint: string;
  /** As the kernel calls it: `ext4`, `fuse.s3fs`. */
  type: string;
  /** Device, server or bucket. */
  source: string;
  /** Of the mount and of the file system, each once. */
  options: string[];
}

/** Reads the text of /proc/self/mountinfo, proc_pid_mountinfo(5), in its order. Lines that are not understood are left out. */
export function parseMountTable(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    const fields = line.split(' ');
    // Any number of optional fields lies before the separator.
    const separator = fields.indexOf('-', 6);
    const [mountPoint, mountOptions] = [fields[4], fields[5]];
    const [type, source, fileSystemOptions] = fields.slice(separator + 1);
    if (separator === -1 || mountPoint === undefined || mountOptions === undefined || !type || source === undefined) return [];
    const options = [...mountOptions.split(','), ...(fileSystemOptions ?? '').split(',')].filter((option) => option !== '');
    return [
      {
        mountPoint: unescape(mountPoint),
        type: unescape(type),
        source: unescape(source),
        options: [...new Set(options.map(unescape))],
      },
    ];
  });
}

/** The mount that a path without symbolic links lies on: the longest mount point above it, and of several at one point the last, which hides the others. */
export function mountOf(mounts: readonly Mount[], path: string): Mount | null {
  let found: Mount | null = null;
  for (const mount of mounts) {
    const isAbove = path === mount.mountPoint || path.startsWith(mount.mountPoint === '/' ? '/' : `${mount.mountPoint}/`);
    if (isAbove && (found === null || mount.mountPoint.length >= found.mountPoint.length)) found = mount;
  }
  return found;
}

/**
 * Where the files of a mount lie in truth: a container's overlay writes into its upper directory, which may be in memory. The mount
 * itself where it is no overlay, or its upper directory cannot be seen from here.
 */
export function storingMountOf(mounts: readonly Mount[], mount: Mount): Mount {
  const upper = mount.options.find((option) => option.startsWith('upperdir='))?.slice('upperdir='.length);
  if (mount.type !== 'overlay' || upper === undefined || !upper.startsWith('/')) return mount;
  const below = mountOf(mounts, upper);
  return below === null || below.type === 'overlay' ? mount : below;
}

/** Blanks, tabs, line ends and backslashes are written as a backslash and three octal digits. */
function unescape(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));
}

/** Types by the number that statfs(2) gives, for where there is no table. From linux/magic.h and the file systems' own sources. */
const typesByMagic: Record<number, string> = {
  0xef53: 'ext4',
  0x58465342: 'xfs',
  0x9123683e: 'btrfs',
  0x2fc12fc1: 'zfs',
  0x01021994: 'tmpfs',
  0x858458f6: 'ramfs',
  0x794c7630: 'overlay',
  0x6969: 'nfs',
  0x0bd00bd0: 'lustre',
  0x47504653: 'gpfs',
  0x19830326: 'beegfs',
  0x00c36400: 'ceph',
  0x65735546: 'fuse',
  0xf2f52010: 'f2fs',
  0xca451a4e: 'bcachefs',
  0xff534d42: 'cifs',
  0xfe534d42: 'smb3',
  0x01021997: '9p',
};

/** `unknown` for a number that is not in the list. */
export function typeOfMagic(magic: number): string {
  return typesByMagic[magic] ?? 'unknown';
}

/** What is in memory whatever its options are, so that neither O_DIRECT nor fsync leads to any storage. */
export function isInMemory(type: string): boolean {
  return type === 'tmpfs' || type === 'ramfs' || type === 'devtmpfs';
}
