/** Calls of classes that run the text they are given, open the path in it, or execute when they are imported. */
import { describe, expect, it } from 'vitest';
import { concat, utf8 } from '../../builders/byteWriter.js';
import { memoryTree } from '../../builders/memoryTree.js';
import * as p from '../../builders/pickleBuilder.js';
import { inspectAnyHostile } from '../../hostile/accountable.js';

const { op } = p;
const code = p.str("__import__('os').system('id')");

async function findingsOf(file: Uint8Array): Promise<string[]> {
  const report = await inspectAnyHostile(memoryTree('m', { 'a.pkl': file }));
  return report.findings.filter(({ severity }) => severity !== 'note').map(({ severity, message }) => `${severity}: ${message}`);
}

async function callsOf(file: Uint8Array): Promise<string[]> {
  return (await findingsOf(file)).filter((line) => line.startsWith('error: Unexpected call'));
}

describe('sympy evaluates text', () => {
  const evaluated: readonly (readonly [what: string, pickle: Uint8Array])[] = [
    ['S', p.reduce(p.global('sympy', 'S'), p.tuple(code))],
    ['S of its module', p.reduce(p.global('sympy.core.singleton', 'S'), p.tuple(code))],
    ['Abs', p.reduce(p.global('sympy', 'Abs'), p.tuple(code))],
    ['Poly with a generator', p.reduce(p.global('sympy', 'Poly'), p.tuple(code, p.str('x')))],
    ['a matrix', p.reduce(p.global('sympy', 'Matrix'), p.tuple(p.list(code)))],
    ['a matrix by NEWOBJ', p.newobj(p.global('sympy', 'ImmutableDenseMatrix'), p.tuple(p.int(1), p.int(1), p.list(code)))],
    ['sin by NEWOBJ', p.newobj(p.global('sympy.functions.elementary.trigonometric', 'sin'), p.tuple(code))],
    ['behind sixteen others', p.newobj(p.global('sympy', 'Tuple'), p.tuple(...Array.from({ length: 20 }, () => p.int(1)), code))],
    [
      'a list from the memo',
      concat(p.list(code), op.binput(9), op.pop(), p.newobj(p.global('sympy', 'Tuple'), p.tuple(op.binget(9)))),
    ],
    ['a tuple from the memo', concat(p.tuple(code), op.binput(9), op.pop(), p.newobj(p.global('sympy', 'Abs'), op.binget(9)))],
    [
      'a text that a call makes',
      p.newobj(p.global('sympy', 'Abs'), p.tuple(p.reduce(p.global('builtins', 'str'), p.tuple(code)))),
    ],
    ['copyreg', p.reduce(p.global('copyreg', '__newobj__'), p.tuple(p.global('sympy', 'Abs'), code))],
    ['keywords', concat(p.global('sympy', 'Abs'), p.tuple(), p.dict([p.str('arg'), code]), op.newobjEx())],
    ['what a wildcard excludes', p.newobj(p.global('sympy', 'Wild'), p.tuple(p.str('w'), p.tuple(code)))],
    [
      'an application of an undefined function',
      p.newobj(p.reduce(p.global('sympy.core.function', '_rebuild_undef'), p.tuple(p.str('f'), p.dict())), p.tuple(code)),
    ],
    [
      'an index of pandas',
      p.reduce(
        p.global('pandas.core.indexes.base', '_new_Index'),
        p.tuple(p.global('sympy', 'Abs'), p.dict([p.str('arg'), code])),
      ),
    ],
    ["torch's own functions", p.newobj(p.global('torch.utils._sympy.functions', 'FloorDiv'), p.tuple(code, p.int(1)))],
  ];
  it.each(evaluated)('%s', async (_what, pickle) => {
    const found = await callsOf(p.pickle(pickle, 4));
    expect(found).toHaveLength(1);
  });

  it('and the text is shown', async () => {
    const [first] = await callsOf(p.pickle(p.reduce(p.global('sympy', 'S'), p.tuple(code))));
    expect(first).toContain(`sympy.S("__import__('os').system('id')")`);
  });

  it.each([
    ['a symbol', p.newobj(p.global('sympy.core.symbol', 'Symbol'), p.tuple(p.str('x')))],
    ['a number that is one object', p.newobj(p.global('sympy.core.numbers', 'One'), p.tuple())],
    ['a wildcard', p.newobj(p.global('sympy.core.symbol', 'Wild'), p.tuple(p.str('x')))],
    ['a float', p.newobj(p.global('sympy.core.numbers', 'Float'), p.tuple(p.tuple(p.int(0), p.str('18'), p.int(1), p.int(3))))],
    [
      'a sum',
      p.newobj(p.global('sympy.core.add', 'Add'), p.tuple(p.newobj(p.global('sympy', 'Symbol'), p.tuple(p.str('x'))), p.int(1))),
    ],
    ['an undefined function', p.reduce(p.global('sympy.core.function', '_rebuild_undef'), p.tuple(p.str('f'), p.dict()))],
    [
      'its application',
      p.newobj(
        p.reduce(p.global('sympy.core.function', '_rebuild_undef'), p.tuple(p.str('f'), p.dict())),
        p.tuple(p.newobj(p.global('sympy', 'Symbol'), p.tuple(p.str('x')))),
      ),
    ],
  ])('but %s is harmless', async (_what, pickle) => {
    expect(await findingsOf(p.pickle(pickle, 4))).toEqual([]);
  });
});

describe('classes that open what they are given', () => {
  it.each([
    ['PIL.PdfParser', 'PdfParser'],
    ['PIL.TarIO', 'TarIO'],
    ['PIL.ImageCms', 'ImageCmsProfile'],
    ['stable_baselines3.common.logger', 'CSVOutputFormat'],
    ['stable_baselines3.common.logger', 'HumanOutputFormat'],
    ['stable_baselines3.common.monitor', 'ResultsWriter'],
    ['hydra._internal.core_plugins.structured_config_source', 'StructuredConfigSource'],
    ['transformers.pipelines.base', 'JsonPipelineDataFormat'],
    ['accelerate.utils.deepspeed', 'HfDeepSpeedConfig'],
    ['transformers.integrations.deepspeed', 'HfDeepSpeedConfig'],
    ['onnx.reference.reference_evaluator', 'ReferenceEvaluator'],
    ['huggingface_hub._commit_scheduler', 'CommitScheduler'],
    ['keras.src.saving.saving_lib', 'NpzIOStore'],
    ['keras.src.export.tfsm_layer', 'TFSMLayer'],
    ['webdataset.filters', 'LMDBCached'],
    ['nltk.sentiment.vader', 'SentimentIntensityAnalyzer'],
    ['gensim.corpora.mmcorpus', 'MmCorpus'],
    ['julia.core', 'Julia'],
    ['some.logger', 'XmlOutputFormat'],
  ])('%s.%s with a text', async (module, name) => {
    expect(await callsOf(p.pickle(p.reduce(p.global(module, name), p.tuple(p.str('victim')))))).toHaveLength(1);
  });

  it.each(['SentimentIntensityAnalyzer', 'MmCorpus'])('an instance of %s with a state is usual', async (name) => {
    const type = p.global(name === 'MmCorpus' ? 'gensim.corpora.mmcorpus' : 'nltk.sentiment.vader', name);
    expect(await findingsOf(p.pickle(p.build(p.newobj(type, p.tuple()), p.dict([p.str('a'), p.int(1)]))))).toEqual([]);
  });

  it.each([
    ['a path', p.tuple(p.str('/etc/passwd'))],
    ['a path and a mode', p.tuple(p.str('victim'), p.str('w+b'))],
    ['an address', p.tuple(p.str('https://example.com/a'))],
    ['a path of Windows', p.tuple(p.str('C:\\a.txt'))],
    ['a name with an extension, in a list', p.tuple(p.list(p.str('model.onnx')))],
  ])('a class of any package that is given %s is a warning with the call', async (_what, args) => {
    const found = await findingsOf(p.pickle(p.reduce(p.global('somepackage.io', 'Thing'), args)));
    expect(found).toEqual([expect.stringMatching(/^warning: .*somepackage\.io\.Thing\(/)]);
  });

  it.each([
    ['code', "__import__('os').system('id')"],
    ['code', 'exec(open("a").read())'],
    ['code', 'import os; os.system("id")'],
  ])('one that is given %s is an error: %s', async (_what, text) => {
    expect(await callsOf(p.pickle(p.reduce(p.global('somepackage.expr', 'Thing'), p.tuple(p.str(text)))))).toHaveLength(1);
  });

  it.each([
    ['a value of an enum', p.reduce(p.global('somepackage', 'Kind'), p.tuple(p.str('linear')))],
    ['words', p.reduce(p.global('somepackage', 'Error'), p.tuple(p.str('no such thing: 3 of 4')))],
    ['a fraction', p.reduce(p.global('somepackage', 'Ratio'), p.tuple(p.str('1/2')))],
    ['a number with a point', p.reduce(p.global('somepackage', 'Version'), p.tuple(p.str('1.10.2')))],
  ])('%s is neither', async (_what, pickle) => {
    expect(await findingsOf(p.pickle(pickle))).toEqual([]);
  });
});

describe('modules that execute when they are imported are an error', () => {
  it.each([
    ['unittest.__main__', 'main'],
    ['antigravity', 'fly'],
    ['this', 's'],
    ['idlelib.idle', 'x'],
    ['ensurepip.__main__', 'x'],
    ['somepackage.__main__', 'main'],
  ])('%s', async (module, name) => {
    for (const file of [p.pickle(p.global(module, name)), p.pickle(p.stackGlobal(module, name), 4)]) {
      const found = await findingsOf(file);
      expect(found).toEqual([`error: Unexpected call in a pickle: __import__("${module}").`]);
    }
  });

  it('but no class of the program that saved', async () => {
    expect(await findingsOf(p.pickle(p.newobj(p.global('__main__', 'Net'), p.tuple())))).toEqual([]);
  });
});

it('a partial shows what its state makes it call', async () => {
  const made = p.reduce(p.global('functools', 'partial'), p.tuple(p.global('builtins', 'len')));
  const state = p.tuple(p.global('os', 'system'), p.tuple(p.str('id')), p.dict(), p.none());
  for (const file of [
    p.pickle(concat(p.build(made, state), p.tuple(), op.reduce())),
    p.pickle(concat(made, op.binput(9), state, op.build(), op.pop(), op.binget(9), p.tuple(), op.reduce())),
  ]) {
    const found = await callsOf(file);
    expect(found.join('\n')).toContain('functools.partial(os.system, "id")()');
  }
});

describe('harmless saves stay free of errors', () => {
  const type = p.reduce(p.global('pyarrow.lib', 'type_for_alias'), p.tuple(p.str('int64')));
  const buffer = p.reduce(p.global('pyarrow.lib', 'py_buffer'), p.tuple(p.bytesProtocol2(utf8('12345678'))));
  it.each<[string, Uint8Array]>([
    ['numpy.poly1d', p.build(p.newobj(p.global('numpy', 'poly1d'), p.tuple()), p.dict([p.str('a'), p.int(1)]))],
    [
      'numpy.poly1d of protocol 0',
      p.reduce(
        p.global('copy_reg', '_reconstructor'),
        p.tuple(p.global('numpy', 'poly1d'), p.global('__builtin__', 'object'), p.none()),
      ),
    ],
    ['a type of pyarrow', type],
    [
      'a field and a schema of pyarrow',
      p.reduce(
        p.global('pyarrow.lib', 'schema'),
        p.tuple(p.list(p.reduce(p.global('pyarrow.lib', 'field'), p.tuple(p.str('a'), type, p.int(1), p.none()))), p.none()),
      ),
    ],
    [
      'an array of pyarrow',
      p.reduce(
        p.global('pyarrow.lib', '_restore_array'),
        p.tuple(p.tuple(type, p.int(1), p.int(0), p.int(0), p.list(p.none(), buffer), p.list(), p.none())),
      ),
    ],
    [
      'a table of pyarrow',
      p.reduce(
        p.global('pyarrow.lib', '_reconstruct_table'),
        p.tuple(p.list(p.reduce(p.global('pyarrow.lib', 'chunked_array'), p.tuple(p.list(), type))), p.none()),
      ),
    ],
    [
      'an array of an old NumPy',
      p.reduce(
        p.global('numpy.core._internal', '_reconstruct'),
        p.tuple(p.global('numpy', 'ndarray'), p.tuple(p.int(0)), p.str('b')),
      ),
    ],
  ])('%s', async (_what, pickle) => {
    expect(await findingsOf(p.pickle(pickle))).toEqual([]);
  });

  it('but no buffer of a file', async () => {
    expect(await callsOf(p.pickle(p.reduce(p.global('pyarrow.lib', 'memory_map'), p.tuple(p.str('a')))))).toHaveLength(1);
  });
});
