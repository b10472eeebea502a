/** Tokenizers with the expressions of published models: accepted by meaning, and counting what the Hugging Face library counts. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { expressionForm } from '../../../src/core/datasets/text/expressionForm.js';
import { knownPattern } from '../../../src/core/datasets/text/knownPatterns.js';
import { createTokenizer } from '../../../src/core/datasets/text/tokenizer.js';
import { runs } from '../../builders/seed.js';

interface Published {
  texts: string[];
  groups: { model: object; families: { name: string; normalizer: unknown; pre_tokenizer: unknown; ids: number[][] }[] }[];
}

const { texts, groups } = JSON.parse(readFileSync('test/fixtures/tokenizers/published.json', 'utf8')) as Published;
const families = groups.flatMap(({ model, families: own }) => own.map((family) => ({ ...family, model })));

const rootOf = ({ normalizer, pre_tokenizer, model }: { normalizer: unknown; pre_tokenizer: unknown; model: object }) => ({
  version: '1.0',
  added_tokens: [],
  normalizer,
  pre_tokenizer,
  model,
});

describe.each(families)('$name', (family) => {
  it('counts as many tokens as the library', () => {
    const tokenizer = createTokenizer('tokenizer.json', rootOf(family));
    if (typeof tokenizer === 'string') throw new Error(tokenizer);
    expect(texts.map((text) => tokenizer.count(text))).toEqual(family.ids.map((ids) => ids.length));
  });
});

describe('an expression', () => {
  const same: [string, string][] = [
    ['[\r\n]', '[\\r\\n]'],
    ['[\\n\\x0d]', '[\\u000D\\u{a}]'],
    ['\\p{N}{1,}', '\\p{N}+'],
    ['[0-9][0-9][0-9]', '[0-9]{3}'],
    ['[\\p{L}]', '\\p{L}'],
    ['[^\\s]', '\\S'],
    ['\\p{Letter}', '\\pL'],
    ['(?:a|b|c)', '[a-c]'],
    ["(?i:'s|'t)", "'[sS\u017f]|'[Tt]"],
    ['(?:\\p{L}|\\p{M})+', '[\\p{M}\\p{L}]+'],
    ['a(?:bc)d', 'abcd'],
    ['(?:a|bc)|d', 'a|bc|d'],
    ['[一-龥]', '[\\u4e00-\\u9fa5]'],
    ['[a-z&&[^f]]', '[\\x61-z&&[^f]]'],
  ];

  it.each(same)('%j means the same as %j', (one, other) => {
    expect(expressionForm(one)).toBeDefined();
    expect(expressionForm(one)).toBe(expressionForm(other));
  });

  it.each([
    ['a|bc', 'bc|a'],
    ['a+', 'a+?'],
    ['a+', 'a++'],
    ['\\d', '[0-9]'],
    ['(?=a)', '(?!a)'],
    ['(?:ab)+', 'ab+'],
    ['(?i:a)', 'a'],
    ['[^a]', '[a]'],
    ['a{1,3}+', 'a{1,3}'],
    ['(?:a|)b', 'ab'],
    ['(?:a|b)c', 'a|bc'],
    ['^a', 'a'],
  ])('%j means something else than %j', (one, other) => {
    expect(expressionForm(one)).toBeDefined();
    expect(expressionForm(one)).not.toBe(expressionForm(other));
  });

  it('has no form where it has a part that is not looked at', () => {
    for (const odd of [
      '(a',
      'a)',
      '[',
      '[]',
      '[[:alpha:]]',
      '\\1',
      '(?<n>a)',
      '*',
      'a\\',
      '\\p{L',
      '('.repeat(5000),
      `${'('.repeat(50)}a`,
    ])
      expect(expressionForm(odd), odd.slice(0, 20)).toBeUndefined();
  });

  it('of any text never fails', () => {
    const parts = fc.constantFrom(
      '(',
      ')',
      '[',
      ']',
      '?',
      '+',
      '*',
      '{',
      '1',
      ',',
      '}',
      '|',
      '\\',
      'p',
      'x',
      '^',
      '-',
      '&&',
      'a',
      ':',
      '(?i)',
      '!',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 40 }), (all) => {
        const form = expressionForm(all.join(''));
        expect(form === undefined || typeof form === 'string').toBe(true);
      }),
      runs(500),
    );
  });

  it('that matches the same text in other ways is found, and what takes for ever is not', () => {
    expect(knownPattern('\\p{N}{1}')).toBe('\\p{N}');
    expect(knownPattern('(a+)+$')).toBeUndefined();
    expect(knownPattern('\\s+\\s+$')).toBeUndefined();
    expect(knownPattern('(?:\\p{N}{1,3})+')).toBeUndefined();
  });
});

it('runs no expression that a file brings', () => {
  const [deepSeek] = families.filter(({ name }) => name === 'DeepSeek V2, V3 and R1');
  if (deepSeek === undefined) throw new Error('no fixture');
  const own: string[] = [];
  JSON.stringify(deepSeek.pre_tokenizer, (key, value: unknown) => {
    if (key === 'Regex' && typeof value === 'string' && /[\r\n]/.test(value)) own.push(value);
    return value;
  });
  expect(own).toHaveLength(1);
  const made: string[] = [];
  const original = RegExp;
  vi.stubGlobal(
    'RegExp',
    new Proxy(original, {
      construct(target, [source, flags]: [string | RegExp, string?]) {
        made.push(String(source));
        return new target(source, flags);
      },
    }),
  );
  try {
    expect(typeof createTokenizer('tokenizer.json', rootOf(deepSeek))).toBe('object');
  } finally {
    vi.unstubAllGlobals();
  }
  expect(made.length).toBeGreaterThan(0);
  expect(made.filter((source) => source.includes('\r'))).toEqual([]);
});
