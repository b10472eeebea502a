/** Zip archives behind other bytes, which Python's zipfile opens as if they began there, and pickles in old or packed forms. */
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { concat, latin1, u16, u32, utf8 } from '../../builders/byteWriter.js';
import { memoryTree } from '../../builders/memoryTree.js';
import * as p from '../../builders/pickleBuilder.js';
import { buildTorchLegacy, buildTorchZip, buildZip } from '../../builders/torchZipBuilder.js';
import { inspectAnyHostile } from '../../hostile/accountable.js';

const attack = p.pickle(p.reduce(p.global('os', 'system'), p.tuple(p.str('id'))), 4);
const call = 'Unexpected call in a pickle: os.system("id").';

async function findingsOf(name: string, file: Uint8Array) {
  const report = await inspectAnyHostile(memoryTree('m', { [name]: file }));
  return report.findings;
}

async function errorsOf(name: string, file: Uint8Array): Promise<string[]> {
  return (await findingsOf(name, file)).filter(({ severity }) => severity === 'error').map(({ message }) => message);
}

describe('an archive behind other bytes', () => {
  const archive = buildTorchZip({ pickle: attack });
  const prefixes: readonly (readonly [what: string, prefix: Uint8Array])[] = [
    ['one byte', latin1('\n')],
    ['a program', concat(latin1('MZ\x90\0'), new Uint8Array(60))],
    ['a picture', latin1('GIF89a\x01\0\x01\0\0\0\0;')],
    ['5 kB', new Uint8Array(5_000).fill(0x78)],
    ['zeros', new Uint8Array(100)],
    ['a pickle', p.pickle(p.str('a'))],
  ];
  const names = ['a.zip', 'a.pt', 'a.ckpt', 'a.bin', 'a', 'a.npz', 'a.keras', 'a.dat'];
  it.each(prefixes.flatMap(([what, prefix]) => names.map((name) => [what, name, prefix] as const)))(
    '%s, as %s',
    async (_what, name, prefix) => {
      expect(await errorsOf(name, concat(prefix, archive))).toContain(call);
      expect(await errorsOf(name, concat(prefix, archive, latin1('tail')))).toContain(call);
    },
  );
});

describe('an archive whose comment is another end record', () => {
  const end = (entries: number): Uint8Array =>
    concat(latin1('PK\x05\x06'), u16(0), u16(0), u16(entries), u16(entries), u32(0), u32(0), u16(0));
  it.each([0, 1])('of %d entries', async (entries) => {
    const plain = buildZip([{ name: 'archive/data.pkl', data: attack }]);
    plain[plain.byteLength - 2] = 22;
    const file = concat(plain, end(entries));
    for (const name of ['a.pt', 'a.zip', 'a.npz']) {
      const found = await findingsOf(name, file);
      expect(found.map(({ message }) => message)).toContain(call);
      // torch finds no directory where the number of its entries is wrong, and says so.
      if (entries === 0 || name === 'a.npz') expect(found.map(({ code }) => code)).toContain('zip-readers-differ');
    }
  });
});

describe('compressed by joblib before 0.10', () => {
  const zfile = (content: Uint8Array, space = ''): Uint8Array =>
    concat(utf8(`ZF${`0x${content.byteLength.toString(16)}`.padEnd(19)}${space}`), new Uint8Array(deflateSync(content)));
  it.each([
    ['a.joblib', zfile(attack)],
    ['a.pkl', zfile(attack)],
    ['a.pkl.gz', zfile(attack)],
    ['joblib_0.8.4_compressed_pickle.gz', zfile(attack, ' ')],
    ['a', zfile(attack)],
    ['a.zip', buildZip([{ name: 'a.joblib', data: zfile(attack) }])],
  ])('%s', async (name, file) => {
    expect(await errorsOf(name, file)).toEqual([call]);
  });
});

it('a sixth pickle in a legacy file is scanned', async () => {
  const file = buildTorchLegacy(p.pickle(p.dict()), []);
  expect(await errorsOf('a.pt', concat(file, attack))).toContain(call);
});

describe('damaged pickles of protocol 0 without a call list what they import', () => {
  it.each([
    ['cbuiltins\nexec\n(X\x05\0\0\0ab', 'builtins.exec'],
    ['cos\nsystem\n(X\xff\0\0\0abc', 'os.system'],
    ['cantigravity\nfly\n(X\xff\0\0\0abc', 'antigravity'],
  ])('%j', async (text, name) => {
    for (const file of ['a.pkl', 'a.pt', 'a', 'a.bin']) {
      const found = await findingsOf(file, latin1(text));
      expect(
        found
          .filter(({ severity }) => severity !== 'note')
          .map(({ message }) => message)
          .join('\n'),
      ).toContain(name);
    }
  });

  it.each(['cats\ndogs\nbirds\n', 'ctime\nmtime\natime\n', 'cos\nsin\ntan\n'])('but no text: %j', async (text) => {
    const found = await findingsOf('words', utf8(text));
    expect(found.filter(({ code }) => code.startsWith('pickle-'))).toEqual([]);
  });
});
