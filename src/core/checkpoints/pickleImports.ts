/** Which globals checkpoints of known frameworks name. A list of facts: `expected` never means safe, and nothing is ever resolved. */
import type { PickleImport } from './checkpointReport.js';

const builtinNames = new Set([
  'set',
  'frozenset',
  'list',
  'dict',
  'tuple',
  'bytearray',
  'bytes',
  'complex',
  'slice',
  'range',
  'object',
  'int',
  'float',
  'str',
  'bool',
  // CPython 3.11 pickles enum members as getattr(Enum, 'NAME').
  'getattr',
]);

/** Full names that are written by the standard library's own pickling of harmless values. */
const expectedNames = new Set([
  'collections.OrderedDict',
  'collections.defaultdict',
  'collections.Counter',
  'collections.deque',
  'argparse.Namespace',
  '_codecs.encode',
  'copyreg._reconstructor',
  'copy_reg._reconstructor',
  'pathlib.PosixPath',
  'pathlib.WindowsPath',
  'pathlib.PurePosixPath',
  'pathlib._local.PosixPath',
  'datetime.datetime',
  'datetime.date',
  'datetime.timedelta',
  'datetime.timezone',
  'decimal.Decimal',
  'fractions.Fraction',
  'uuid.UUID',
  'types.SimpleNamespace',
  'numpy.dtype',
  'numpy.ndarray',
  'numpy.float64',
  'numpy.float32',
  'numpy.int64',
  'numpy.random._pickle.__generator_ctor',
  'numpy.random._pickle.__bit_generator_ctor',
  'numpy.random._pickle.__randomstate_ctor',
  'numpy.random._mt19937.MT19937',
  'numpy.random._pcg64.PCG64',
  'numpy.random.bit_generator.SeedSequence',
  'numpy.random.bit_generator.__pyx_unpickle_SeedSequence',
  'numpy.ma.MaskedArray',
  'numpy.ma.core._mareconstruct',
  'torch.Size',
  'torch.device',
  'torch.Tensor',
  'torch.nn.parameter.Parameter',
  'torch.nn.parameter.Buffer',
  'torch.nn.Parameter',
  'torch.nn.parameter.UninitializedParameter',
  'torch.nn.parameter.UninitializedBuffer',
  'torch.per_tensor_affine',
  'torch.per_tensor_symmetric',
  'torch.per_channel_affine',
  'torch.per_channel_symmetric',
  'torch.per_channel_affine_float_qparams',
  'torch.nested._internal.nested_tensor.NestedTensor',
  'torch.nested._internal.nested_tensor._rebuild_njt',
  'torch.serialization._get_layout',
  'torch.storage.UntypedStorage',
  'torch.storage.TypedStorage',
  'torch.storage._load_from_bytes',
  'torch._tensor._rebuild_from_type',
  'torch._tensor._rebuild_from_type_v2',
  'torch.jit._pickle.restore_type_tag',
  'torch.jit._pickle.build_intlist',
  'torch.jit._pickle.build_tensorlist',
  'torch.jit._pickle.build_doublelist',
  'torch.jit._pickle.build_boollist',
  'accelerate.state.PartialState',
  'omegaconf.dictconfig.DictConfig',
  'omegaconf.listconfig.ListConfig',
  'omegaconf.base.ContainerMetadata',
  'omegaconf.base.Metadata',
  'typing.Any',
  'signal.Signals',
  'deepspeed.utils.tensor_fragment.fragment_address',
]);

/** Modules whose classes are state, configuration or tensor types; only names that begin with a capital letter or `_rebuild`. */
const expectedModules = [
  'torch._utils',
  'torch.nn.modules.',
  'torch.optim.',
  'torch.distributed.tensor',
  'torch.distributed._tensor',
  'torch.distributed.device_mesh',
  'torch.distributed._mesh_layout',
  'torch.distributed._shard.',
  'torch.distributed.remote_device',
  'torch.distributed.checkpoint.',
  'torch.distributed.fsdp.',
  'torch.amp.grad_scaler',
  'torch.utils.data.',
  'torchao.',
  'bitsandbytes.',
  'transformers.training_args',
  'transformers.trainer_utils',
  'transformers.trainer_pt_utils',
  'transformers.trainer_callback',
  'transformers.integrations.',
  'transformers.debug_utils',
  'transformers.tokenization_utils_base',
  'accelerate.utils.dataclasses',
  'accelerate.data_loader',
  'trl.',
  'peft.',
  'deepspeed.',
  'megatron.',
  'pytorch_lightning.',
  'lightning.',
  'lightning_fabric.',
  'numpy.core.multiarray',
  'numpy._core.multiarray',
  'numpy.core.numeric',
  'numpy._core.numeric',
  '__torch__.',
];

const numpyFunctions = new Set(['_reconstruct', 'scalar', '_frombuffer']);

/** True for a global that checkpoints of known frameworks name. */
export function isExpectedImport(fullName: string): boolean {
  if (expectedNames.has(fullName)) return true;
  const dot = fullName.lastIndexOf('.');
  const module = fullName.slice(0, dot);
  const name = fullName.slice(dot + 1);
  if (module === 'builtins' || module === '__builtin__') return builtinNames.has(name);
  if (module === 'torch' || module === 'torch.cuda')
    return /^([A-Z]\w*Storage|b?float\d+\w*|bfloat16|u?int\d+|bool|complex\d+|half|double|float|long|q[u]?int\w+|bits\d+\w*)$/.test(
      name,
    );
  if (
    !expectedModules.some((expected) =>
      expected.endsWith('.') ? fullName.startsWith(expected) : module === expected || module.startsWith(`${expected}.`),
    )
  )
    return false;
  return (
    /^[A-Z_]*[A-Z]\w*$/.test(name) || name.startsWith('_rebuild') || numpyFunctions.has(name) || module.startsWith('__torch__')
  );
}

/** The import list of a report: unexpected ones first, then by name. */
export function listImports(imports: ReadonlyMap<string, ReadonlySet<string>>): PickleImport[] {
  return [...imports]
    .map(([name, paths]) => ({ name, files: paths.size, expected: isExpectedImport(name), paths: [...paths].sort() }))
    .sort((a, b) => Number(a.expected) - Number(b.expected) || (a.name < b.name ? -1 : 1));
}
