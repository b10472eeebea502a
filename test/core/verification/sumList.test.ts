import { describe, expect, it } from 'vitest';
import { parseSumList, sumListLine } from '../../../src/core/verification/lists/sumList.js';

const a = 'a'.repeat(64);
const b = 'b'.repeat(32);

describe('lists of digests', () => {
  it('are read in the forms of coreutils and BSD, with CR LF, binary marks, comments and upper-case digits', () => {
    const text = [
      `${a}  model.pt`,
      `${b.toUpperCase()} *data/x y`,
      '# made by hand',
      '',
      `SHA256 (z (1).bin) = ${a}`,
      `MD5 (m) = ${b}`,
    ];
    expect(parseSumList(text.join('\r\n'), null)).toEqual([
      { name: 'model.pt', digest: a, algorithm: 'sha256' },
      { name: 'data/x y', digest: b, algorithm: 'md5' },
      { name: 'z (1).bin', digest: a, algorithm: 'sha256' },
      { name: 'm', digest: b, algorithm: 'md5' },
    ]);
  });

  it.each(['plain', 'with\\backslash', 'line\nfeed', 'carriage\rreturn', ' leading', 'ünïcode'])(
    '%j comes back as it was written',
    (name) => {
      expect(parseSumList(sumListLine(a, name), null)).toEqual([{ name, digest: a, algorithm: 'sha256' }]);
    },
  );

  it('a digest alone is of the file that the list is called after', () => {
    expect(parseSumList(`${a}\n`, 'model.pt')).toEqual([{ name: 'model.pt', digest: a, algorithm: 'sha256' }]);
    expect(() => parseSumList(`${a}\n`, null)).toThrow('line 1 is no digest with a name');
  });

  it.each([
    ['../x', 'line 2 names ../x, which leads out of the directory'],
    ['/etc/passwd', 'line 2 names /etc/passwd, which leads out of the directory'],
    ['a/../../x', 'which leads out of the directory'],
    ['good', 'line 2 names good a second time'],
  ])('%s is refused with its line', (name, message) => {
    expect(() => parseSumList(`${a}  good\n${a}  ${name}\n`, null)).toThrow(message);
  });

  it.each(['nothing of the kind', `${'a'.repeat(63)}  x`, `SHA256 (x) = ${b}`, `\\${a}  x\\y`])(
    '%j is no line of one',
    (line) => {
      expect(() => parseSumList(`${line}\n`, null)).toThrow('line 1 is no digest');
    },
  );
});
