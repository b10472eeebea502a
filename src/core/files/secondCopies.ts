/** Names of files that rsync left when it was interrupted. */

/**
 * `.NAME.XXXXXX`: what rsync writes to before it renames to NAME (rsync, receiver.c, get_tmpname: six characters of mkstemp). Six lower-case
 * letters or six digits alone may be an extension or a date: one of mkstemp's names in 170 is such.
 */
const rsyncTemporary = /^\.[^/]+\.(?![a-z]{6}$|\d{6}$)[A-Za-z0-9]{6}$/;

/** Whether a name is that of a file that rsync had not received whole. Only the name is looked at. */
export function isRsyncTemporary(name: string): boolean {
  return rsyncTemporary.test(name);
}
