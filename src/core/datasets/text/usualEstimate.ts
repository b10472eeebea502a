/** Tokens of text by what published tokenizers take: in words, of text that cannot be read, and as the widest range of a sample. */
import { between } from '../counts.js';
import type { CountReport } from '../datasetReport.js';
import { formatCount } from '../../text/units.js';
import { noScripts, scripts, type Script, type ScriptMix } from './scriptMix.js';
import { unreadRatio, type VocabularyClass } from './usualRatios.js';

export function sumOfMixes(mixes: readonly ScriptMix[]): ScriptMix {
  const sum = noScripts();
  for (const mix of mixes) for (const script of scripts) sum[script] += mix[script];
  return sum;
}

const scriptNames: Record<Script, string> = {
  english: 'Latin without accents',
  latin: 'Latin with accents',
  code: 'code',
  han: 'Chinese characters',
  kana: 'Japanese kana',
  hangul: 'Korean',
  cyrillic: 'Cyrillic or Greek',
  arabic: 'Arabic or Hebrew',
  other: 'other scripts',
};

const vocabularyNames: Record<VocabularyClass, string> = {
  small: 'a vocabulary of at most 65,536 tokens',
  large: 'a vocabulary of more than 65,536 tokens',
  unknown: 'vocabularies of any size',
};

/** Below this share a script is not named. */
const NAMED_SHARE = 0.01;

/** Of all of the text where `windows` is null. `not tokenized: script mix of 32 sampled windows (97 % Chinese characters, 3 % code), at what published tokenizers take with …`. */
export function usualMethod(mix: ScriptMix, windows: number | null, vocabulary: VocabularyClass): string {
  const total = scripts.reduce((sum, script) => sum + mix[script], 0);
  const named = scripts
    .filter((script) => mix[script] >= NAMED_SHARE * total && mix[script] > 0)
    .sort((a, b) => mix[b] - mix[a])
    .map((script) => `${Math.round((mix[script] / total) * 100)} % ${scriptNames[script]}`);
  const of = windows === null ? 'all of the text' : `${formatCount(windows)} sampled ${windows === 1 ? 'window' : 'windows'}`;
  return `not tokenized: script mix of ${of} (${named.join(', ')}), at the bytes a token that published tokenizers take, ${vocabularyNames[vocabulary]}`;
}

/** Of text that cannot be read. */
export function byUnreadRatio({ count, interval, coverage }: CountReport): CountReport {
  const { value, low, high } = unreadRatio;
  const method = `no text could be read: ${value} bytes a token, as English has; ${low} to ${high} are found in other scripts`;
  const most = interval[1] === null ? null : Math.ceil(interval[1] / low);
  return { ...between([Math.floor(interval[0] / high), most], count / value, method, 'assumed'), coverage };
}

/**
 * A sample whose range is at most as wide as the narrowest of those of published tokenizers for the same scripts: few windows say less than these do.
 * Narrower ones stay, also outside of it: what was counted says more than what others took.
 */
export function noWiderThan(sampled: CountReport, usuals: readonly CountReport[]): CountReport {
  const [low, high] = sampled.interval;
  const usual = usuals.reduce((one, other) => (widthOf(other) < widthOf(one) ? other : one));
  const [least, most] = usual.interval;
  if (high === null || most === null || high - low <= most - least) return sampled;
  const isInside = least <= sampled.count && sampled.count <= most;
  const interval: [number, number] = isInside
    ? [Math.max(low, least), Math.min(high, most)]
    : [
        Math.max(low, Math.ceil(sampled.count - (usual.count - least))),
        Math.min(high, Math.floor(sampled.count + (most - usual.count))),
      ];
  const method = `${sampled.method}; the range is that of published tokenizers for these scripts, as the sample alone says less`;
  return { ...sampled, interval, confidence: null, method };
}

function widthOf({ interval: [low, high] }: CountReport): number {
  return high === null ? Infinity : high - low;
}
