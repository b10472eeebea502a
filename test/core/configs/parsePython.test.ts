import { describe, expect, it } from 'vitest';
import { parsePythonText } from '../../../src/core/configs/document/parsePython.js';
import type { ConfigNode } from '../../../src/core/configs/document/configNode.js';

function plain(node: ConfigNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(plain);
  return Object.fromEntries([...node.members].map(([key, { value }]) => [key, plain(value)]));
}

describe('Python files of assignments', () => {
  it.each<[string, unknown]>([
    ['a = 1\nb: int = 2 # two\nc=3', { a: 1, b: 2, c: 3 }],
    [
      'a = 5 * 8\nb = a // 3 - 1\nc = 2**20\nd = -2 ** 2\ne = (1 + 2) * 1e-3\nf = 7 % -4\ng = 1_000',
      { a: 40, b: 12, c: 1_048_576, d: -4, e: 0.003, f: -1, g: 1000 },
    ],
    [`a = 'x'\nb = "y\\"z"\nc = True\nd = None\ne = r'w'`, { a: 'x', b: 'y"z', c: true, d: null, e: 'w' }],
    ['a = [1, 2 * 3,\n  "x", # no\n]\nb = {"k": 1, "l": {"m": [True]}}', { a: [1, 6, 'x'], b: { k: 1, l: { m: [true] } } }],
    ['"""\na = 1\n"""\nb = 2\nc = """x\nd = 3\n"""\ne = 4', { b: 2, e: 4 }],
    ['a = 1\na = f(2)\nb = a\nc = x.y\nd = [f()]\ne == 1\nf = 1 if a else 2', {}],
    ['if x:\n  a = 1\ndef f():\n  b = 2\nfor c in d: e = 3\nimport g = 1', {}],
    ['a = 1\na = 2', { a: 2 }],
    ['a = 1 / 0\nb = 1e999\nc = 10 ** 1000\nd = 0x10\ne = 1j', {}],
    ["a = f'{b}'\nc = 'open\nd = 5", { d: 5 }],
  ])('%j', (text, expected) => {
    expect(plain(parsePythonText(text).root)).toEqual(expected);
  });

  it('keeps the places of names and values', () => {
    const text = 'x = 1\nn_layer = 2 * 6 # layers';
    const member = parsePythonText(text).root.members.get('n_layer');
    expect(member && text.slice(member.keySpan.start, member.keySpan.end)).toBe('n_layer');
    expect(member && text.slice(member.value.span.start, member.value.span.end).trim()).toBe('2 * 6');
  });
});
