import { describe, expect, it } from 'vitest';
import { toTsv } from '../../webview/shared/tsv.js';
import { visibleText } from '../../src/core/text/visibleText.js';

describe('visibleText', () => {
  it.each([
    ['model.layers.0.weight', 'model.layers.0.weight'],
    ['模型 وزن é 👩‍', '模型 وزن é 👩\\u200d'],
    ['a\u202eb\u2066c\u2069', 'a\\u202eb\\u2066c\\u2069'],
    ['\u0000\u001b[31m\u0085', '\\u0000\\u001b[31m\\u0085'],
    ['tab\tline\r\nend', 'tab\\tline\\r\\nend'],
    ['zero\u200bwidth\ufeff', 'zero\\u200bwidth\\ufeff'],
    ['\u{e0041}', '\\u{e0041}'],
    ['half \ud800 pair', 'half \\ud800 pair'],
  ])('%j becomes %j', (text, expected) => {
    expect(visibleText(text)).toBe(expected);
  });
});

describe('toTsv', () => {
  it('keeps every cell on its line and in its column', () => {
    expect(toTsv(['name', 'bytes'], [['a\tb\nc', 12]])).toBe('name\tbytes\na\\tb\\nc\t12');
  });

  it('makes no cell a formula, and leaves numbers alone', () => {
    expect(
      toTsv(
        ['name', 'n'],
        [
          ['=1+1', -5],
          ['@x', 0],
          ['-y', 1],
        ],
      ),
    ).toBe("name\tn\n'=1+1\t-5\n'@x\t0\n'-y\t1");
  });
});
