import { memberOf } from '../../formats/text/jsonMember.js';

/** Ids that a tokenizer gives: one more than the highest of its vocabulary and its added tokens; 0 where it has none. */
export function vocabularySizeOf(root: unknown): number {
  const vocabulary = memberOf(memberOf(root, 'model'), 'vocab');
  let size = Array.isArray(vocabulary) ? vocabulary.length : 0;
  if (typeof vocabulary === 'object' && vocabulary !== null && !Array.isArray(vocabulary))
    for (const id of Object.values(vocabulary)) if (isId(id) && id >= size) size = id + 1;
  const added = memberOf(root, 'added_tokens');
  if (Array.isArray(added))
    for (const token of added) {
      const id = memberOf(token, 'id');
      if (isId(id) && id >= size) size = id + 1;
    }
  return size;
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
