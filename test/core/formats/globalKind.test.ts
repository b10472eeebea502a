import { describe, expect, it } from 'vitest';
import { globalKind, importKindOf } from '../../../src/core/formats/pickle/imports/globalKind.js';

describe('a global of a pickle', () => {
  it.each([
    // CPython's Lib/_compat_pickle.py maps these to collections; gensim's old models name defaultdict so.
    ['UserString', 'defaultdict', 'usual'],
    ['UserList', 'UserList', 'usual'],
    ['__builtin__', 'long', 'usual'],
    // Modules keep their initialisers in their state, as SchNetPack's do.
    ['torch.nn.init', 'xavier_uniform_', 'usual'],
    ['torch.nn.init', 'zeros_', 'usual'],
    ['torch.nn.init', 'warnings', 'unexpected'],
    ['UserString', 'system', 'unexpected'],
  ] as const)('%s.%s is %s', (module, name, kind) => {
    expect(importKindOf(globalKind(module, name))).toBe(kind);
  });
});
