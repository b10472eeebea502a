/** Headers of arrays that Python reads otherwise than they look: `ast.literal_eval` takes any literal, and `numpy.dtype` many names. */
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parsePythonLiteral } from '../../../src/core/formats/numpy/pythonLiteral.js';
import { parseNpyHeader } from '../../../src/core/formats/numpy/npyHeader.js';

import { memoryTree } from '../../builders/memoryTree.js';
import { buildNpy } from '../../builders/npyBuilder.js';
import * as p from '../../builders/pickleBuilder.js';
import { buildTar } from '../../builders/tarBuilder.js';
import { buildZip } from '../../builders/torchZipBuilder.js';
import { inspectAnyHostile } from '../../hostile/accountable.js';

const attack = p.pickle(p.reduce(p.global('os', 'system'), p.tuple(p.str('id'))), 4);
const size = attack.byteLength;
const headers: readonly (readonly [what: string, header: string])[] = [
  ['a key that is there twice', `{'descr': '|u1', 'fortran_order': False, 'shape': (${size},), 'descr': '|O'}`],
  ['an escape in a key', `{'descr': '|u1', 'fortran_order': False, 'shape': (${size},), 'de\\x73cr': '|O'}`],
  ['a key in two parts', `{'descr': '|u1', 'fortran_order': False, 'shape': (${size},), 'de' 'scr': '|O'}`],
  ['a key with a prefix', `{'descr': '|u1', 'fortran_order': False, 'shape': (${size},), u'descr': '|O'}`],
  ['a key in three quotes', `{'descr': '|u1', 'fortran_order': False, 'shape': (${size},), '''descr''': '|O'}`],
  ['a key in brackets', `{'descr': '|u1', 'fortran_order': False, 'shape': (${size},), ('descr'): '|O'}`],
  ['a type in brackets', `{'descr': ('|O'), 'fortran_order': False, 'shape': (${size},)}`],
  ['a type by its name', `{'descr': 'object', 'fortran_order': False, 'shape': (${size},)}`],
  ['a type by its other name', `{'descr': 'object_', 'fortran_order': False, 'shape': (${size},)}`],
  ['a type with a prefix', `{'descr': u'|O', 'fortran_order': False, 'shape': (${size},)}`],
  ['an escape in a type', `{'descr': '|\\x4f', 'fortran_order': False, 'shape': (${size},)}`],
  ['types with a comma', `{'descr': 'i4,O', 'fortran_order': False, 'shape': (${size},)}`],
  ['a record', `{'descr': [('a', '<i4'), ('b', '|O')], 'fortran_order': False, 'shape': (${size},)}`],
  ['a record with an escape', `{'descr': [('a', '<i4'), ('b', '|\\117')], 'fortran_order': False, 'shape': (${size},)}`],
  ['a record within a record', `{'descr': [('a', [('b', "O")])], 'fortran_order': False, 'shape': (${size},)}`],
  ['a comment', `{'descr': '|O', # 'descr': '|u1',\n 'fortran_order': False, 'shape': (${size},)}`],
  ['a named escape', `{'descr': '|\\N{LATIN CAPITAL LETTER O}', 'fortran_order': False, 'shape': (${size},)}`],
];

async function messagesOf(name: string, file: Uint8Array): Promise<{ errors: string[]; codes: string[] }> {
  const report = await inspectAnyHostile(memoryTree('m', { [name]: file }));
  const errors = report.findings.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  return { errors, codes: report.findings.map(({ code }) => code) };
}

const call = 'Unexpected call in a pickle: os.system("id").';

describe.each(headers)('%s', (what, headerText) => {
  const array = buildNpy({ headerText: `${headerText}\n`, data: attack });

  it.each<[string, Uint8Array]>([
    ['a.npy', array],
    ['a.npz', buildZip([{ name: 'a.npy', data: array }])],
    ['packed.npz', buildZip([{ name: 'a.npy', data: array, method: 8, stored: new Uint8Array(deflateRawSync(array)) } as never])],
    ['a.tar', buildTar([{ name: 'x/a.npy', data: array }])],
    ['b.pkl', array],
  ])('is scanned as %s', async (name, file) => {
    const { errors } = await messagesOf(name, file);
    expect(errors).toContain(call);
    if (name === 'a.npy' && what !== 'a named escape') expect(errors).toEqual([call]);
  });
});

it('a header that NumPy refuses does not hide the pickle behind it', async () => {
  const array = buildNpy({ headerText: "{'descr': '|Q7', 'fortran_order': False, 'shape': (3,)}\n", data: attack });
  const { errors, codes } = await messagesOf('a.npy', array);
  expect(errors).toContain(call);
  expect(codes).toContain('header-corrupt');
});

describe('types by other names are those', () => {
  it.each([
    ['float32', 'f32', 8],
    ['f', 'f32', 8],
    ['>d', 'f64', 16],
    ['int', 'i64', 16],
    ['?', 'bool', 2],
    ['uint16', 'u16', 4],
  ])('%s', (descr, dtype, dataBytes) => {
    const header = parseNpyHeader(buildNpy({ descr, shape: [2] }));
    expect(header).toMatchObject({ dtype, dataBytes, isObject: false });
  });

  it('and a plain array is read as ever, whatever its numbers are', async () => {
    const array = buildNpy({ descr: '|u1', shape: [size], data: attack });
    expect(await messagesOf('a.npy', array)).toEqual({ errors: [], codes: [] });
  });
});

describe('literals of Python', () => {
  it.each<[string, unknown]>([
    ['\'a\' "b"', 'ab'],
    ["r'\\x41'", '\\x41'],
    ["'\\x41\\102\\u0043\\U00000044\\n\\q'", 'ABCD\n\\q'],
    ["'''a'b'''", "a'b"],
    ["'a\\\nb'", 'ab'],
    ['(1)', 1],
    ['(1,)', [1]],
    ['[1, -2, 0x10, 1_0, 3L]', [1, -2, 16, 10, 3]],
    ['(True, False, None)', [true, false, null]],
    ['()', []],
  ])('%s', (text, value) => {
    expect(parsePythonLiteral(text)).toEqual(value);
  });

  it('entries of a dict replace those before', () => {
    expect(parsePythonLiteral("{'a': 1, 'a': 2, '__proto__': 3}")).toEqual(
      new Map<string, unknown>([
        ['a', 2],
        ['__proto__', 3],
      ]),
    );
  });

  it.each(['', '{', "'a", '1 2', "{'a' 1}", 'f(1)', "f'{1}'", '['.repeat(5_000), "'\\N{DIGIT ONE}'", '1,'])(
    '%s is none',
    (text) => {
      expect(parsePythonLiteral(text)).toBeUndefined();
    },
  );
});
