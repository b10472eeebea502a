import type { CheckErrorCode } from '../../bandwidth/checkError.js';

/** Why there was no check, and what to do; `detail` follows in brackets where it says more. */
const words: Readonly<Record<CheckErrorCode, string>> = {
  'bad-setting': 'This check cannot be made.',
  'not-found': 'There is no such directory, bucket or container.',
  'not-a-directory': 'It is not a directory: name the one in which checkpoints are saved.',
  'not-writable': 'Nothing can be written there: it is read-only, or you have no permission.',
  'not-enough-space':
    'Too little space is free: a check leaves at least twice what it writes free. Allow it less space, or choose another directory.',
  'not-enough-files': 'Too few files can still be made there (inodes).',
  'space-ran-out': 'The space ran out during the check: the file system is full, or your quota is reached.',
  'directory-removed': 'The directory was removed while the check was running.',
  'data-differ':
    'Data read back differ from the data written: save nothing to this storage until its administrators have checked it.',
  'not-removed': 'Some files could not be removed.',
  'access-denied': 'The store refused access: check the credentials, the region and the permissions of the bucket.',
  'other-nodes': 'A node failed, and the check ended on all of them.',
  io: 'The storage reported an error.',
  cancelled: 'The check was cancelled. Everything that it had written was removed.',
};

/** A sentence, with the detail where there is one. Text of other systems is in the detail: it is to be shown as text. */
export function checkErrorInWords(code: CheckErrorCode, detail: string): string {
  return detail === '' || code === 'cancelled' ? words[code] : `${words[code]} (${detail})`;
}
