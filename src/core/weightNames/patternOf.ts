/** Names of tensors without their numbers, so that equal tensors of all layers and experts are one pattern. */
import type { NumberedName } from './weightPlace.js';

/** Stacks of FLAX whose number is a part of the segment: `layers_0`. */
const numberedStacks: ReadonlySet<string> = new Set(['layers', 'layer', 'dense_layers', 'moe_layers', 'h', 'block', 'blocks']);

/** At most nine digits, and no leading zero: `01` is another name than `1`. */
const number = /^(?:0|[1-9]\d{0,8})$/;

/** The pattern of a name whose segments are separated by points or slashes. Linear in the length of the name. */
export function patternOf(name: string): NumberedName {
  const numbers: number[] = [];
  const parts: string[] = [];
  let start = 0;
  let before = '';
  for (let at = 0; at <= name.length; at++) {
    const character = name.charAt(at);
    if (at < name.length && character !== '.' && character !== '/') continue;
    const segment = name.slice(start, at);
    parts.push(isExpertOf(before, segment) ? numberedExpert(segment, numbers) : numbered(segment, numbers), character);
    before = segment;
    start = at + 1;
  }
  return { pattern: parts.join(''), numbers };
}

/** A segment with `N` in place of its number, which is added to `numbers`. */
function numbered(segment: string, numbers: number[]): string {
  const stackEnd = segment.lastIndexOf('_');
  const stack = stackEnd < 0 ? '' : segment.slice(0, stackEnd);
  const digits = numberedStacks.has(stack) ? segment.slice(stackEnd + 1) : segment;
  if (!number.test(digits)) return segment;
  numbers.push(Number(digits));
  return digits === segment ? 'N' : `${stack}_N`;
}

/** Grouped experts of Transformer Engine: `linear_fc1.weight12` is the weight of expert 12. */
function isExpertOf(module: string, segment: string): boolean {
  return module.startsWith('linear_fc') && segment.length < 20 && /^(?:weight|bias)\d+$/.test(segment);
}

function numberedExpert(segment: string, numbers: number[]): string {
  const leaf = segment.startsWith('weight') ? 'weight' : 'bias';
  numbers.push(Number(segment.slice(leaf.length)));
  return `${leaf}N`;
}
