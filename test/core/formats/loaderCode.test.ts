/** Code that loaders run besides pickles: each is named with its place, and ordinary files have no such finding. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { codeOfKerasConfig } from '../../../src/core/formats/keras/kerasCode.js';
import { codeFindings } from '../../../src/core/findings/codeFindings.js';
import type { FindingReport } from '../../../src/core/findings/finding.js';
import { concat, utf8 } from '../../builders/byteWriter.js';
import { buildGguf, ggufValue } from '../../builders/ggufBuilder.js';
import { memoryTree, type MemoryFile } from '../../builders/memoryTree.js';
import * as p from '../../builders/pickleBuilder.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { buildTar } from '../../builders/tarBuilder.js';
import { protoField } from '../../builders/tensorBundleBuilder.js';
import { buildTorchZip, buildZip, stateDict, torchRecords } from '../../builders/torchZipBuilder.js';
import { inspectAnyHostile, inspectHostile } from '../../hostile/accountable.js';

const fixture = (name: string): Uint8Array => new Uint8Array(readFileSync(`test/fixtures/loader-code/${name}`));
const misc = (name: string): Uint8Array => new Uint8Array(readFileSync(`test/fixtures/frameworks/misc/keras-h5/data/${name}`));
const weights = buildSafetensors({ tensors: { w: { dtype: 'F32', shape: [4, 2] } } });
const json = (value: unknown): Uint8Array => utf8(JSON.stringify(value));

/** What a report says of code, as code and message. */
async function codeIn(root: string, files: Readonly<Record<string, MemoryFile>>): Promise<FindingReport[]> {
  const report = await inspectHostile(memoryTree(root, files));
  return report.findings.filter(({ code }) => Object.hasOwn(codeFindings, code));
}

const inFile = (name: string, file: Uint8Array): Promise<FindingReport[]> => codeIn(name, { [name]: file });
const inModel = (files: Readonly<Record<string, Uint8Array>>): Promise<FindingReport[]> =>
  codeIn('m', { 'model.safetensors': weights, ...files });
const line = ({ code, path, message }: FindingReport): string => `${code} ${path ?? ''}: ${message}`;

describe('Keras', () => {
  const archiveOf = (config: Uint8Array, deflate = false): Uint8Array =>
    buildZip(
      [
        { name: 'metadata.json', data: json({ keras_version: '3.8.0' }) },
        { name: 'config.json', data: config, deflate },
        { name: 'model.weights.h5', data: misc('model.weights.h5') },
      ],
      { prefix: '', alignment: 1, dataDescriptors: false, zip64End: false },
    );
  const archive = (config: unknown): Uint8Array => archiveOf(json(config));
  const layer = (value: object): unknown => ({
    module: 'keras',
    class_name: 'Sequential',
    registered_name: 'Sequential',
    config: { name: 's', layers: [value] },
  });

  it.each([
    [
      'lambda.keras',
      archiveOf(fixture('lambda.json')),
      'keras-lambda-guarded',
      'warning',
      'config.json.config.layers[1].config.function.config.code',
    ],
    [
      'deflated.keras',
      archiveOf(fixture('lambda.json'), true),
      'keras-lambda-guarded',
      'warning',
      'config.json.config.layers[1].config.function.config.code',
    ],
    [
      'lambda.h5',
      fixture('lambda.h5'),
      'keras-lambda-code',
      'error',
      'model_config.config.layers[1].config.function.config.code',
    ],
  ])('%s has bytecode in a layer', async (name, file, code, severity, key) => {
    const [found, ...more] = await inFile(name, file);
    expect(found).toMatchObject({ code, severity, path: name });
    expect(found?.message).toContain(`127 B at ${key}.`);
    expect(more).toEqual([]);
  });

  it('Keras 2 has it as a list', async () => {
    const config: unknown = JSON.parse(new TextDecoder().decode(fixture('keras2.json')));
    expect(codeOfKerasConfig(config, 'model_config', 'legacy')).toEqual([
      { code: 'keras-lambda-code', facts: { layer: 'lambda', key: 'model_config.config.layers[0].config.function', bytes: 127 } },
    ]);
  });

  it('optimizers that tf_keras registers are its own', () => {
    const config = {
      optimizer_config: { class_name: 'Custom>Adam', config: {} },
      loss: { class_name: 'Custom>Own', config: {} },
    };
    expect(codeOfKerasConfig(config, 'training_config', 'legacy')).toEqual([
      { code: 'keras-needs-code', facts: { first: 'Custom>Own', names: 1, key: 'training_config.loss' } },
    ]);
  });

  it('a Lambda layer may name its function, or have its code as a text', () => {
    const layer = (config: object): unknown => ({ class_name: 'Lambda', config: { name: 'l', ...config } });
    const codesOf = (config: object): string[] => codeOfKerasConfig(layer(config), 'x', 'legacy').map(({ code }) => code);
    expect(codesOf({ function: 'scale', function_type: 'function' })).toEqual(['keras-needs-code']);
    expect(codesOf({ function: 'lambda x: x' })).toEqual(['keras-needs-code']);
    expect(codesOf({ function: '4wEA', function_type: 'lambda' })).toEqual(['keras-lambda-code']);
    expect(
      codesOf({ function: 's', function_type: 'function', output_shape: ['4wEA', null, null], output_shape_type: 'lambda' }),
    ).toEqual(['keras-lambda-code', 'keras-needs-code']);
  });

  it.each([
    ['registered', 'tiny>Scale'],
    ['plainclass', 'Plain'],
  ])('%s needs a class of its program', async (name, needed) => {
    const found = await inFile('m.keras', archiveOf(fixture(`${name}.json`)));
    expect(found.map(line)).toEqual([
      `keras-needs-code m.keras: Code needed to load: ${needed}, first at config.json.config.layers[1].`,
    ]);
  });

  it.each(['model.keras', 'legacy.h5', 'model.weights.h5'])('%s has none', async (name) => {
    expect(await inFile(name, misc(name))).toEqual([]);
  });

  it.each([
    ['os', 'system', 'os.system'],
    ['builtins', 'exec', 'builtins.exec'],
    ['keras.config', 'enable_unsafe_deserialization', 'keras.config.enable_unsafe_deserialization'],
    ['keras.utils', 'get_file', 'keras.utils.get_file'],
  ])('a function %s.%s of a config is unexpected', async (module, config, name) => {
    const found = await inFile('m.keras', archive(layer({ module, class_name: 'function', config, registered_name: config })));
    expect(found.map(line)).toEqual([
      `keras-import-unexpected m.keras: Unexpected import in a Keras config: ${name} at config.json.config.layers[0].`,
    ]);
  });

  it('usual objects of a config are none', async () => {
    const usual = [
      { module: 'keras.layers', class_name: 'Dense', registered_name: null, config: { name: 'd' } },
      { module: 'keras.activations', class_name: 'function', config: 'gelu', registered_name: 'gelu' },
      { module: 'keras_hub.layers', class_name: 'X', registered_name: 'keras_hub>X', config: {} },
      { module: 'builtins', class_name: 'slice', config: {} },
      { class_name: '__keras_tensor__', config: { shape: [1] } },
    ];
    for (const each of usual) expect(await inFile('m.keras', archive(layer(each)))).toEqual([]);
  });

  it('a config that is no JSON is not checked', async () => {
    const file = archiveOf(utf8('{'));
    expect((await inFile('m.keras', file)).map(({ code }) => code)).toEqual(['code-not-checked']);
  });
});

it('what the code does is among what was not checked', async () => {
  const report = await inspectHostile(memoryTree('lambda.h5', { 'lambda.h5': fixture('lambda.h5') }));
  expect(report.checks.notDone).toContain('what the code does that loaders run: only its place is read');
});

describe('TensorFlow', () => {
  const node = (name: string, op: string, ...attributes: Uint8Array[]): Uint8Array =>
    protoField(1, concat(protoField(1, utf8(name)), protoField(2, utf8(op)), ...attributes));
  const functionNode = (name: string, op: string): Uint8Array =>
    protoField(3, concat(protoField(1, utf8(name)), protoField(2, utf8(op))));
  const graph = concat(
    node('c', 'Const', protoField(5, new Uint8Array(100_000))),
    node('read', 'ReadFile', protoField(5, new Uint8Array(50_000))),
    node('print', 'PrintV2', protoField(5, utf8('output_stream\u0012\u0008stdout'))),
    protoField(
      2,
      protoField(1, concat(functionNode('write', 'WriteFile'), functionNode('again', 'WriteFile'), functionNode('py', 'PyFunc'))),
    ),
  );
  const objects = (metadata: unknown): Uint8Array => protoField(7, protoField(1, protoField(4, protoField(3, json(metadata)))));
  const savedModel = (extra: Uint8Array): Uint8Array =>
    concat(protoField(1, 1), protoField(2, concat(protoField(2, graph), extra)));
  const lambda = {
    class_name: 'Lambda',
    config: { name: 'l', function: { class_name: '__tuple__', items: ['4wEA', null, null] }, function_type: 'lambda' },
  };

  it('a SavedModel names operations that run code or touch files, in functions too', async () => {
    const found = await codeIn('m', { 'saved_model.pb': savedModel(new Uint8Array(0)) });
    expect(found.map(({ severity, message }) => `${severity} ${message}`).sort()).toEqual([
      'error Operation PyFunc in the graph: 1 node, first py.',
      'error Operation WriteFile in the graph: 2 nodes, first write.',
      'warning Operation ReadFile in the graph: 1 node, first read.',
    ]);
  });

  it('PrintV2 counts where it writes a file', async () => {
    const file = node('print', 'PrintV2', protoField(5, utf8('output_stream file:///tmp/x')));
    const found = await codeIn('m', { 'saved_model.pb': protoField(2, protoField(2, file)) });
    expect(found.map(({ message }) => message)).toEqual(['Operation PrintV2 in the graph: 1 node, first print.']);
  });

  it('meta graphs and frozen graphs do so too', async () => {
    for (const files of [{ 'model.ckpt.meta': protoField(2, graph) }, { 'frozen_graph.pb': graph }])
      expect((await codeIn('m', files)).map(({ code }) => code).sort()).toEqual([
        'graph-reads-files',
        'graph-runs-code',
        'graph-runs-code',
      ]);
  });

  it('Lambda layers are in the metadata of Keras and in the objects of the model', async () => {
    const files = {
      'saved_model.pb': savedModel(objects(lambda)),
      'keras_metadata.pb': protoField(1, protoField(5, json(lambda))),
    };
    const found = (await codeIn('m', files)).filter(({ code }) => code === 'keras-lambda-code');
    expect(found.map(({ path, severity }) => [path, severity])).toEqual([
      ['keras_metadata.pb', 'error'],
      ['saved_model.pb', 'error'],
    ]);
  });

  it('a graph that is cut keeps what was found', async () => {
    const file = savedModel(new Uint8Array(0));
    const found = await codeIn('m', { 'saved_model.pb': concat(file, Uint8Array.of(0x12, 0x7f, 0x07)) });
    expect(found.map(({ code }) => code)).toContain('graph-runs-code');
  });
});

describe('ONNX', () => {
  const node = (op: string, domain: string, ...more: Uint8Array[]): Uint8Array =>
    protoField(1, concat(protoField(4, utf8(op)), protoField(7, utf8(domain)), ...more));
  const model = (graph: Uint8Array, extra: Uint8Array = Uint8Array.of()): Uint8Array =>
    concat(protoField(1, 9), protoField(2, utf8('x')), protoField(7, graph), protoField(8, protoField(2, 17)), extra);
  const subgraph = (...nodes: Uint8Array[]): Uint8Array => protoField(5, protoField(6, concat(...nodes)));

  it('operators of other domains need a library', async () => {
    const graph = concat(
      node('Add', ''),
      node('Scaler', 'ai.onnx.ml'),
      node('MatMulNBits', 'com.microsoft'),
      node('If', '', subgraph(node('Fancy', 'com.example'))),
      node('If', '', protoField(3, new Uint8Array(9_000)), subgraph(node('Fancy', 'com.example'))),
      node('Own', 'local'),
    );
    const own = protoField(
      25,
      concat(
        protoField(1, utf8('Own')),
        protoField(10, utf8('local')),
        protoField(7, concat(protoField(4, utf8('Inner')), protoField(7, utf8('org.inner')))),
      ),
    );
    const found = await codeIn('m.onnx', { 'm.onnx': model(graph, own) });
    expect(found.map(({ severity, message }) => `${severity} ${message}`).sort()).toEqual([
      'note Custom operators of the domain com.example: Fancy (2 nodes).',
      'note Custom operators of the domain org.inner: Inner (1 node).',
      'note Operators of ONNX Runtime (domain com.microsoft): MatMulNBits (1 node).',
    ]);
  });
});

describe('configs of Hugging Face libraries', () => {
  it('name classes of files here, files that are missing, and other repositories', async () => {
    const found = await inModel({
      'config.json': json({
        auto_map: {
          AutoConfig: 'configuration_tiny.TinyConfig',
          AutoModel: 'modeling_tiny.TinyModel',
          AutoModelForCausalLM: 'modeling_tiny.TinyForCausalLM',
        },
        custom_pipelines: { pair: { impl: 'pair.PairPipeline', pt: ['AutoModel'] } },
      }),
      'tokenizer_config.json': json({ auto_map: { AutoTokenizer: ['someone/code--tokenization_tiny.TinyTokenizer', null] } }),
      'generation_config.json': json({ auto_map: 'gen.Config' }),
      'modeling_tiny.py': utf8('x = 1\n'),
    });
    const by = 'named in';
    expect(found.map(line).sort()).toEqual([
      `code-elsewhere tokenizer_config.json: Python code from another repository ${by} auto_map.AutoTokenizer: tokenization_tiny.TinyTokenizer of someone/code.`,
      `code-needed config.json: Python code ${by} auto_map.AutoConfig: configuration_tiny.TinyConfig, in configuration_tiny.py, which is not here.`,
      `code-needed config.json: Python code ${by} auto_map.AutoModel: modeling_tiny.TinyModel, modeling_tiny.TinyForCausalLM, in modeling_tiny.py, which is here.`,
      `code-needed config.json: Python code ${by} custom_pipelines.pair.impl: pair.PairPipeline, in pair.py, which is not here.`,
      `code-needed generation_config.json: Python code ${by} auto_map: gen.Config, in gen.py, which is not here.`,
    ]);
  });

  it('diffusers, sentence-transformers and PEFT have their own forms', async () => {
    const found = await inModel({
      'model_index.json': json({
        _class_name: ['pipeline', 'MyPipeline'],
        unet: ['my_unet', 'MyUNet'],
        vae: ['diffusers', 'AutoencoderKL'],
      }),
      'unet/my_unet.py': utf8(''),
      'modules.json': json([
        { idx: 0, type: 'sentence_transformers.models.Transformer' },
        { idx: 1, type: 'custom_st.Pooling' },
      ]),
      'adapter_config.json': json({ auto_mapping: { base_model_class: 'Net', parent_library: 'my_models' } }),
    });
    expect(found.map(({ path, message }) => `${path ?? ''}: ${message}`).sort()).toEqual([
      'adapter_config.json: Python code named in auto_mapping: my_models.Net, in my_models, a package that has to be installed.',
      'model_index.json: Python code named in _class_name: pipeline.MyPipeline, in pipeline.py, which is not here.',
      'model_index.json: Python code named in unet: my_unet.MyUNet, in unet/my_unet.py, which is here.',
      'modules.json: Python code named in [1].type: custom_st.Pooling, in custom_st.py, which is not here.',
    ]);
  });

  it('ordinary ones name none', async () => {
    const files = {
      'config.json': json({ model_type: 'llama', architectures: ['LlamaForCausalLM'], auto_map: null }),
      'tokenizer_config.json': json({ chat_template: '{% for m in messages %}{{ m.content }}{% endfor %}' }),
      'adapter_config.json': json({ auto_mapping: null }),
    };
    expect(await inModel(files)).toEqual([]);
  });

  it('one that is no JSON is not checked', async () => {
    expect((await inModel({ 'tokenizer_config.json': utf8('{"auto_map": ') })).map(({ code }) => code)).toEqual([
      'code-not-checked',
    ]);
  });
});

describe('chat templates', () => {
  const attack = "{%- for m in messages %}\n{{ cycler.__init__.__globals__['os'].popen('id') }}\n{%- endfor %}";

  it.each([
    ['an attribute', attack, '__init__, __globals__', 2],
    ['a subscript', "{{ x['__class__'] }}", '__class__', 1],
    ['escapes', String.raw`{{ ()|attr('\x5f\x5fclass\x5f\x5f') }}`, '__class__', 1],
    ['parts', "{{ x['__cla' ~ 'ss__'] }}", '__class__', 1],
    ['a frame', '{% set f = g.gi_frame %}', 'gi_frame', 1],
    ['a private attribute', '{{ m._secret }}', '_secret', 1],
    ['a statement behind a comment', '{# {{ #}{% if x.__mro__ %}', '__mro__', 1],
    ['an expression with a closing mark in a text', "{{ '}}' ~ x.__dict__ }}", '__dict__', 1],
  ])('by %s', async (_, template, attributes, at) => {
    const [found, ...more] = await inModel({ 'chat_template.jinja': utf8(template) });
    expect(found?.message).toBe(`Template chat_template.jinja reaches into Python objects: ${attributes} (line ${at}).`);
    expect(more).toEqual([]);
  });

  it('in a tokenizer, by name, and in GGUF', async () => {
    const files = {
      'tokenizer_config.json': json({ chat_template: [{ name: 'tool', template: attack }] }),
      'additional_chat_templates/x.jinja': utf8(attack),
    };
    expect((await inModel(files)).map(({ path }) => path).sort()).toEqual([
      'additional_chat_templates/x.jinja',
      'tokenizer_config.json',
    ]);
    const gguf = buildGguf({
      keyValues: [
        ['tokenizer.chat_template', ggufValue.text('{{ messages }}')],
        ['tokenizer.chat_template.tool', ggufValue.text(attack)],
      ],
    });
    expect((await inFile('m.gguf', gguf)).map(({ message }) => message)).toEqual([
      'Template tokenizer.chat_template.tool reaches into Python objects: __init__, __globals__ (line 2).',
    ]);
  });

  it.each([
    '<s>{{ bos_token }}{% for m in messages %}[{{ m["role"] }}] {{ m.content | trim }}{% endfor %}',
    "{{ '__start__' ~ m.role ~ '__end__' }} __class__ outside",
    "{# __class__ #}{% set ns = namespace(found=false) %}{{ raise_exception('x.__class__ is no attribute'[0:1]) if false }}".replace(
      'x.__class__ is no attribute',
      'no attribute',
    ),
    "{{ x[1:].items() }} {{ {'a': 1}.a }} {% if not loop.first and m['content'] is string %}..{% endif %}",
  ])('an ordinary one is none: %s', async (template) => {
    expect(await inModel({ 'chat_template.jinja': utf8(template) })).toEqual([]);
  });
});

describe('archives', () => {
  const stored = torchRecords(stateDict({ w: ['f32', [4, 2]] }));

  it('TorchScript runs its code when the model is called', async () => {
    const code = [
      { name: 'constants.pkl', data: p.pickle(p.tuple()) },
      { name: 'code/__torch__/net.py', data: utf8('def forward(self): ...') },
    ];
    const found = await inFile('m.pt', buildZip([...stored, ...code]));
    expect(found.map(({ severity, message, effect }) => [severity, message, effect])).toEqual([
      [
        'note',
        'Code in the archive: 1 file, 22 B, first archive/code/__torch__/net.py.',
        'Run by TorchScript when the model is called. Stowage did not read it.',
      ],
    ]);
  });

  it('machine code in an exported program is a warning', async () => {
    const file = buildZip([
      { name: 'm/archive_format', data: utf8('pt2') },
      { name: 'm/data/aotinductor/model/model.so', data: utf8('ELF') },
    ]);
    expect((await inFile('m.pt2', file)).map(({ code, severity }) => [code, severity])).toEqual([
      ['archive-has-native-code', 'warning'],
    ]);
  });

  it('torch.package, TorchServe and NeMo archives name theirs', async () => {
    const packaged = buildZip([
      { name: '.data/extern_modules', data: utf8('torch\n') },
      { name: 'model/model.pkl', data: p.pickle(p.dict()) },
      { name: 'net.py', data: utf8('class Net: pass') },
    ]);
    expect((await inFile('m.pt', packaged)).map(({ effect }) => effect)).toEqual([
      'Run by torch.package when the model is loaded (PackageImporter). Stowage did not read it.',
    ]);
    const served = buildZip([
      { name: 'MAR-INF/MANIFEST.json', data: json({ model: { handler: 'handler.py' } }) },
      { name: 'handler.py', data: utf8('x') },
      { name: 'model.pt', data: buildTorchZip(stateDict({ w: ['f32', [4, 2]] })) },
    ]);
    expect((await inFile('m.mar', served)).map(({ code, effect }) => [code, effect.slice(0, 44)])).toEqual([
      ['archive-has-code', 'Run by TorchServe when it loads the model. S'],
    ]);
    const nemo = buildTar([
      { name: './model_config.yaml', data: utf8('name: x\n') },
      { name: './handler.py', data: utf8('x') },
    ]);
    expect((await inFile('m.nemo', nemo)).map(({ code }) => code)).toEqual(['archive-has-code']);
  });

  it('those without code have no such finding', async () => {
    expect(await inFile('m.pt', buildZip(stored))).toEqual([]);
  });
});

describe('path configurations of Python', () => {
  it('name the line that Python runs', async () => {
    const text = "/opt/x\nimport os; os.system('id')\n";
    const report = await inspectHostile(memoryTree('x.pth', { 'x.pth': utf8(text) }));
    expect(report.findings.map(({ code, severity, offset, message }) => [code, severity, offset, message])).toEqual([
      [
        'path-configuration-code',
        'note',
        7,
        "Python path configuration with code, 1 line: line 2 is “import os; os.system('id')”.",
      ],
    ]);
    expect(report.files).toMatchObject([{ format: 'text', role: 'path configuration of Python' }]);
  });

  const run = "import os; os.system('id')";
  it.each([
    ['behind a carriage return alone', utf8(`/opt/x\r${run}\r`), 7],
    ['behind a separator of Unicode', utf8(`/opt/x\u2028${run}`), 9],
    ['behind a byte-order mark', utf8(`\ufeff${run}\n`), 3],
    ['of another encoding', concat(new Uint8Array([0x23, 0xe9, 0x0a]), utf8(`${run}\n`)), 3],
    ['in front of a zero', concat(utf8(`${run}\n`), new Uint8Array([0, 0xff])), 0],
    ['behind one', utf8(`/opt/x\0\n${run}\n`), 8],
    ['in front of much else', utf8(`${run}\n${'# padding\n'.repeat(20_000)}`), 0],
    ['that reads as an opcode of pickles', utf8(`${run}\n)R.`), 0],
    ['in front of an archive', concat(utf8(`${run}\n`), buildTorchZip(stateDict({ w: ['f32', [4, 2]] }))), 0],
  ])('name a line %s', async (_, bytes, offset) => {
    for (const path of ['x.pth', 'site-packages/x.pth', '.venv/lib/python3.11/site-packages/x.pth']) {
      const found = await codeIn('m', { 'model.safetensors': weights, [path]: bytes });
      expect(found.map((each) => [each.code, each.path, each.offset])).toEqual([['path-configuration-code', path, offset]]);
    }
    const beside = await inspectAnyHostile(
      memoryTree('data', { 'a.jsonl': utf8('{"text":"x"}\n'.repeat(9)), 'lib/x.pth': bytes }),
    );
    expect(beside.findings.map(({ code }) => code)).toContain('path-configuration-code');
  });

  it('larger than what is read say so', async () => {
    const text = utf8(`${run}\n${'# padding\n'.repeat(limits.pathConfigurationBytes / 10)}`);
    expect((await inFile('x.pth', text)).map(({ code }) => code)).toEqual(['code-not-checked', 'path-configuration-code']);
  });

  it('are none of what PyTorch writes', async () => {
    const code = utf8('import os\nimport sys\n');
    const zip = buildZip([...torchRecords(stateDict({ w: ['f32', [4, 2]] })), { name: 'archive/code/net.py', data: code }]);
    expect((await inFile('x.pth', zip)).map((each) => each.code)).toEqual(['archive-has-code']);
    expect(await inFile('x.pth', p.pickle(p.dict([p.str('\nimport os\n'), p.str('x\0')])))).toEqual([]);
  });

  it('of paths alone have no finding, and other texts stay what they are', async () => {
    expect((await inspectHostile(memoryTree('x.pth', { 'x.pth': utf8('/opt/x/src\n') }))).findings).toEqual([]);
    const page = await inspectHostile(memoryTree('x.pth', { 'x.pth': utf8('<html>import x</html>') }));
    expect(page.findings.map(({ code }) => code)).toContain('file-is-web-page');
  });
});

describe('requirements', () => {
  it.each([
    '-e git+https://example.com/net.git',
    '-e./net',
    '--editable=../net',
    '--index-url https://example.com/simple',
    '-i http://example.com/simple',
    '--extra-index-url=https://example.com/simple',
    '-f https://example.com/wheels',
    '--trusted-host example.com',
    '-r https://example.com/requirements.txt',
    'git+ssh://git@example.com/net.git@main',
    'net @ https://example.com/net.whl',
    'net[extra] @ file:///opt/net',
    './wheels/net.whl',
  ])('from elsewhere are named: %s', async (line) => {
    const [found, ...others] = await inModel({ 'requirements.txt': utf8(`# packages\ntorch==2.4.0\n${line}\n`) });
    expect(others).toEqual([]);
    expect(found).toMatchObject({ code: 'requirements-elsewhere', severity: 'note', path: 'requirements.txt' });
    expect(found?.message).toBe(`Requirements from elsewhere than the package index, 1 line: line 3 is “${line}”.`);
  });

  it('from the index have no finding, and secrets in addresses are masked', async () => {
    const usual =
      'torch==2.4.0  # from https://pytorch.org\n-r base.txt\n--pre\nnumpy>=1.26,<3 ; python_version > "3.8"\n-c pins.txt\n';
    expect(await inModel({ 'requirements.txt': utf8(usual), 'requirements-dev.txt': utf8('--no-cache-dir\n') })).toEqual([]);
    const [found] = await inModel({ 'constraints.txt': utf8('-i https://ana:hunter2@example.com/simple\n') });
    expect(found?.message).toContain('https://ana:(masked)@example.com/simple');
  });
});
