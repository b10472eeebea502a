import type { ExpectedGroup } from './expectedTensors.js';
import { isSameShape } from './storedPatterns.js';
import { moduleOf, parentOf } from './tensorPlaces.js';

/** The other names of a tensor: the input embedding and what is tied to it, or a bias that two modules have. */
export function tiedWith(group: ExpectedGroup, groups: readonly ExpectedGroup[]): readonly ExpectedGroup[] {
  const alike = groups.filter((other) => isSameShape(other.shape, group.shape));
  const isBias = group.kind === 'bias';
  const sources = alike.filter(({ key, kind, isTied }) =>
    isTied === true ? false : isBias ? kind === 'bias' : kind === 'embedding' && !/position|token_type|(?:^|\.)wpe\./.test(key),
  );
  const tied = alike.filter(({ kind, isTied }) => isTied === true && (kind === 'bias') === isBias);
  if (isBias) {
    const isPair = (source: ExpectedGroup, copy: ExpectedGroup): boolean => source.key === `${parentOf(moduleOf(copy.key))}bias`;
    return group.isTied === true ? sources.filter((source) => isPair(source, group)) : tied.filter((copy) => isPair(group, copy));
  }
  const isIn = group.isTied === true ? sources.length > 0 : tied.length > 0 && sources.length === 1 && sources[0] === group;
  return isIn ? [...sources, ...tied].filter((other) => other !== group) : [];
}
