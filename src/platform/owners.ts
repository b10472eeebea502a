import { userInfo } from 'node:os';
import { readSystemFile } from './os/systemFile.js';

/** Names of the users who own files. Directory services other than /etc/passwd are not asked: their users are numbers, but for oneself. */
export class Owners {
  private names: ReadonlyMap<number, string> | undefined;

  /** Of who runs this program; null where users have no numbers. */
  ownName(): string | null {
    const uid = process.getuid?.();
    return uid === undefined ? null : this.nameOf(uid);
  }

  nameOf(uid: number): string {
    this.names ??= readNames();
    return this.names.get(uid) ?? String(uid);
  }
}

/** `name:password:uid:…` (passwd(5)). */
function readNames(): Map<number, string> {
  const names = new Map<number, string>();
  try {
    for (const line of (readSystemFile('/etc/passwd') ?? '').split('\n')) {
      const [name, , uid] = line.split(':');
      if (name !== undefined && uid !== undefined && /^\d+$/.test(uid) && !names.has(Number(uid))) names.set(Number(uid), name);
    }
    const { uid, username } = userInfo();
    names.set(uid, username);
  } catch {
    // A container may have no such file, and a user no name: numbers are shown then.
  }
  return names;
}
