import { formatCount } from './units.js';

/** `2nd`, `3rd`, `11th`, `241st`. */
export function ordinal(count: number): string {
  const tens = count % 100;
  const ending = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][count % 10] ?? 'th');
  return `${formatCount(count)}${ending}`;
}
