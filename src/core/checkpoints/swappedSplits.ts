/** The files of a split GGUF model: the number in each header against the one in its name (llama.cpp, src/llama-model-loader.cpp). */
import type { Finding } from '../findings/finding.js';
import { memberOf } from '../formats/text/jsonMember.js';
import type { Parts } from './parts.js';

const splitName = /-(\d{5})-of-(\d{5})\.gguf$/i;

/** A finding for each file under the name of another split. `split.no` counts from 0, names count from 1. */
export function findSwappedSplits({ objects }: Pick<Parts, 'objects'>): Finding[] {
  return objects.flatMap(({ path, value }): Finding[] => {
    const [, number, total] = splitName.exec(path) ?? [];
    const own = value.kind === 'json' && number !== undefined ? memberOf(value.root, 'split.no') : undefined;
    const count = value.kind === 'json' ? memberOf(value.root, 'split.count') : undefined;
    if (typeof own !== 'number' || !Number.isSafeInteger(own)) return [];
    const isOtherCount = typeof count === 'number' && count !== Number(total);
    if (own + 1 === Number(number) && !isOtherCount) return [];
    const role = `split ${Number(number)} of ${Number(total)}`;
    const content = typeof count === 'number' ? `split ${own + 1} of ${count}` : `split ${own + 1}`;
    return [{ code: 'content-not-its-role', path, facts: { role, content } }];
  });
}
