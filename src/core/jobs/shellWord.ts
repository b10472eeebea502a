import { JobError } from './jobError.js';

/**
 * A text as one word of a POSIX shell, in quotes where it has to be: nothing in it is expanded.
 * @throws JobError `bad-setting` for a text with control characters: a line break would end a comment or a directive, and NUL a path
 */
export function shellWord(text: string): string {
  refuseControls(text);
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** @throws JobError `bad-setting` */
export function refuseControls(text: string): void {
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  if (/[\u0000-\u001f\u007f]/.test(text)) {
    throw new JobError('bad-setting', `${JSON.stringify(text)} has control characters and cannot be part of a job script`);
  }
}
