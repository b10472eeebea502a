import type { NotReadCode } from '../../values/storedPlace.js';

const reasons: Readonly<Record<NotReadCode, readonly [one: string, many: string]>> = {
  'no-file': ['no file here holds it', 'no file here holds them'],
  dtype: ['values of its type are not known', 'values of their types are not known'],
  wrapper: ['it consists of several tensors', 'they consist of several tensors'],
  encoded: ['it is compressed or written in another form', 'they are compressed or written in another form'],
  chunks: [
    'its chunks are compressed, reach beyond it, or are not all stored',
    'their chunks are compressed, reach beyond them, or are not all stored',
  ],
  overlapping: ['it is a view whose elements overlap', 'they are views whose elements overlap'],
  scattered: ['it is a view of too many stretches', 'they are views of too many stretches'],
  size: ['its shape needs another number of bytes than is stored', 'their shapes need another number of bytes than are stored'],
  shared: ['it shares bytes with too many others', 'they share bytes with too many others'],
  unreadable: ['its file cannot be read', 'their files cannot be read'],
};

/** Why values are not read, as a clause: of one tensor, or of several. */
export function whyNotRead(code: NotReadCode, areSeveral: boolean): string {
  return reasons[code][areSeveral ? 1 : 0];
}
