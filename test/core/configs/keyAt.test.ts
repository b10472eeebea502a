import { describe, expect, it } from 'vitest';
import { keyAt } from '../../../src/core/configs/document/keyAt.js';
import { parseConfig } from '../../../src/core/configs/document/parseConfig.js';

async function pathAt(name: string, text: string): Promise<string | undefined> {
  const offset = text.indexOf('|');
  const document = await parseConfig(name, text.replace('|', ''));
  if (document === null) throw new Error(`${name} is not parsed`);
  return keyAt(document.root, offset)?.path.join('.');
}

describe('the key at a place', () => {
  it.each([
    ['a.json', '{"a": {"b|c": 1}}', 'a.bc'],
    ['a.json', '{"a": {"bc": 1|2}}', 'a.bc'],
    ['a.json', '{"a": {"bc": 12 | }}', 'a'],
    ['a.json', '{"a": [1, 2|]}', 'a'],
    ['a.json', '{"a": [{"b": 1|}]}', 'a.0.b'],
    ['a.json', '| {"a": 1}', undefined],
    ['a.yaml', 'a:\n  b|c: 1\nd: 2\n', 'a.bc'],
    ['a.yaml', 'a:\n  bc: 1\nd: 2|\n', 'd'],
    ['a.yaml', 'a: &x\n  b: 1\nc: *x\nd: 1|\n', 'd'],
    ['a.yaml', 'a: &x\n  b: 1|\nc: *x\n', 'a.b'],
    ['a.toml', '[a]\nb| = 1\n[c]\nd = 2\n', 'a.b'],
    ['a.toml', '[a]\nb = 1\n[c]\nd = 2|\n', 'c.d'],
    ['a.toml', '[a.b]\nc = { d = 1| }\n', 'a.b.c.d'],
    ['a.sh', 'torchrun pretrain_gpt.py --num-layers 1|2 --save x\n', 'num_layers'],
    ['a.sh', 'ARGS=(\n  --num-la|yers 12\n)\ntorchrun pretrain_gpt.py ${ARGS[@]}\n', 'num_layers'],
    ['a.py', 'n_layer = 12\nn_h|ead = 12\n', 'n_head'],
  ])('of %s %j is %s', async (name, text, path) => {
    expect(await pathAt(name, text)).toBe(path);
  });
});
