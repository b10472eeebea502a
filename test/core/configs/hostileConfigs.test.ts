import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { createConfigAccess, configFile } from '../../../src/core/configs/configAccess.js';
import { countModel } from '../../../src/core/configs/countModel.js';
import type { ConfigNode, Span } from '../../../src/core/configs/document/configNode.js';
import { recogniseConfig } from '../../../src/core/frameworks/recogniseConfig.js';
import { edges, sweep, upTo } from '../../hostile/sweep.js';
import { configFixtureNames, configFixtures, frameworkConfigs } from './configFixtures.js';
import { folderSources, nothingBeside } from './readConfigFixture.js';
import { runs } from '../../builders/seed.js';

/** Numbers of a plan that count whole things. */
const whole = new Set([
  'steps',
  'saveIntervalSteps',
  'keep',
  'sequenceLength',
  'globalBatch',
  'microBatch',
  'accumulation',
  'tokensPerStep',
  'worldSize',
  'nodes',
  'gpusPerNode',
  'dataParallel',
  'tensorParallel',
  'pipelineParallel',
  'contextParallel',
  'expertParallel',
  'maxTokens',
]);

/** Reads a text whatever is in it, and checks that every number is one that somebody can plan with. */
async function readSafely(name: string, text: string, sources = nothingBeside): Promise<void> {
  const file = await configFile(path.basename(name), text);
  const kind = file === null ? null : recogniseConfig(file);
  if (file === null || kind === null) return;
  const access = createConfigAccess(sources);
  const { model, plan } = await kind.read(file, access);
  for (const [key, value] of Object.entries(plan)) {
    if (typeof value !== 'number') continue;
    const isUsable = whole.has(key) ? Number.isSafeInteger(value) && value >= 0 : Number.isFinite(value) && value >= 0;
    if (!isUsable) expect.fail(`${key} is ${value} in ${name}: ${text.slice(0, 200)}`);
  }
  const { model: counted } = await countModel(model, access);
  if (counted === null) return;
  for (const value of Object.values(counted.counts))
    if (!Number.isSafeInteger(value) || value < 0) expect.fail(`${value} parameters`);
  for (const { start, end } of spansOf(file.document.root))
    if (start < 0 || end < start || end > text.length) expect.fail(`${start} to ${end} of ${text.length}`);
}

function* spansOf(root: ConfigNode): Generator<Span> {
  const open: ConfigNode[] = [root];
  const seen = new Set<ConfigNode>();
  while (open.length > 0) {
    const node = open.pop();
    if (node === undefined || seen.has(node)) continue;
    seen.add(node);
    yield node.span;
    if (node.kind === 'list') for (const item of node.items) open.push(item);
    if (node.kind === 'map')
      for (const { keySpan, value } of node.members.values()) {
        yield keySpan;
        open.push(value);
      }
  }
}

function scalarSpans(root: ConfigNode): Span[] {
  const spans: Span[] = [];
  const open: ConfigNode[] = [root];
  while (open.length > 0) {
    const node = open.pop();
    if (node?.kind === 'scalar' && node.span.end > node.span.start) spans.push(node.span);
    if (node?.kind === 'list') for (const item of node.items) open.push(item);
    if (node?.kind === 'map') for (const { value } of node.members.values()) open.push(value);
  }
  return spans;
}

const fixtures = path.resolve('test/fixtures');
const names = [...configFixtureNames().map((name) => path.join(configFixtures, name)), ...frameworkConfigs()].map((file) =>
  path.relative(fixtures, file),
);
const textOf = (name: string) => readFileSync(path.join(fixtures, name), 'utf8');

describe('half-typed configs', () => {
  it.each(names)('%s cut within its text', async (name) => {
    const text = textOf(name);
    await sweep({
      damage: 'text cut',
      file: name,
      bytes: new TextEncoder().encode(text),
      size: text.length,
      tiers: [{ offsets: edges(text.length, 8) }, { offsets: upTo(text.length), budget: 60 }],
      visit: async (end) => {
        await readSafely(name, text.slice(0, end));
        return null;
      },
    });
  });
});

describe('absurd values', () => {
  const hostile = fc.constantFrom(
    '-1',
    '0',
    '1e30',
    '1e400',
    '-1e400',
    '99999999999999999999999',
    '9007199254740993',
    '0.5',
    '"12"',
    '"abc"',
    '[]',
    '[1, [2, [3]]]',
    '{}',
    '{a: 1}',
    'null',
    '~',
    'true',
    'no',
    'auto',
    '${x}',
    '${model.hidden_size}',
    '{{ value }}',
    '$VAR',
    '$(nproc)',
    '&a [*a]',
    '*b',
    '!!python/object:os.system x',
    '.nan',
    '.inf',
    'NaN',
    '"',
    "'",
    '\u0000',
    '💥',
    'x'.repeat(5000),
    '([0]*1000000+[1]*1000000)',
    '__proto__',
    'constructor',
    '',
    '\n',
    '#',
    ': :',
  );
  it.each(names)('%s', async (name) => {
    const text = textOf(name);
    const file = await configFile(path.basename(name), text);
    const spans = file === null ? [] : scalarSpans(file.document.root);
    const sources = folderSources(path.dirname(path.join(fixtures, name)));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...spans), hostile, async ({ start, end }, value) => {
        await readSafely(name, text.slice(0, start) + value + text.slice(end), sources);
      }),
      runs(30, 1500),
    );
  });
});

describe('texts that are none', () => {
  it.each(['a.yaml', 'a.json', 'a.toml', 'a.sh', 'a.py'])('%s of anything', async (name) => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 300, unit: 'grapheme' }), (text) => readSafely(name, text)),
      runs(60, 3000),
    );
    const pieces = [
      '$',
      '{',
      '}',
      '(',
      ')',
      '"',
      "'",
      '\\',
      '\n',
      '`',
      '=',
      '--a',
      'X',
      '+',
      '<<EOF',
      '#',
      '[',
      ']',
      '*',
      ' ',
      '1',
      ':-',
      '@',
      '|',
      ';',
      '**',
      '//',
      ',',
      ':',
      '_',
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), (parts) => readSafely(name, parts.join(''))),
      runs(200, 10000),
    );
  });

  it('variables that double, and that name each other', async () => {
    const doubling = Array.from({ length: 60 }, (_, index) => `A${index + 1}="$A${index} $A${index}"`).join('\n');
    const arrays = Array.from({ length: 60 }, (_, index) => `A${index + 1}=( \${A${index}[@]} \${A${index}[@]} )`).join('\n');
    for (const script of [
      `A0="--num-layers 2"\n${doubling}\npython train.py $A60`,
      `A0=( --num-layers 2 )\n${arrays}\npython train.py \${A60[@]}`,
      `A=\${B:-\${A:-\${B}}}\nB=$A\npython train.py --num-layers $A`,
      `python train.py --num-layers $((${'('.repeat(10_000)}1${')'.repeat(10_000)}))`,
      `python train.py --num-layers ${'${A:-'.repeat(10_000)}`,
      `python train.py ${'-'.repeat(100_000)} ${'a='.repeat(50_000)} --${'a.'.repeat(50_000)} 1`,
    ])
      await readSafely('train.sh', script);
    for (const script of [
      `n_layer = ${'('.repeat(100_000)}`,
      `n_layer = ${'-'.repeat(100_000)}1`,
      `n_layer = ${'['.repeat(100_000)}`,
      `n_layer = ${'2**'.repeat(1000)}2`,
    ])
      await readSafely('train.py', `batch_size = 1\nblock_size = 8\nmax_iters = 9\n${script}`);
  });

  it('aliases that grow, and texts of 50 MB', async () => {
    const bomb = [
      'a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]',
      ...Array.from({ length: 40 }, (_, index) => `a${index + 1}: &a${index + 1} [${`*a${index}, `.repeat(9)}]`),
    ];
    for (const last of ['attention-config: *a40', 'defaults: *a40', 'slices: *a40', 'callbacks: *a40'])
      await readSafely(
        'bomb.yml',
        `${bomb.join('\n')}\nnum-layers: 2\nhidden-size: 4\nnum-attention-heads: 2\npos-emb: rotary\nmerge_method: linear\ndtype: float16\n${last}\n`,
      );
    const large = 'num_layers: 12\n'.repeat(3_500_000);
    expect(large.length).toBeGreaterThan(50_000_000);
    for (const name of ['large.yaml', 'large.json', 'large.toml', 'large.sh', 'large.py']) {
      const file = await configFile(name, large);
      expect(file?.document.problems[0]?.code).toBe('too-large');
      await readSafely(name, large);
    }
  });

  it.each([
    ['many.yaml', '- a\n', limits.configItems],
    ['many.yaml', '- []\n', limits.configItems],
    ['many.json', '{},', limits.configItems],
    ['many.py', '1,', limits.configItems],
    ['many.toml', 'a = 1\n', limits.tomlItems],
  ])('%s of many short items %s', async (name, item, most) => {
    const file = await configFile(name, item.repeat(most + 1));
    expect(file?.document.problems[0]?.code).toBe('too-large');
    const allowed = await configFile(name, item.repeat(most / 2 - 1));
    expect(allowed?.document.problems[0]?.code).not.toBe('too-large');
  });

  it.each([
    ['a key', (parts: string) => `${parts} = 1\n`],
    ['a table', (parts: string) => `[${parts}]\na = 1\n`],
    ['a table of a list', (parts: string) => `[[${parts}]]\na = 1\n`],
    ['a key of an inline table', (parts: string) => `a = {${parts} = 1}\n`],
  ])('TOML refuses %s of more parts than maps may nest', async (_, line) => {
    const problemOf = async (part: string, count: number) =>
      (await configFile('deep.toml', line(Array<string>(count).fill(part).join('.'))))?.document.problems[0]?.code;
    for (const part of ['a', '"="', "'#'", ' a ']) {
      expect(await problemOf(part, 200_000)).toBe('too-deep');
      expect(await problemOf(part, limits.configDepth + 1)).toBe('too-deep');
      expect(await problemOf(part, limits.configDepth - 1)).toBeUndefined();
    }
  });

  it('TOML reads values with many full stops', async () => {
    const text = `a = "${'b.'.repeat(500)}"\nb = [${'1.5, '.repeat(500)}]\n# ${'c..'.repeat(500)}\nc = 1\n`;
    expect((await configFile('dots.toml', text))?.document.problems).toEqual([]);
  });
});
