/**
 * Expressions by which published tokenizers split text. A tokenizer.json brings its own, and an expression out of a file may take for
 * ever on the right text: only those that are known here are run. They are found by meaning (`expressionForm`), and what runs is the text
 * in this file. Sources: tiktoken (openai_public.py), llama.cpp (llama-vocab.cpp), and the tokenizer.json of the models named.
 */
import { expressionForm } from './expressionForm.js';

/** `(?i:'s|'t|'re|'ve|'m|'ll|'d)`, with the long s that is an s where case is ignored. */
const anyCase = "(?:'[sSſ]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])";
/** `'(?i:[sdmt]|ll|ve|re)`, likewise. */
const shortest = "'(?:[sSſdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])";
const bothCases = "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])";
const cl100k = (letters: string, digits: string, contractions = anyCase): string =>
  `${contractions}|[^\\r\\n\\p{L}\\p{N}]?${letters}+|${digits}| ?[^\\s${letters === '\\p{L}' ? '\\p{L}' : '\\p{L}\\p{M}'}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+`;

const upper = '[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]';
const lower = '[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]';
const ends = `${anyCase}?`;
const o200k = (suffix: string, digits: string): string =>
  `[^\\r\\n\\p{L}\\p{N}]?${upper}*${lower}+${suffix}|[^\\r\\n\\p{L}\\p{N}]?${upper}+${lower}*${suffix}|${digits}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+`;

/** Letters with a case, as Unicode 11 had them: so the file has it. */
const latin =
  'A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅὐ-ὗὙὛὝὟ-ώᾀ-ᾴᾶ-ᾼιῂ-ῄῆ-ῌῐ-ΐῖ-Ίῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤΩℨK-ℭℯ-ℴℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿﬀ-ﬆﬓ-ﬗＡ-Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃';

/** Chinese characters apart from other letters. */
const kimi = (() => {
  const big = '[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}&&[^\\p{Han}]]';
  const little = '[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}&&[^\\p{Han}]]';
  const before = '[^\\r\\n\\p{L}\\p{N}]?';
  const words = `${before}${big}*${little}+${ends}|${before}${big}+${little}*${ends}`;
  return `[\\p{Han}]+|${words}|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+`;
})();

const known: readonly string[] = [
  // GPT-2, OPT, GPT-NeoX, OLMo, RoBERTa
  "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
  "'(?:[sdmt]|ll|ve|re)| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
  // cl100k_base, Llama 3, dolma2
  cl100k('\\p{L}', '\\p{N}{1,3}'),
  // Qwen 2 and 3, StableLM 2
  cl100k('\\p{L}', '\\p{N}'),
  // Qwen 3.5
  cl100k('[\\p{L}\\p{M}]', '\\p{N}'),
  // cl100k_base with possessive quantifiers as tiktoken has it, nanochat
  `${shortest}|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]++[\\r\\n]*|\\s*[\\r\\n]|\\s+(?!\\S)|\\s+`,
  `${shortest}|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}+|\\p{N}{1,2}| ?[^\\s\\p{L}\\p{N}]++[\\r\\n]*|\\s*[\\r\\n]|\\s+(?!\\S)|\\s+`,
  // o200k_base, Llama 4
  o200k(ends, '\\p{N}{1,3}'),
  // Tekken (Mistral NeMo)
  o200k('', '\\p{N}'),
  // DeepSeek V2 and V3
  '\\p{N}{1,3}',
  '[一-龥぀-ゟ゠-ヿ]+',
  '[!"#$%&\'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+',
  '[\\r\\n]',
  '\\s?\\p{L}+',
  '\\s?\\p{P}+',
  '[一-龥ࠀ-一가-퟿]+',
  '\\p{N}',
  '\\p{N}+',
  // Falcon, StarCoder, SmolLM
  '[0-9][0-9][0-9]',
  '[0-9]',
  '\\d',
  '\\d+',
  '\\s+$',
  // SentencePiece models of T5, XLM-RoBERTa, Gemma: runs of spaces become one
  ' {2,}',
  '\\s+',
  '[\\n\\r\\t]',
  // BLOOM
  ' ?[^(\\s|[.,!?…。，、।۔،])]+',
  // Poro, Viking
  ' ?[^(\\s|.,!?…。，、।۔،)]+',
  // DeepSeek LLM
  `\\s?[${latin}]+`,
  '\\s?[!-/:-~！-／：-～‘-‟　-。]+',
  // Kimi K2
  kimi,
  // Ling (BailingMoE)
  `${shortest}|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]++[\\r\\n]*|\\s*[\\r\\n]|\\s+(?!\\S)|\\s+`,
  // Seed-Coder, Seed-OSS
  `${anyCase}|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1}| ?[^\\s\\p{L}\\p{N}\\r\\n]+|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+`,
  // MiniCPM 5
  cl100k('\\p{L}', '\\p{N}+'),
  // EXAONE MoE
  `${anyCase}|[^\\r\\n\\p{L}\\p{N}]?(?:\\p{L}\\p{M}*(?: \\p{L}\\p{M}*)*)+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]?|\\s*[\\r\\n]|\\s+(?!\\S)|\\s+`,
  // AFMoE
  '[一-鿿㐀-䶿豈-﫿぀-ゟ゠-ヿ･-ﾟ⼀-⿟เ-๿຀-໿ក-៿က-႟ꩠ-ꩿꧠ-꧿가-힯ᄀ-ᇿ]+',
  // Gemma 4, Laguna
  '[^\\n]+|[\\n]+',
  // Jina v2
  '\\S+',
  // The same with the letters of contractions in both cases, as conversions from GGUF write them
  cl100k('\\p{L}', '\\p{N}{1,3}', bothCases),
  cl100k('\\p{L}', '\\p{N}', bothCases),
  cl100k('[\\p{L}\\p{M}]', '\\p{N}', bothCases),
  o200k(`${bothCases}?`, '\\p{N}{1,3}'),
];

/** What an expression means, to the text by which it is run here. */
const byForm = new Map(known.map((pattern) => [expressionForm(pattern), pattern]));

/**
 * The expression of a published tokenizer that means the same as one out of a file: equivalent classes, escapes and counts are one.
 * @returns a text out of this file; undefined where none means the same
 */
export function knownPattern(expression: string): string | undefined {
  const form = expressionForm(expression);
  return form === undefined ? undefined : byForm.get(form);
}
