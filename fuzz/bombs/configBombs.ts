import { counted, fileBomb, type Bomb, type Part } from './bomb.js';

/** Configs are read up to a megabyte. */
export function configBombs(): Bomb[] {
  const config = (name: string, file: string, parts: () => readonly Part[]): Bomb =>
    fileBomb(`config: ${name}`, file, parts, 'estimate');
  const llama =
    '"model_type":"llama","hidden_size":64,"num_hidden_layers":2,"vocab_size":100,"num_attention_heads":4,"intermediate_size":128';
  return [
    config('JSON of 1 MB, nested', 'config.json', () => [
      `{${llama},"a":`,
      { unit: '[', times: 500_000 },
      { unit: ']', times: 500_000 },
      '}',
    ]),
    config('JSON of 1 MB, 250,000 objects', 'config.json', () => [`{${llama},"a":[`, { unit: '{},', times: 300_000 }, '0]}']),
    config('JSON of 63 MB', 'config.json', () => [`{${llama},"a":[`, { unit: '{},', times: 21_000_000 }, '0]}']),
    config('YAML: aliases, 9 levels of 9', 'train.yaml', () => [
      'base_model: a\na0: &a0 [x]\n',
      counted(9, (number) => `a${number + 1}: &a${number + 1} [${Array.from({ length: 9 }, () => `*a${number}`).join(',')}]\n`),
    ]),
    config('YAML of 1 MB, nested', 'train.yaml', () => ['base_model: ', { unit: '[', times: 1_000_000 }]),
    config('YAML of 1 MB, 150,000 keys', 'train.yaml', () => ['base_model: a\n', counted(90_000, (number) => `k${number}: 1\n`)]),
    config('YAML of 1 MB, 100,000 anchors', 'train.yaml', () => [
      'base_model: a\na:\n',
      counted(50_000, (number) => `  - &x${number} a\n`),
    ]),
    config('TOML of 1 MB, 100,000 tables', 'train.toml', () => [
      '[model]\nname = "llama3"\n',
      counted(70_000, (number) => `[a${number}]\n`),
    ]),
    config('TOML: nested lists', 'train.toml', () => ['[model]\nname = ', { unit: '[', times: 900_000 }]),
    config('shell: 1 MB in one word', 'train.sh', () => [
      'python train.py --num-layers $((',
      { unit: '1+', times: 400_000 },
      '1))\n',
    ]),
    config('shell: nested substitutions', 'train.sh', () => ['python train.py --a ', { unit: '$(', times: 400_000 }]),
    config('Python: nested lists', 'config.py', () => ['n_layer = ', { unit: '[', times: 900_000 }]),
    config('layers of 2^50', 'config.json', () => [
      `{${llama.replace('"num_hidden_layers":2', `"num_hidden_layers":${2 ** 50}`)}}`,
    ]),
    config('100,000 kinds of layers', 'config.json', () => [
      `{${llama},"layer_types":[`,
      counted(100_000, (number) => `"t${number}",`),
      '"full_attention"]}',
    ]),
  ];
}
