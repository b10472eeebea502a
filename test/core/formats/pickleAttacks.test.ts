/** Pickles that would execute something when they are loaded. Each is an error that shows the call, whatever the container, protocol or damage. */
import { bzip2Base64, hdf5Base64, lzmaBase64, xzBase64 } from '../../builders/packedPickles.js';
import { deflateSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bytes, concat, latin1, utf8 } from '../../builders/byteWriter.js';
import { buildNpy } from '../../builders/npyBuilder.js';
import { memoryTree } from '../../builders/memoryTree.js';
import * as p from '../../builders/pickleBuilder.js';
import { buildTar } from '../../builders/tarBuilder.js';
import { buildTorchLegacy, buildTorchZip, buildZip } from '../../builders/torchZipBuilder.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { inspectAnyHostile } from '../../hostile/accountable.js';

const { op } = p;
const ID = p.str('id');
const system = p.global('os', 'system');
const attr = (target: Uint8Array, name: string): Uint8Array =>
  p.reduce(p.global('builtins', 'getattr'), p.tuple(target, p.str(name)));
const run = p.reduce(system, p.tuple(ID));
const attack = p.pickle(run);
const fromBase64 = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'));
const text = (pickle: string): Uint8Array => latin1(pickle);
/** A frame of LZ4 with one block that is stored, of less than 64 KiB. */
const lz4Stored = (data: Uint8Array): Uint8Array =>
  concat(
    bytes(0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82),
    bytes(data.byteLength & 0xff, data.byteLength >> 8, 0, 0x80),
    data,
    new Uint8Array(4),
  );
const rebuilt = p.reduce(p.global('torch._utils', '_rebuild_tensor_v2'), p.tuple(p.int(1)));

async function callsOf(name: string, file: Uint8Array): Promise<string[]> {
  const report = await inspectAnyHostile(memoryTree('m', { [name]: file }));
  return report.findings
    .filter(({ code, severity }) => code === 'pickle-calls-unexpected' && severity === 'error')
    .map(({ message }) => message);
}

describe('calls that run commands are shown before others', () => {
  const decoy = (index: number): Uint8Array => p.reduce(p.global('unknownpackage', `call${index}`), p.tuple(p.str('x')));

  it('among many files', async () => {
    const decoys = Array.from({ length: 60 }, (_, at) => [`a${at}.pkl`, p.pickle(decoy(at))] as const);
    const report = await inspectAnyHostile(memoryTree('m', Object.fromEntries([...decoys, ['z.pkl', attack] as const])));
    const calls = report.findings.filter(({ code }) => code === 'pickle-calls-unexpected');
    expect(calls[0]).toMatchObject({ path: 'z.pkl', message: expect.stringContaining('os.system') as string });
    expect(calls.at(-1)?.message).toMatch(/^11 more/);
  });

  it('within one file', async () => {
    const file = p.pickle(p.tuple(...Array.from({ length: 60 }, (_, at) => decoy(at)), run));
    expect((await callsOf('m.pkl', file)).join()).toContain('os.system');
  });
});

it('calls that load another file are shown before others', async () => {
  const decoys = Array.from({ length: 60 }, (_, at) => [
    `a${at}.pkl`,
    p.pickle(p.reduce(p.global('unknownpackage', `call${at}`), p.tuple(p.str('x')))),
  ]);
  for (const [module, name] of [
    ['joblib.numpy_pickle', 'load'],
    ['pandas.io.pickle', 'read_pickle'],
    ['torch.serialization', 'load'],
    ['xgboost.core', 'Booster'],
  ] as const) {
    const last = p.pickle(p.reduce(p.global(module, name), p.tuple(p.str('x'))));
    const files = Object.fromEntries([...decoys, ['z.pkl', last]]) as Record<string, Uint8Array>;
    const report = await inspectAnyHostile(memoryTree('m', files));
    const [first] = report.findings.filter(({ code }) => code === 'pickle-calls-unexpected');
    expect(first).toMatchObject({ path: 'z.pkl', message: expect.stringContaining(`${module}.${name}`) as string });
  }
});

it.each([
  ['xgboost.core', 'Booster'],
  ['lightgbm.basic', 'Booster'],
  ['sentencepiece', 'SentencePieceProcessor'],
])('an instance of %s.%s that gets a state is usual', async (module, name) => {
  expect(await callsOf('a.pkl', p.pickle(p.newobj(p.global(module, name), p.tuple())))).toEqual([]);
});

describe('classes of Rust and Cython open what they are given before they are set up', () => {
  const path = p.str('/etc/passwd');
  const ways: readonly (readonly [what: string, pickleOf: (type: Uint8Array) => Uint8Array])[] = [
    ['NEWOBJ', (type) => p.pickle(p.newobj(type, p.tuple(path)))],
    ['NEWOBJ with bytes', (type) => p.pickle(p.newobj(type, p.tuple(p.bytesProtocol2(utf8('x')))))],
    ['NEWOBJ_EX', (type) => p.pickle([type, p.tuple(path), p.dict(), op.newobjEx()], 4)],
    ['NEWOBJ_EX with keywords', (type) => p.pickle([type, p.tuple(), p.dict([p.str('vocab'), path]), op.newobjEx()], 4)],
    ['copyreg.__newobj__', (type) => p.pickle(p.reduce(p.global('copyreg', '__newobj__'), p.tuple(type, path)))],
    [
      'copyreg.__newobj_ex__',
      (type) => p.pickle(p.reduce(p.global('copyreg', '__newobj_ex__'), p.tuple(type, p.tuple(path), p.dict()))),
    ],
  ];
  const classes = [
    ['tokenizers.models', 'BPE'],
    ['tokenizers.models', 'WordPiece'],
    ['safetensors._safetensors_rust', 'safe_open'],
    ['sudachipy.sudachipy', 'Dictionary'],
    ['youtokentome.cython', 'BPE'],
  ] as const;
  it.each(ways.flatMap(([what, pickleOf]) => classes.map(([module, name]) => [what, module, name, pickleOf] as const)))(
    '%s of %s.%s',
    async (_what, module, name, pickleOf) => {
      expect(await callsOf('a.pkl', pickleOf(p.global(module, name)))).toHaveLength(1);
    },
  );

  it.each(classes)('without arguments %s.%s is usual, as in their saves', async (module, name) => {
    const type = p.global(module, name);
    const state = p.bytesProtocol2(utf8('{}'));
    for (const made of [
      p.newobj(type, p.tuple()),
      p.reduce(p.global('copyreg', '__newobj__'), p.tuple(type)),
      p.reduce(p.global('copy_reg', '_reconstructor'), p.tuple(type, p.global('__builtin__', 'object'), p.none())),
    ])
      expect(await callsOf('a.pkl', p.pickle(p.build(made, state)))).toEqual([]);
  });
});

it('a shard of a WebDataset names how many pickled members were scanned', async () => {
  const members = Array.from({ length: 401 }, (_, at) => ({
    name: `${String(at).padStart(6, '0')}.pkl`,
    data: p.pickle(p.str('a')),
  }));
  const report = await inspectAnyHostile(memoryTree('m', { 'train-000000.tar': buildTar(members) }));
  const found = report.findings.filter(({ code }) => code === 'pickle-not-scanned');
  expect(found.map(({ message, severity }) => [severity, message])).toEqual([
    ['warning', expect.stringContaining('64 of 401 were scanned')],
  ]);
});

describe('names with line ends, and of other formats', () => {
  const harmless = p.pickle(p.str('a'));

  it.each(['a\nb.pkl', 'a\rb.pkl', 'a\u2028b.pkl', 'a\u2029b.pt', 'a\n.json'])('%j is read by its end', async (name) => {
    const file = name.endsWith('.json') ? utf8('{}') : harmless;
    const report = await inspectAnyHostile(memoryTree('m', { [name]: file }));
    expect(report.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it.each(['word.index', 'words/word.index'])('%s without data of a bundle is looked at', async (name) => {
    expect(await callsOf(name, attack)).toHaveLength(1);
    expect(await callsOf(name, text('cposix\nsystem\n(S"id"\ntR.'))).toHaveLength(1);
  });

  it.each(['arrow', 'parquet', 'onnx'])('a pickle as .%s is named', async (extension) => {
    for (const file of [attack, text('cposix\nsystem\n(S"id"\ntR.')]) {
      const report = await inspectAnyHostile(memoryTree('m', { [`n.${extension}`]: file }));
      const codes = report.findings.map(({ code }) => code);
      expect(codes).toContain('pickle-calls-unexpected');
      expect(codes).toContain('pickle-under-another-name');
    }
  });
});

describe('a pickle that would execute something is an error', () => {
  it.each<[what: string, pickle: Uint8Array, call: string]>([
    // Protocols
    ['protocol 0, REDUCE', text("cos\nsystem\n(S'id'\ntR."), 'os.system("id")'],
    ['protocol 0, INST', text("(S'id'\nios\nsystem\n."), 'os.system("id")'],
    ['protocol 1, OBJ', text('(cos\nsystem\nU\u0002ido.'), 'os.system("id")'],
    ['protocol 1 behind PROTO', text('\x80\x01cos\nsystem\nU\u0002id\x85R.'), 'os.system("id")'],
    ['protocol 2', attack, 'os.system("id")'],
    ['protocol 4, STACK_GLOBAL', p.pickle(p.reduce(p.stackGlobal('posix', 'system'), p.tuple(ID)), 4), 'posix.system("id")'],
    [
      'protocol 4, names from the memo',
      p.pickle(
        [
          op.shortBinunicode('os'),
          op.memoize(),
          op.shortBinunicode('system'),
          op.memoize(),
          op.pop(),
          op.pop(),
          op.binget(0),
          op.binget(1),
          op.stackGlobal(),
          p.tuple(ID),
          op.reduce(),
        ],
        4,
      ),
      'os.system("id")',
    ],
    [
      'protocol 4, names as old strings',
      p.pickle([op.shortBinstring(latin1('os')), op.string("'system'"), op.stackGlobal(), p.tuple(ID), op.reduce()], 4),
      'os.system("id")',
    ],
    [
      'protocol 4, names with escapes',
      p.pickle([op.unicode('\\u006fs'), op.string("'sys\\x74em'"), op.stackGlobal(), p.tuple(ID), op.reduce()], 4),
      'os.system("id")',
    ],
    [
      'protocol 4, a computed name',
      p.pickle(
        [
          p.reduce(p.global('builtins', 'str'), p.tuple(p.str('os'))),
          p.str('system'),
          op.stackGlobal(),
          p.tuple(ID),
          op.reduce(),
        ],
        4,
      ),
      '.system("id")',
    ],
    ['Python 2 names', p.pickle(p.reduce(p.global('commands', 'getoutput'), p.tuple(ID))), 'commands.getoutput("id")'],
    ['Python 2 builtins', p.pickle(p.reduce(p.global('__builtin__', 'eval'), p.tuple(p.str('1')))), '__builtin__.eval("1")'],
    ['an extension code', p.pickle([op.ext1(7), p.tuple(ID), op.reduce()]), 'copyreg.extension 7("id")'],
    ['NEWOBJ', p.pickle(p.newobj(p.global('subprocess', 'Popen'), p.tuple(ID))), 'subprocess.Popen("id")'],
    ['NEWOBJ_EX', p.pickle([p.global('subprocess', 'Popen'), p.tuple(ID), p.dict(), op.newobjEx()], 4), 'subprocess.Popen("id")'],
    [
      'a list as an argument',
      p.pickle(p.reduce(p.global('subprocess', 'check_output'), p.tuple(p.list(p.str('sh'), p.str('-c'))))),
      'subprocess.check_output(["sh", "-c"])',
    ],
    // Names that pass for usual ones
    [
      'a dotted name through a module of torch',
      p.pickle(p.reduce(p.stackGlobal('torch._utils', 'logging.FileHandler'), p.tuple(p.str('/tmp/x'))), 4),
      'torch._utils.logging.FileHandler("/tmp/x")',
    ],
    [
      'a dotted name through a framework',
      p.pickle(p.reduce(p.stackGlobal('deepspeed.launcher.runner', 'subprocess.Popen'), p.tuple(ID)), 4),
      'deepspeed.launcher.runner.subprocess.Popen("id")',
    ],
    [
      'a dotted name through a module of the user',
      p.pickle(p.reduce(p.stackGlobal('mymodel', 'os.system'), p.tuple(ID)), 4),
      'mymodel.os.system("id")',
    ],
    ['a class that a module imports', p.pickle(p.reduce(p.global('mymodel', 'Popen'), p.tuple(ID))), 'mymodel.Popen("id")'],
    [
      'a dot in the module',
      p.pickle(
        p.reduce(p.stackGlobal('torch.distributed.checkpoint.filesystem.io', 'FileIO'), p.tuple(p.str('/tmp/x'), p.str('w'))),
        4,
      ),
      'FileIO("/tmp/x", "w")',
    ],
    [
      'a function of torch',
      p.pickle(p.reduce(p.global('torch.utils.collect_env', 'run'), p.tuple(ID))),
      'torch.utils.collect_env.run("id")',
    ],
    [
      'a class of torch that starts a process',
      p.pickle(
        p.reduce(
          p.global('torch.distributed.elastic.multiprocessing.subprocess_handler.subprocess_handler', 'SubprocessHandler'),
          p.tuple(ID, p.tuple()),
        ),
      ),
      'SubprocessHandler("id", ())',
    ],
    [
      'code of torch.fx',
      p.pickle(
        p.reduce(
          p.global('torch.fx.graph_module', 'reduce_graph_module'),
          p.tuple(p.dict([p.str('_code'), p.str('def forward(): ...')]), p.str('')),
        ),
      ),
      'reduce_graph_module({"_code": "def forward(): ..."}',
    ],
    [
      'torch.hub',
      p.pickle(p.reduce(p.global('torch.hub', 'load'), p.tuple(p.str('a/b'), p.str('c')))),
      'torch.hub.load("a/b", "c")',
    ],
    [
      'a function of NumPy',
      p.pickle(p.reduce(p.global('numpy.testing._private.utils', 'runstring'), p.tuple(p.str('1'), p.dict()))),
      'runstring("1", {})',
    ],
    ['a function of the user', p.pickle(p.reduce(p.global('mymodel', 'build'), p.tuple(ID))), 'mymodel.build("id")'],
    ['pip', p.pickle(p.reduce(p.global('pip', 'main'), p.tuple(p.list(p.str('install'))))), 'pip.main(["install"])'],
    [
      'a class of a package that starts programs',
      p.pickle(p.reduce(p.global('paramiko.proxy', 'ProxyCommand'), p.tuple(ID))),
      'ProxyCommand("id")',
    ],
    ['pexpect', p.pickle(p.reduce(p.global('pexpect.popen_spawn', 'PopenSpawn'), p.tuple(ID))), 'PopenSpawn("id")'],
    [
      'cloudpickle',
      p.pickle(p.reduce(p.global('cloudpickle.cloudpickle', '_make_function'), p.tuple(p.int(1)))),
      '_make_function(1)',
    ],
    ['dill', p.pickle(p.reduce(p.global('dill._dill', '_create_function'), p.tuple(p.int(1)))), 'dill._dill._create_function(1)'],
    ['joblib', p.pickle(p.reduce(p.global('joblib', 'load'), p.tuple(p.str('x')))), 'joblib.load("x")'],
    ['webbrowser', p.pickle(p.reduce(p.global('webbrowser', 'open'), p.tuple(p.str('http://x')))), 'webbrowser.open("http://x")'],
    ['runpy', p.pickle(p.reduce(p.global('runpy', 'run_path'), p.tuple(p.str('x')))), 'runpy.run_path("x")'],
    ['pty', p.pickle(p.reduce(p.global('pty', 'spawn'), p.tuple(ID))), 'pty.spawn("id")'],
    [
      'a class of asyncio',
      p.pickle(p.reduce(p.global('asyncio.unix_events', '_UnixSubprocessTransport'), p.tuple(ID))),
      '_UnixSubprocessTransport("id")',
    ],
    [
      'a class of the standard library',
      p.pickle(p.reduce(p.global('shutil', 'ReadError'), p.tuple(ID))),
      'shutil.ReadError("id")',
    ],
    ...(
      [
        ['pyarrow', 'OSFile'],
        ['pyarrow.lib', 'OSFile'],
        ['pyarrow._s3fs', 'S3FileSystem'],
        ['mymodel', 'OSFile'],
        ['h5py', 'File'],
        ['h5py._hl.files', 'File'],
        ['tables.file', 'File'],
        ['tables', 'open_file'],
        ['netCDF4._netCDF4', 'Dataset'],
        ['numpy', 'memmap'],
        ['numpy', 'fromfile'],
        ['numpy', 'DataSource'],
        ['zarr', 'open'],
        ['zarr.storage', 'ZipStore'],
        ['fsspec', 'open'],
        ['fsspec.implementations.local', 'LocalFileOpener'],
        ['pandas.io.pytables', 'HDFStore'],
        ['pandas', 'read_pickle'],
        ['io', 'open'],
        ['_io', 'FileIO'],
        ['shelve', 'open'],
        ['dbm.dumb', 'open'],
        ['sqlite3', 'connect'],
        ['_sqlite3', 'Connection'],
        ['logging', 'FileHandler'],
        ['logging.handlers', 'SocketHandler'],
        ['tempfile', 'NamedTemporaryFile'],
        ['mmap', 'mmap'],
        ['ctypes', 'CDLL'],
        ['torch._ops', '_Ops.load_library'],
        ['torch._C', 'PyTorchFileWriter'],
        ['torch.utils.tensorboard.writer', 'SummaryWriter'],
        ['torch.distributed', 'FileStore'],
        ['torch.utils.cpp_extension', 'load'],
        ['urllib.request', 'urlopen'],
        ['requests', 'get'],
        ['socket', 'create_connection'],
        ['multiprocessing.connection', 'Listener'],
        ['pathlib', 'Path.write_text'],
        ['lmdb', 'Environment'],
        ['redis.client', 'Redis'],
        ['cv2', 'VideoCapture'],
        ['tensorflow.python.lib.io.tf_record', 'TFRecordWriter'],
        ['keras.src.saving.saving_lib', 'H5IOStore'],
        ['onnxruntime.capi.onnxruntime_inference_collection', 'InferenceSession'],
        ['selenium.webdriver', 'Chrome'],
        ['somelib.remote', 'ArchiveClient'],
        ['somelib.files', 'RecordFile'],
        ['somelib.files', 'ShardReader'],
        ['xgboost.core', 'Booster'],
        ['xgboost', 'DMatrix'],
        ['lightgbm.basic', 'Booster'],
        ['lightgbm', 'Dataset'],
        ['catboost.core', 'Pool'],
        ['sentencepiece', 'SentencePieceProcessor'],
        ['tokenizers.models', 'BPE'],
        ['ultralytics.models.yolo.model', 'YOLO'],
        ['sentence_transformers.SentenceTransformer', 'SentenceTransformer'],
        ['faster_whisper.transcribe', 'WhisperModel'],
        ['stanza.pipeline.core', 'Pipeline'],
        ['ai_edge_litert.interpreter', 'Interpreter'],
        ['moviepy.video.io.VideoFileClip', 'VideoFileClip'],
        ['cmdstanpy.model', 'CmdStanModel'],
        ['mxnet.recordio', 'MXRecordIO'],
        ['tensorizer', 'TensorSerializer'],
        ['vowpalwabbit.pyvw', 'Workspace'],
        ['fiona.collection', 'Collection'],
        ['usearch.index', 'Index'],
        ['faiss', 'read_index'],
        ['numpy', 'memmap'],
        ['mmap', 'mmap'],
        ['ctypes', 'CDLL'],
        ['importlib', 'import_module'],
        ['importlib.machinery', 'ExtensionFileLoader'],
        ['tensorflow.lite.python.interpreter', 'Interpreter'],
        ['kenlm', 'Model'],
        ['ctranslate2._ext', 'Translator'],
        ['llama_cpp.llama', 'Llama'],
        ['tokenizers', 'Tokenizer.from_file'],
        ['joblib.numpy_pickle', 'load'],
        ['numpy', 'load'],
        ['torch', 'load'],
        ['safetensors', 'safe_open'],
        ['safetensors.torch', 'load_file'],
        ['lightgbm.basic', 'Booster.model_from_string'],
      ] as const
    ).map(
      ([module, name]) =>
        [
          `what opens something: ${module}.${name}`,
          p.pickle(p.reduce(p.stackGlobal(module, name), p.tuple(p.str('/tmp/x'), p.str('w'))), 4),
          `${module}.${name}("/tmp/x", "w")`,
        ] as [string, Uint8Array, string],
    ),
    ...(['xgboost.core', 'lightgbm.basic'] as const).flatMap((module): [string, Uint8Array, string][] => [
      [
        `a model in bytes: ${module}`,
        p.pickle(p.reduce(p.global(module, 'Booster'), p.tuple(op.shortBinbytes(bytes(1, 2, 3)))), 3),
        `${module}.Booster(`,
      ],
      [
        `a model in a bytearray: ${module}`,
        p.pickle(
          p.reduce(
            p.global(module, 'Booster'),
            p.tuple(p.reduce(p.global('builtins', 'bytearray'), p.tuple(op.shortBinbytes(bytes(1, 2, 3))))),
          ),
          3,
        ),
        `${module}.Booster(`,
      ],
      [
        `a model by a path that is made: ${module}`,
        p.pickle(p.reduce(p.global(module, 'Booster'), p.tuple(p.reduce(p.global('pathlib', 'PosixPath'), p.tuple(p.str('x')))))),
        `${module}.Booster(`,
      ],
    ]),
    [
      'what opens a device by its number',
      p.pickle(p.reduce(p.global('cv2', 'VideoCapture'), p.tuple(p.int(0)))),
      'cv2.VideoCapture(0)',
    ],
    [
      'what writes without being told where',
      p.pickle(p.reduce(p.global('tensorboardX', 'SummaryWriter'), p.tuple())),
      'SummaryWriter()',
    ],
    [
      'an instance that opens a file, of Cython',
      p.pickle(p.newobj(p.global('pyarrow.lib', 'OSFile'), p.tuple(p.str('/tmp/x')))),
      'pyarrow.lib.OSFile("/tmp/x")',
    ],
    [
      'a class of torch with arguments that a call made',
      p.pickle(
        p.reduce(
          p.global('torch.distributed', 'PrefixStore'),
          p.reduce(p.global('builtins', 'tuple'), p.tuple(p.list(p.str('/tmp/x')))),
        ),
      ),
      'torch.distributed.PrefixStore(',
    ],
    ['types', p.pickle(p.reduce(p.global('types', 'CodeType'), p.tuple(p.int(0)))), 'types.CodeType(0)'],
    ['a printed text', p.pickle(p.reduce(p.global('builtins', 'print'), p.tuple(ID))), 'builtins.print("id")'],
    // Chains
    [
      'getattr with an underscore',
      p.pickle(p.reduce(attr(p.global('argparse', 'Namespace'), '__init__'), p.tuple(p.int(1)))),
      'builtins.getattr(argparse.Namespace, "__init__")',
    ],
    ['getattr on a function', p.pickle(attr(p.global('torch._utils', '_rebuild_tensor_v2'), '__globals__')), '"__globals__")'],
    [
      'getattr on what a call made',
      p.pickle(attr(rebuilt, '__globals__')),
      'builtins.getattr(torch._utils._rebuild_tensor_v2(…), "__globals__")',
    ],
    [
      'a call of what getattr found',
      p.pickle(p.reduce(attr(p.global('argparse', 'Namespace'), 'mro'), p.tuple())),
      'builtins.getattr(argparse.Namespace, "mro")()',
    ],
    ['a call of what a call returned', p.pickle(p.reduce(rebuilt, p.tuple(ID))), 'torch._utils._rebuild_tensor_v2(…)("id")'],
    [
      '_reconstructor with another base',
      p.pickle(p.reduce(p.global('copy_reg', '_reconstructor'), p.tuple(p.global('a', 'B'), p.global('c', 'D'), ID))),
      'copy_reg._reconstructor(a.B, c.D, "id")',
    ],
    [
      '_reconstructor of a program',
      p.pickle(
        p.reduce(
          p.global('copyreg', '_reconstructor'),
          p.tuple(p.global('subprocess', 'Popen'), p.global('builtins', 'object'), p.none()),
        ),
      ),
      'copyreg._reconstructor(subprocess.Popen',
    ],
    [
      'attrgetter',
      p.pickle(p.reduce(p.global('operator', 'attrgetter'), p.tuple(p.str('system')))),
      'operator.attrgetter("system")',
    ],
    [
      'methodcaller',
      p.pickle(p.reduce(p.global('_operator', 'methodcaller'), p.tuple(p.str('x')))),
      '_operator.methodcaller("x")',
    ],
    [
      'a partial of a program',
      p.pickle(p.reduce(p.reduce(p.global('functools', 'partial'), p.tuple(system, ID)), p.tuple())),
      'functools.partial(os.system, "id")',
    ],
    [
      'a partial of a class, called',
      p.pickle(p.reduce(p.reduce(p.global('functools', 'partial'), p.tuple(p.global('a', 'B'))), p.tuple(ID))),
      'functools.partial(a.B)("id")',
    ],
    [
      'a partial that gets its function as state',
      p.pickle(
        p.build(
          p.reduce(p.global('functools', 'partial'), p.tuple(p.global('a', 'B'))),
          p.tuple(system, p.tuple(ID), p.dict(), p.none()),
        ),
      ),
      '__setstate__((os.system, ("id",), {}, None))',
    ],
    ['map', p.pickle(p.reduce(p.global('builtins', 'map'), p.tuple(system, p.list(ID)))), 'builtins.map(os.system, ["id"])'],
    [
      'functools.reduce',
      p.pickle(p.reduce(p.global('functools', 'reduce'), p.tuple(system, p.list(ID)))),
      'functools.reduce(os.system, ["id"])',
    ],
    [
      'a program handed to what rebuilds tensors',
      p.pickle(
        p.reduce(p.global('torch._tensor', '_rebuild_from_type_v2'), p.tuple(system, p.global('a', 'B'), p.tuple(ID), p.none())),
      ),
      '_rebuild_from_type_v2(os.system, a.B, ("id",), None)',
    ],
    [
      'a function of the user handed to it',
      p.pickle(
        p.reduce(
          p.global('torch._tensor', '_rebuild_from_type_v2'),
          p.tuple(p.global('a', 'run'), p.global('a', 'B'), p.tuple(ID), p.none()),
        ),
      ),
      '_rebuild_from_type_v2(a.run',
    ],
    [
      'a program handed to NumPy',
      p.pickle(p.reduce(p.global('numpy.random._pickle', '__generator_ctor'), p.tuple(ID, system))),
      '__generator_ctor("id", os.system)',
    ],
    [
      'a program in a list from the memo',
      p.pickle([
        op.emptyList(),
        op.binput(0),
        system,
        op.append(),
        op.pop(),
        p.global('builtins', 'tuple'),
        op.binget(0),
        op.tuple1(),
        op.reduce(),
      ]),
      'builtins.tuple(',
    ],
    [
      'a program as a default factory',
      p.pickle(p.reduce(p.global('collections', 'defaultdict'), p.tuple(system))),
      'collections.defaultdict(os.system)',
    ],
    [
      'a state that sets a method',
      p.pickle(
        p.build(p.newobj(p.global('argparse', 'Namespace')), p.dict([p.str('__setstate__'), attr(p.global('a', 'B'), 'x')])),
      ),
      '__setstate__',
    ],
    [
      'a program in a state',
      p.pickle(p.build(p.newobj(p.global('argparse', 'Namespace')), p.dict([p.str('f'), system]))),
      '__setstate__({"f": os.system})',
    ],
    [
      'a state of a class',
      p.pickle(p.build(p.global('argparse', 'Namespace'), p.tuple(p.none(), p.dict([p.str('x'), p.int(1)])))),
      'argparse.Namespace.__setstate__((None, {"x": 1}))',
    ],
    [
      'an entry of a module',
      p.pickle([p.global('os', 'environ'), p.str('PATH'), p.str('/x'), op.setitem()]),
      'os.environ.__setitem__("PATH", "/x")',
    ],
    ['an item of a list of a module', p.pickle([p.global('sys', 'path'), p.str('/x'), op.append()]), 'sys.path.append("/x")'],
    ['a persistent id', p.pickle(p.persid(p.tuple(p.str('storage'), system))), 'persistent_load(("storage", os.system))'],
    [
      'a type with three arguments',
      p.pickle(p.reduce(p.global('builtins', 'type'), p.tuple(p.str('X'), p.tuple(), p.dict()))),
      'builtins.type("X", (), {})',
    ],
    [
      'iter with a sentinel',
      p.pickle(p.reduce(p.global('builtins', 'iter'), p.tuple(p.global('a', 'b'), p.none()))),
      'builtins.iter(a.b, None)',
    ],
    [
      'operator.getitem',
      p.pickle(p.reduce(p.global('operator', 'getitem'), p.tuple(rebuilt, p.str('exec')))),
      'operator.getitem(',
    ],
    [
      'text with control characters',
      p.pickle(p.reduce(system, p.tuple(p.str('id\n\u001b[31m\u202e')))),
      'os.system("id\\n\\x1b[31m\\u202e")',
    ],
    // Before damage
    ['before an opcode that is none', concat(op.proto(2), run, bytes(0xff), op.stop()), 'os.system("id")'],
    ['without STOP', concat(op.proto(2), run), 'os.system("id")'],
    ['before an underflow', p.pickle([run, op.pop(), op.pop(), op.pop()]), 'os.system("id")'],
    ['before a memo entry that was never set', p.pickle([run, op.binget(9)]), 'os.system("id")'],
    ['behind I0x10', text("I0x10\n0cos\nsystem\n(S'id'\ntR."), 'os.system("id")'],
    ['behind L1_0L', text("L1_0L\n0cos\nsystem\n(S'id'\ntR."), 'os.system("id")'],
    ['through p1_0', text("cos\nsystem\np1_0\n0g10\n(S'id'\ntR."), 'os.system("id")'],
    ['behind a frame of a wrong length', p.pickle([op.frame(3n), run], 4), 'os.system("id")'],
    ['behind an opcode that is none', p.pickle([bytes(0x01), run]), 'os.system("id")'],
    ['behind a length beyond the end', concat(op.proto(2), op.binunicode('', 2 ** 31 - 1), run, op.stop()), 'os.system("id")'],
    // Pickles in pickles
    ['pickle.loads', p.pickle(p.reduce(p.global('pickle', 'loads'), p.tuple(op.shortBinbytes(attack)))), 'os.system("id")'],
    [
      '_load_from_bytes',
      p.pickle(p.reduce(p.global('torch.storage', '_load_from_bytes'), p.tuple(op.binbytes(attack)))),
      'os.system("id")',
    ],
    [
      '_load_from_bytes of protocol 0',
      p.pickle(p.reduce(p.global('torch.storage', '_load_from_bytes'), p.tuple(op.binbytes(text("cos\nsystem\n(S'id'\ntR."))))),
      'os.system("id")',
    ],
    [
      '_load_from_bytes of an archive',
      p.pickle(
        p.reduce(
          p.global('torch.storage', '_load_from_bytes'),
          p.tuple(op.binbytes(buildTorchZip({ pickle: attack, storages: {} }))),
        ),
      ),
      'os.system("id")',
    ],
    [
      '_load_from_bytes of a text',
      p.pickle(p.reduce(p.global('torch.storage', '_load_from_bytes'), p.tuple(p.bytesProtocol2(attack)))),
      'os.system("id")',
    ],
    [
      '_load_from_bytes of a result',
      p.pickle(p.reduce(p.global('torch.storage', '_load_from_bytes'), p.tuple(rebuilt))),
      'torch.storage._load_from_bytes(',
    ],
    [
      'torch.load of BytesIO',
      p.pickle(p.reduce(p.global('torch', 'load'), p.tuple(p.reduce(p.global('_io', 'BytesIO'), p.tuple(op.binbytes(attack)))))),
      'os.system("id")',
    ],
    ['a second pickle', concat(p.pickle(p.int(1)), attack), 'os.system("id")'],
    ['a second pickle of protocol 0', concat(p.pickle(p.int(1)), text("cos\nsystem\n(S'id'\ntR.")), 'os.system("id")'],
  ])('%s', async (_, pickle, call) => {
    expect((await callsOf('data.pkl', pickle)).join('\n')).toContain(call);
    // A name that tells nothing.
    expect((await callsOf('model.sav', pickle)).join('\n')).toContain(call);
    expect((await callsOf('a.pt', buildTorchZip({ pickle, storages: {} }))).join('\n')).toContain(call);
  });
});

describe('so is one in a container', () => {
  const zipped = (name: string, data = attack): Uint8Array => buildZip([{ name, data }]);
  const object = (data: Uint8Array): Uint8Array => buildNpy({ descr: '|O', shape: [1], data });
  const tarred = (name: string, data = attack): Uint8Array => buildTar([{ name, data }]);
  const packed = (data: Uint8Array): Uint8Array => new Uint8Array(gzipSync(data));
  const magicNumber = p.pickle([op.long1(bytes(0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19))]);
  it.each<[what: string, name: string, file: Uint8Array]>([
    ['a legacy file of torch', 'a.pt', buildTorchLegacy(attack, [])],
    ['the first pickle of a legacy file', 'a.pt', concat(magicNumber, attack)],
    [
      'bytes before an archive with its offsets',
      'a.pt',
      buildTorchZip({ pickle: p.pickle(p.dict()), storages: {} }, { leading: attack }),
    ],
    [
      'a second data.pkl',
      'a.pt',
      buildZip([
        { name: 'data.pkl', data: p.pickle(p.dict()) },
        { name: 'data.pkl', data: attack },
      ]),
    ],
    [
      'another record of a torch archive',
      'a.pt',
      buildZip([
        { name: 'data.pkl', data: p.pickle(p.dict()) },
        { name: 'extra/other.pkl', data: attack },
      ]),
    ],
    [
      'a record without an extension',
      'a.pt',
      buildZip([
        { name: 'data.pkl', data: p.pickle(p.dict()) },
        { name: 'extra/other', data: attack },
      ]),
    ],
    [
      'torch.package',
      'a.pt',
      buildZip([
        { name: '.data/version', data: utf8('6') },
        { name: 'model/model.pkl', data: attack },
      ]),
    ],
    ['a plain zip', 'a.zip', zipped('model.pkl')],
    ['a deflated data.pkl', 'a.pt', buildZip([{ name: 'data.pkl', data: attack, deflate: true }])],
    ['a pickle in a zip in a zip', 'a.zip', zipped('a/inner.zip', zipped('model.pkl'))],
    ['an array of objects', 'a.npy', object(attack)],
    ['an archive of arrays', 'a.npz', buildZip([{ name: 'x.npy', data: object(attack) }], { prefix: '' })],
    ['a deflated array', 'a.npz', buildZip([{ name: 'x.npy', data: object(attack), deflate: true }], { prefix: '' })],
    ...['a.zip', 'a', 'a.dat', 'a.bin', 'a.pt', 'a.npy', 'a.keras'].map((name): [string, string, Uint8Array] => [
      'an archive of arrays under the name of another format',
      name,
      buildZip([{ name: 'x.npy', data: object(attack) }], { prefix: '' }),
    ]),
    ['gzip', 'a.pkl.gz', new Uint8Array(gzipSync(attack))],
    ['gzip of protocol 0', 'a.pkl.gz', new Uint8Array(gzipSync(text("cos\nsystem\n(S'id'\ntR.")))],
    ['joblib with zlib', 'a.joblib', new Uint8Array(deflateSync(attack))],
    ['joblib with bzip2', 'a.joblib', fromBase64(bzip2Base64)],
    ['joblib with lzma', 'a.joblib', fromBase64(lzmaBase64)],
    ['joblib with xz', 'a.joblib', fromBase64(xzBase64)],
    ['an attribute of HDF5', 'a.h5', new Uint8Array(gunzipSync(fromBase64(hdf5Base64)))],
    [
      'a tar archive of torch 0.1',
      'a.pth',
      buildTar([
        { name: 'sys_info', data: p.pickle(p.dict()) },
        { name: 'pickle', data: attack },
      ]),
    ],
    [
      'an archive of NeMo',
      'a.nemo',
      buildTar([
        { name: 'model_config.yaml', data: utf8('a: 1') },
        { name: 'extra.pkl', data: attack },
      ]),
    ],
    [
      'an archive of Keras',
      'a.keras',
      buildZip(
        [
          { name: 'config.json', data: utf8('{}') },
          { name: 'assets/x.pkl', data: attack },
        ],
        { prefix: '' },
      ),
    ],
    ['an archive without its end', 'a.pt', buildTorchZip({ pickle: attack, storages: {} }, { missingDirectory: true })],
    ['a tar archive', 'a.tar', buildTar([{ name: 'model.pkl', data: attack }])],
    ['a tar archive, under a name of data', 'a.tar', buildTar([{ name: 'model.dat', data: attack }])],
    ['an archive of NeMo, as a text', 'a.nemo', buildTar([{ name: 'notes.txt', data: attack }])],
    ...['payload.txt', 'payload.json', 'payload.md', 'payload.yaml', 'payload.toml'].map((name): [string, string, Uint8Array] => [
      `a record called ${name}`,
      'a.zip',
      zipped(name),
    ]),
    ['a tar archive in a tar archive', 'a.tar', tarred('inner.tar', tarred('m.pkl'))],
    ['a tar archive in a tar archive, as a binary', 'a.tar', tarred('a.bin', tarred('m.pkl'))],
    ['a tar archive in an archive', 'a.tar', tarred('a.nemo', tarred('m.pkl'))],
    ['a compressed archive in an archive', 'a.tar', tarred('a.tgz', packed(tarred('m.pkl')))],
    ['a compressed archive in a compressed one', 'a.tgz', packed(tarred('a.tgz', packed(tarred('m.pkl'))))],
    ['a tar archive in a zip archive', 'a.zip', zipped('inner.tar', tarred('m.pkl'))],
    ['a zip archive in a tar archive in a zip archive', 'a.zip', zipped('a.tar', tarred('b.zip', zipped('m.pkl')))],
    ['a tar archive compressed with LZ4', 'a.tar.lz4', lz4Stored(tarred('m.pkl'))],
    ['a pickle compressed twice', 'm.pkl.gz', packed(packed(attack))],
    ['a compressed zip archive', 'm.zip.gz', packed(zipped('m.pkl'))],
    ['a member of a tar archive with a name of its own', 'a.tar', tarred('m.model')],
    ['a member of a tar archive without an extension', 'a.tar', tarred('model')],
    ['a pickle of a tar archive that is one by its name alone', 'a.model', tarred('m.pkl')],
    ['a text of protocol 0 in an archive', 'a.zip', zipped('payload.txt', text("cos\nsystem\n(S'id'\ntR."))],
    ['the name of another format', 'a.gguf', attack],
    ['the name of another format', 'a.safetensors', attack],
  ])('%s', async (_, name, file) => {
    expect((await callsOf(name, file)).join('\n')).toContain('os.system("id")');
  });
});

it('so is one in a stored setting, and in metadata that are none', async () => {
  const files = { 'x/.metadata': attack, 'x/__0_0.distcp': buildTorchZip({ pickle: attack, storages: {} }) };
  const report = await inspectAnyHostile(memoryTree('x', files));
  const calls = report.findings.filter(({ code }) => code === 'pickle-calls-unexpected');
  expect(calls.map(({ path }) => path)).toContain('x/.metadata');
});

describe('is no error', () => {
  it.each<[what: string, pickle: Uint8Array, code: string]>([
    ['an import that is not called', p.pickle(system), 'pickle-import-unexpected'],
    ['an import in a list', p.pickle(p.list(system)), 'pickle-import-unexpected'],
    ['a class of the user', p.pickle(p.build(p.newobj(p.global('tinymodel', 'Net')), p.dict())), 'pickle-needs-code'],
    ['an enum of the user', p.pickle(p.reduce(p.global('tinymodel', 'Mode'), p.tuple(p.int(1)))), 'pickle-needs-code'],
    [
      'a class that opens files, as it is named',
      p.pickle(p.dict([p.str('opener'), p.global('netCDF4._netCDF4', 'Dataset')])),
      'pickle-needs-code',
    ],
    [
      'a class with such a name, not called',
      p.pickle(p.build(p.newobj(p.global('tinymodel', 'LogWriter')), p.dict())),
      'pickle-needs-code',
    ],
    ['a function of the user', p.pickle(p.dict([p.str('collate'), p.global('tinymodel', 'collate')])), 'pickle-needs-code'],
  ])('%s', async (_, pickle, code) => {
    const report = await inspectAnyHostile(memoryTree('m', { 'data.pkl': pickle }));
    expect(report.findings.map((finding) => finding.code)).toEqual([code]);
    expect(report.findings[0]?.severity).not.toBe('error');
  });

  it.each<[what: string, module: string, name: string]>([
    ['an index of pandas', 'pandas.core.indexes.interval', '_new_IntervalIndex'],
    ['an index of pandas', 'pandas.core.indexes.period', '_new_PeriodIndex'],
    ['a state space of statsmodels', 'statsmodels.tsa.statespace._representation', 'dStatespace'],
    ['a time zone of pytz', 'pytz', '_p'],
    ['a time zone of dateutil', 'dateutil.tz.tz', 'tzfile'],
    ['a time zone of dateutil', 'dateutil.tz._tzfile', '_unpickle'],
  ])('%s that is made again: %s.%s', async (_, module, name) => {
    const pickle = p.pickle(p.reduce(p.global(module, name), p.tuple(p.str('x'))));
    expect(await callsOf('data.pkl', pickle)).toEqual([]);
  });

  it('a method that an interpolation of SciPy keeps', async () => {
    const state = p.dict([p.str('_call'), p.stackGlobal('scipy.interpolate._interpolate', 'interp1d._call_linear_np')]);
    const pickle = p.pickle(p.build(p.newobj(p.global('scipy.interpolate._interpolate', 'interp1d')), state), 4);
    expect(await callsOf('data.pkl', pickle)).toEqual([]);
  });

  it('a time zone of the standard library is no unexpected import', async () => {
    const call = p.reduce(attr(p.global('zoneinfo', 'ZoneInfo'), '_unpickle'), p.tuple(p.str('Europe/Berlin'), p.int(1)));
    const report = await inspectAnyHostile(memoryTree('m', { 'data.pkl': p.pickle(call) }));
    expect(report.findings).toEqual([]);
  });

  it('a class of a module that a legacy file has in a persistent id', async () => {
    const id = p.tuple(p.str('module'), p.global('tinymodel', 'Net'), p.str('net.py'), p.str('class Net: ...'));
    const pickle = p.pickle(p.build(p.newobj(p.persid(id)), p.dict()));
    expect(await callsOf('data.pkl', pickle)).toEqual([]);
  });
});

it('so is one beside a model, in an archive', async () => {
  const files = { ...fixtureBelow('hf/qwen3-tied', 'm'), 'm/extra': buildTar([{ name: 'm.pkl', data: attack }]) };
  const report = await inspectAnyHostile(memoryTree('x', files));
  expect(report.findings.map(({ code, path }) => `${code} ${path}`)).toContain('pickle-calls-unexpected m/extra');
});

it('the place of a call in nested archives is that in the file', async () => {
  const file = buildTar([
    { name: 'a.tar', data: buildTar([{ name: 'm.zip', data: buildZip([{ name: 'm.pkl', data: attack }]) }]) },
  ]);
  const report = await inspectAnyHostile(memoryTree('m', { 'a.tar': file }));
  const offset = report.findings.find(({ code }) => code === 'pickle-calls-unexpected')?.offset ?? 0;
  expect(
    Buffer.from(file)
      .subarray(0, offset + 1)
      .lastIndexOf(attack),
  ).toBe(-1);
  expect(Buffer.from(file).indexOf(attack)).toBeLessThanOrEqual(offset);
  expect(Buffer.from(file).indexOf(attack) + attack.byteLength).toBeGreaterThan(offset);
});

describe('what is not scanned is said', () => {
  it('archives nested without end', async () => {
    let file = buildTar([{ name: 'm.pkl', data: attack }]);
    for (let depth = 0; depth < 20; depth++) file = buildTar([{ name: 'a.tar', data: file }]);
    const report = await inspectAnyHostile(memoryTree('m', { 'a.tar': file }));
    expect(report.findings.map(({ code }) => code)).toContain('pickle-not-scanned');
  });

  it.each<[what: string, name: string, file: Uint8Array]>([
    ['a record in a compression of its own', 'a.pt', buildZip([{ name: 'data.pkl', data: attack, central: { method: 12 } }])],
    ['an encrypted record', 'a.zip', buildZip([{ name: 'x.txt', data: attack, central: { flags: 9 } }])],
    ['an encrypted data.pkl', 'a.pt', buildZip([{ name: 'data.pkl', data: attack, central: { flags: 9 } }])],
    ['a damaged compressed pickle', 'a.zip', buildZip([{ name: 'x.pkl', data: concat(bytes(0x42, 0x5a, 0x68, 0x39), attack) }])],
  ])('%s', async (_, name, file) => {
    const report = await inspectAnyHostile(memoryTree('m', { [name]: file }));
    expect(report.findings.map(({ code }) => code)).toContain('pickle-not-scanned');
  });
});

it('values without end are cut, and imports behind them are listed', async () => {
  const many = 2_000_000;
  const pickle = concat(op.proto(2), new Uint8Array(many).fill(0x5d), run, op.stop());
  const report = await inspectAnyHostile(memoryTree('m', { 'data.pkl': pickle }));
  expect(report.findings.map(({ code }) => code)).toEqual(['pickle-calls-unexpected', 'pickle-values-cut']);
});
