/** Names in configs that loaders import and call, and JSON as Python reads it. */
import { describe, expect, it } from 'vitest';
import { codeOfYaml } from '../../../src/core/formats/loaderCode/targetCode.js';
import { jsonValue } from '../../../src/core/formats/text/jsonValue.js';
import { utf8 } from '../../builders/byteWriter.js';
import { memoryTree } from '../../builders/memoryTree.js';
import * as p from '../../builders/pickleBuilder.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { buildTar } from '../../builders/tarBuilder.js';
import { buildTorchZip, buildZip } from '../../builders/torchZipBuilder.js';
import { inspectAnyHostile } from '../../hostile/accountable.js';

const plainZip = { prefix: '', alignment: 1, dataDescriptors: false, zip64End: false };

async function codesOf(files: Record<string, Uint8Array>): Promise<string[]> {
  const report = await inspectAnyHostile(memoryTree('m', files));
  return report.findings.map(({ code, message }) => `${code}: ${message}`);
}

const yaml = 'tokenizer:\n  _target_: os.system\n  command: id\n';
const unexpected = expect.stringMatching(/^config-import-unexpected: Unexpected import in a config: os\.system at /) as string;
const weights = buildTorchZip({ pickle: p.pickle(p.dict()) });

it('reads tags in one pass, however many handles and uses there are', () => {
  const handles = Array.from({ length: 10_000 }, (_, at) => `%TAG !h${at}! tag:yaml.org,2002:python/object/apply:`).join('\n');
  const uses = Array.from({ length: 10_000 }, (_, at) => `- !h${at}!os.system ["id"]`).join('\n');
  expect(codeOfYaml(`${handles}\n---\n${uses}\n`).map(({ code }) => code)).toContain('config-import-unexpected');
});

describe('targets of Hydra', () => {
  it.each<[string, Record<string, Uint8Array>]>([
    [
      'in a .nemo archive',
      {
        'a.nemo': buildTar([
          { name: './model_config.yaml', data: utf8(yaml) },
          { name: './model_weights.ckpt', data: weights },
        ]),
      },
    ],
    ['in config.json', { 'config.json': utf8('{"a": [{"_target_": "os.system"}]}'), 'a.pt': weights }],
    ['in hparams.yaml', { 'hparams.yaml': utf8(yaml), 'a.pt': weights }],
    ['in metadata of safetensors', { 'a.safetensors': buildSafetensors({ metadata: { config: '{"_target_": "os.system"}' } }) }],
  ])('%s', async (_what, files) => {
    expect(await codesOf(files)).toContainEqual(unexpected);
  });

  it.each([
    '{"_target_": "os.system"}',
    '{"\\u005ftarget_": "os.system"}',
    "a: {_target_: 'os.system'}",
    '- _target_:   os.system # no comment',
    'a: !!python/object/apply:os.system ["id"]',
    'a: !!python/object/new:os.system ["id"]',
    '- !!python/name:os.system',
    'a: !<tag:yaml.org,2002:python/object/apply:os.system> ["id"]',
    'a: !!python/object%2Fapply:os.system ["id"]',
    '%TAG !p! tag:yaml.org,2002:python/\n---\na: !p!object/apply:os.system ["id"]',
    '%TAG ! tag:yaml.org,2002:python/\n---\na: !object/apply:os.system ["id"]',
  ])('%s', (text) => {
    expect(codeOfYaml(text)).toMatchObject([{ code: 'config-import-unexpected', facts: { name: 'os.system' } }]);
  });

  it.each(['builtins.exec', 'subprocess.Popen', 'shutil.rmtree', 'torch.hub.load', 'torch.load', 'eval'])(
    '%s is unexpected',
    (name) => {
      expect(codeOfYaml(`_target_: ${name}`)).toMatchObject([{ code: 'config-import-unexpected', facts: { name } }]);
    },
  );

  it.each([
    'nemo.collections.asr.models.EncDecCTCModelBPE',
    'torch.optim.AdamW',
    'torch.zeros',
    'pathlib.PosixPath',
    'os.path.join',
    'builtins.dict',
    'functools.partial',
    'transformers.AutoModel.from_pretrained',
  ])('%s has no finding', (name) => {
    expect(codeOfYaml(`_target_: ${name}`)).toEqual([]);
  });

  it('a class of another package is named', () => {
    expect(codeOfYaml('_target_: mymodel.Net')).toMatchObject([
      { code: 'config-needs-code', facts: { first: 'mymodel.Net', names: 1 } },
    ]);
  });

  it.each(['# _target_: os.system', 'a: "see _target_ of os.system"', 'a: 1', '!!python/tuple [1]'])('%s has none', (text) => {
    expect(codeOfYaml(text)).toEqual([]);
  });
});

describe('JSON as Python reads it', () => {
  it('has NaN and infinities', () => {
    expect(jsonValue('{"a": NaN, "b": [Infinity, -Infinity], "NaN": "NaN \\" Infinity"}')).toEqual({
      a: null,
      b: [Infinity, -Infinity],
      NaN: 'NaN " Infinity',
    });
    expect(() => jsonValue('{"a": NaNs}')).toThrow(SyntaxError);
  });

  it.each(['NaN', 'Infinity', '-Infinity'])('%s in a config hides no auto_map', async (constant) => {
    const config = utf8(`{"x": ${constant}, "auto_map": {"AutoModel": "modeling_x.X"}}`);
    const codes = await codesOf({ 'config.json': config, 'a.pt': weights });
    expect(codes.filter((line) => line.startsWith('header-corrupt'))).toEqual([]);
    expect(codes).toContainEqual(expect.stringMatching(/^code-needed: .*modeling_x\.X/));
  });

  const config =
    '{"module": "keras", "class_name": "Sequential", "x": NaN, "config": {"layers": [{"module": "os", "class_name": "system", "config": {}}]}}';
  const utf16 = (order: 'le' | 'be', mark: string): Uint8Array => {
    const data = Buffer.from(mark + config, 'utf16le');
    return new Uint8Array(order === 'le' ? data : data.swap16());
  };
  const utf32 = (isLittle: boolean, mark: string): Uint8Array => {
    const text = mark + config;
    const view = new DataView(new ArrayBuffer(4 * text.length));
    for (let at = 0; at < text.length; at++) view.setUint32(4 * at, text.charCodeAt(at), isLittle);
    return new Uint8Array(view.buffer);
  };
  it.each<[string, Uint8Array]>([
    ['UTF-8', utf8(config)],
    ['UTF-8 with a mark', utf8(`\ufeff${config}`)],
    ['UTF-16', utf16('le', '')],
    ['UTF-16 with a mark', utf16('le', '\ufeff')],
    ['UTF-16 BE', utf16('be', '')],
    ['UTF-16 BE with a mark', utf16('be', '\ufeff')],
    ['UTF-32', utf32(true, '')],
    ['UTF-32 with a mark', utf32(true, '\ufeff')],
    ['UTF-32 BE', utf32(false, '')],
    ['UTF-32 BE with a mark', utf32(false, '\ufeff')],
  ])('a Keras config in %s names os.system', async (_what, data) => {
    const codes = await codesOf({ 'a.keras': buildZip([{ name: 'config.json', data }], plainZip) });
    expect(codes).toContainEqual(expect.stringMatching(/^keras-import-unexpected: .*os\.system/));
  });
});

it.each([
  ['base64', '"gAR9lC4="'],
  ['bytes', '{"class_name": "__bytes__", "config": {"value": "gAR9lC4="}}'],
])('a module of torch in a Keras layer is named (%s)', async (_what, module) => {
  const config = `{"module": "keras", "class_name": "Sequential", "config": {"layers": [{"module": "keras.layers", "class_name": "TorchModuleWrapper", "config": {"name": "wrapped", "module": ${module}}}]}}`;
  const codes = await codesOf({ 'a.keras': buildZip([{ name: 'config.json', data: utf8(config) }], plainZip) });
  expect(codes).toContainEqual(
    'keras-pickle-guarded: Pickle in layer wrapped: 5 B at config.json.config.layers[0].config.module.',
  );
});
