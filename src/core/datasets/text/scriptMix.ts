/** Of which scripts text is, by bytes: what a token takes differs by them more than by anything else. */

export const scripts = ['english', 'latin', 'code', 'han', 'kana', 'hangul', 'cyrillic', 'arabic', 'other'] as const;

/** `english`: Latin letters without accents; `cyrillic` with Greek, `arabic` with Hebrew. */
export type Script = (typeof scripts)[number];

/** Bytes of text (UTF-8) of each script. */
export type ScriptMix = Record<Script, number>;

export function noScripts(): ScriptMix {
  return { english: 0, latin: 0, code: 0, han: 0, kana: 0, hangul: 0, cyrillic: 0, arabic: 0, other: 0 };
}

/** Characters of one text that are looked at: those behind are of the same scripts. */
const MOST_CHARACTERS = 64 * 1024;

/** Symbols among the characters that are no space, from which on text is code: prose has 0 to 0.3 %, code and JSON 3 to 12 %. */
const CODE_SHARE = 0.02;
/** Letters with accents among Latin ones, from which on text is not English: its loan words are fewer; Spanish has 2 %. */
const ACCENT_SHARE = 0.004;

/** Adds up texts, each classified by itself: code beside prose is no mean of both. */
export function scriptMixOf(texts: readonly string[]): ScriptMix {
  const mix = noScripts();
  for (const text of texts) addText(mix, text);
  return mix;
}

interface Census {
  /** Bytes of letters outside of ASCII. */
  letters: ScriptMix;
  asciiLetters: number;
  accentedLetters: number;
  symbols: number;
  /** Characters that are no space. */
  visible: number;
  /** Bytes of what belongs to no script: spaces, digits, punctuation. */
  common: number;
}

function addText(mix: ScriptMix, text: string): void {
  const census = censusOf(text);
  const isCode = census.symbols >= CODE_SHARE * census.visible && census.symbols > 0;
  const isAccented = census.accentedLetters > ACCENT_SHARE * (census.asciiLetters + census.accentedLetters);
  const own = census.letters;
  const latin = census.asciiLetters + own.latin;
  own.latin = 0;
  own[isCode ? 'code' : isAccented ? 'latin' : 'english'] += latin;
  const letters = scripts.reduce((sum, script) => sum + own[script], 0);
  const scale = text.length <= MOST_CHARACTERS ? 1 : text.length / MOST_CHARACTERS;
  if (letters === 0) mix[isCode ? 'code' : 'english'] += census.common * scale;
  else for (const script of scripts) mix[script] += own[script] * (1 + census.common / letters) * scale;
}

function censusOf(text: string): Census {
  const census: Census = { letters: noScripts(), asciiLetters: 0, accentedLetters: 0, symbols: 0, visible: 0, common: 0 };
  const end = Math.min(text.length, MOST_CHARACTERS);
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) addAscii(census, code);
    else {
      census.visible += 1;
      addOther(census, code);
    }
  }
  return census;
}

const isSymbol = Uint8Array.from({ length: 128 }, (_, code) => ('{}[]()<>=;_\\|&*$'.includes(String.fromCharCode(code)) ? 1 : 0));

function addAscii(census: Census, code: number): void {
  if (code > 0x20) census.visible += 1;
  const lower = code | 0x20;
  if (lower >= 0x61 && lower <= 0x7a) census.asciiLetters += 1;
  else census.common += 1;
  census.symbols += isSymbol[code] as number;
}

/** First code units behind each block, and what it holds; null for what belongs to no script. Unicode Blocks.txt, coarsely. */
const blocks: readonly (readonly [number, Script | null])[] = [
  [0xc0, null],
  [0x370, 'latin'],
  [0x530, 'cyrillic'],
  [0x590, 'other'],
  [0x780, 'arabic'],
  [0x1100, 'other'],
  [0x1200, 'hangul'],
  [0x1c80, 'other'],
  [0x1c90, 'cyrillic'],
  [0x1e00, 'other'],
  [0x1f00, 'latin'],
  [0x2000, 'cyrillic'],
  [0x2c60, null],
  [0x2c80, 'latin'],
  [0x2e80, 'other'],
  [0x3000, 'han'],
  [0x3040, null],
  [0x3100, 'kana'],
  [0x3130, 'han'],
  [0x3190, 'hangul'],
  [0x31f0, 'han'],
  [0x3200, 'kana'],
  [0x3400, null],
  [0xa000, 'han'],
  [0xac00, 'other'],
  [0xd800, 'hangul'],
  [0xe000, 'other'],
  [0xf900, null],
  [0xfb00, 'han'],
  [0xfb1d, 'latin'],
  [0xfe00, 'arabic'],
  [0xfe70, null],
  [0xff00, 'arabic'],
  [0xff66, null],
  [0xffa0, 'kana'],
  [0x10000, null],
];

function addOther(census: Census, code: number): void {
  // Half of a character of four bytes.
  const bytes = code < 0x800 ? 2 : code >= 0xd800 && code < 0xe000 ? 2 : 3;
  const script = scriptOf(code);
  if (script === null) census.common += bytes;
  else census.letters[script] += bytes;
  if (script === 'latin') census.accentedLetters += 1;
}

function scriptOf(code: number): Script | null {
  let low = 0;
  let high = blocks.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (code < (blocks[middle] as readonly [number, unknown])[0]) high = middle;
    else low = middle + 1;
  }
  return (blocks[low] as readonly [number, Script | null])[1];
}
