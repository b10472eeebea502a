/** Names that programs give to second copies of files: rsync while it receives one, editors and users for backups, browsers and file managers. */

/**
 * `.NAME.XXXXXX`: what rsync writes to before it renames to NAME (rsync, receiver.c, get_tmpname: six characters of mkstemp). Six lower-case
 * letters or six digits alone may be an extension or a date: one of mkstemp's names in 170 is such.
 */
const rsyncTemporary = /^\.[^/]+\.(?![a-z]{6}$|\d{6}$)[A-Za-z0-9]{6}$/;

/** Whether a name is that of a file that rsync had not received whole. Only the name is looked at. */
export function isRsyncTemporary(name: string): boolean {
  return rsyncTemporary.test(name);
}

/** ` (1)`, ` - Copy`, ` - Copy (2)`, ` copy`, ` copy 2` before the extension: browsers, Windows, macOS, file managers of Linux. */
const markOfCopy = /(?: \(\d{1,3}\)| \(copy\)| - Copy(?: \(\d{1,3}\))?| copy(?: \d{1,3})?)(?=\.[^/.]+$)/;
const copyOf = /^Copy of (?=.)/;
/** `~` and `.~1~` of editors and of cp --backup, `.1` of wget and of rotation after an extension, the rest by hand. */
const markOfBackup = /(?:(?<!~)~|\.~\d{1,3}~|(?<=\.[A-Za-z]\w*)\.\d{1,3}|\.(?:bak|backup|old|orig|save)\d{0,3})$/i;
/** The same as `rsyncTemporary`, also where the six characters may be an extension. */
const mayBeTemporary = /^\.(.+)\.[A-Za-z0-9]{6}$/s;

/** What every mark has some of: most names have nothing of it, and each of a listing is asked. */
const mayBeMarked = /(?:^|\/)(?:\.|Copy of )[^/]*$| (?:\(|- Copy|copy)[^/]*$|[~\d]$|\.(?:bak|backup|old|orig|save)\d*$/i;

/**
 * What the file is called that a name is a copy of, by the name alone: whether that file is beside it is for the caller to check. Undefined
 * for names of no copy. Takes a base name or a path.
 */
export function nameOfOriginal(name: string): string | undefined {
  if (!mayBeMarked.test(name)) return undefined;
  const start = name.lastIndexOf('/') + 1;
  const directory = name.slice(0, start);
  const own = name.slice(start);
  const original =
    mayBeTemporary.exec(own)?.[1] ??
    [copyOf, markOfCopy, markOfBackup].map((mark) => own.replace(mark, '')).find((rest) => rest !== own && rest !== '');
  return original === undefined ? undefined : directory + original;
}
