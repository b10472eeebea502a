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

/** What browsers and programs that copy put behind the name of a file until it is whole. */
const markOfPart = /\.(?:part|partial|crdownload|opdownload|filepart|download|incomplete|tmp|temp)$/i;

/** What an interrupted copy would be called once it is whole; undefined for names of none. Takes a path. */
export function nameOfWhole(path: string): string | undefined {
  const start = path.lastIndexOf('/') + 1;
  const own = path.slice(start);
  const whole = own.replace(markOfPart, '').replace(/^\.tmp[-_.]/i, '');
  return whole === own || whole === '' ? undefined : path.slice(0, start) + whole;
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

/** Where a mark may end: at the end of a directory, before an extension, or before what follows in the names of shards. */
const end = String.raw`(?=[-_.]|$)`;

/**
 * What people and file managers put behind the name of a directory or of a set of shards. Words that may also be a part of a name
 * (`train_old`) are among them: a caller compares contents.
 */
const marksOfSets = [
  String.raw` ?\(\d{1,3}\)`,
  String.raw` \((?:another |\d{1,3}(?:st|nd|rd|th) )?copy\)`,
  String.raw` - copy(?: ?\(\d{1,3}\))?`,
  String.raw`[-_ .](?:copy|copied|duplicate|dup)`,
  String.raw`[-_ .](?:copy|copied|duplicate|dup)[-_ ]?\d{1,3}`,
  String.raw`[-_ .](?:bak|backup|old|orig|save)\d{0,3}`,
  '~',
].map((mark) => new RegExp(mark + end, 'i'));
const copyOfSet = /^(?:copy[-_ ](?:\(\d{1,3}\) )?of[-_ ])(?=.)/i;

/** What every mark of a set has some of. */
const mayBeMarkedSet = /cop(?:y|ied)|\(\d|dup|bak|backup|old|orig|save|~/i;

/**
 * The paths that a path may be a copy of, by the marks of one of its directories or of its own name: `train/a.tar` for `train copy/a.tar`.
 * Which of them exist, and whether their contents are equal, is for the caller to check.
 */
export function possibleOriginals(path: string): string[] {
  if (!mayBeMarkedSet.test(path)) return [];
  const names = path.split('/');
  return names.flatMap((name, at) =>
    [copyOfSet, ...marksOfSets]
      .map((mark) => name.replace(mark, ''))
      .filter((rest) => rest !== name && rest !== '')
      .map((rest) => names.with(at, rest).join('/')),
  );
}
