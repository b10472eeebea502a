/**
 * Globals that saves of known frameworks name, by exact module and name. A list of facts: `usual` never means safe, and nothing is ever resolved.
 * Modules carry no wildcard, as every module of a framework also has what it imports (`torch._utils` has `logging`).
 */
import { torchClasses, torchFunctions } from './torchClasses.js';

type NamesByModule = Readonly<Record<string, string>>;

/** Called with arguments when a save is loaded: functions that rebuild tensors and arrays, and classes that pickle by their constructor. */
const rebuilds: NamesByModule = {
  builtins: 'set frozenset list dict tuple bytearray bytes complex slice range object int float str bool reversed enumerate zip',
  collections: 'OrderedDict defaultdict Counter deque ChainMap UserDict UserList UserString',
  argparse: 'Namespace',
  array: '_array_reconstructor',
  _codecs: 'encode',
  pathlib: 'PosixPath WindowsPath PurePosixPath PureWindowsPath Path PurePath',
  'pathlib._local': 'PosixPath WindowsPath PurePosixPath PureWindowsPath Path PurePath',
  datetime: 'datetime date time timedelta timezone',
  decimal: 'Decimal',
  fractions: 'Fraction',
  ipaddress: 'IPv4Address IPv6Address',
  itertools: 'count repeat chain cycle',
  logging: 'getLogger',
  random: 'Random',
  re: '_compile',
  signal: 'Signals',
  types: 'SimpleNamespace GenericAlias',
  uuid: 'UUID SafeUUID',
  _io: 'BytesIO StringIO',
  io: 'BytesIO StringIO',
  numpy:
    'dtype float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool_ complex64 complex128 longlong ulonglong',
  'numpy.core.multiarray': '_reconstruct scalar',
  'numpy._core.multiarray': '_reconstruct scalar',
  'numpy.core.numeric': '_frombuffer',
  'numpy._core.numeric': '_frombuffer',
  'numpy._core._internal': '_frombuffer',
  // Arrays of NumPy's first releases have `_reconstruct` there.
  'numpy.core._internal': '_frombuffer _reconstruct',
  'numpy.ma.core': '_mareconstruct',
  'numpy.random._pickle': '__bit_generator_ctor',
  'numpy.random': '__RandomState_ctor',
  'numpy.random.bit_generator': '__pyx_unpickle_SeedSequence',
  'numpy.random._bit_generator': '__pyx_unpickle_SeedSequence',
  torch: 'Size device Generator',
  'torch._C': 'Generator',
  'torch._utils': `
    _rebuild_device_tensor_from_cpu_tensor _rebuild_device_tensor_from_numpy _rebuild_meta_tensor_no_storage _rebuild_nested_tensor
    _rebuild_parameter _rebuild_parameter_with_state _rebuild_qtensor _rebuild_sparse_tensor _rebuild_sparse_csr_tensor _rebuild_tensor
    _rebuild_tensor_v2 _rebuild_tensor_v3 _rebuild_wrapper_subclass _rebuild_xla_tensor _rebuild_mlc_tensor`,
  'torch.nested._internal.nested_tensor': '_rebuild_njt',
  'torch.serialization': '_get_layout',
  'torch.jit._pickle': 'restore_type_tag build_intlist build_tensorlist build_doublelist build_boollist',
  'torch.nn.backends.thnn': '_get_thnn_function_backend',
  'torch.nn.utils.rnn': '_packed_sequence_init',
  'torch.nn.parameter': 'Parameter Buffer',
  'torch.distributed.checkpoint.metadata': '_MEM_FORMAT_ENCODING',
  'torch.distributed.checkpoint.filesystem': 'SerializationFormat',
  'torch.distributed.fsdp.api': 'ShardingStrategy BackwardPrefetch StateDictType MixedPrecision CPUOffload',
  'deepspeed.utils.tensor_fragment': 'fragment_address',
  'accelerate.utils.dataclasses': 'DistributedType DynamoBackend PrecisionType',
  'transformers.trainer_utils': `
    EvaluationStrategy HubStrategy IntervalStrategy SaveStrategy SchedulerType FSDPOption EvalPrediction TrainOutput PredictionOutput RemoveColumnsCollator`,
  'transformers.training_args': 'OptimizerNames ParallelMode',
  'transformers.debug_utils': 'DebugOption',
  'transformers.utils.generic': 'ExplicitEnum TensorType PaddingStrategy',
  'pandas._libs.internals': '_unpickle_block',
  'pandas.core.indexes.base': '_new_Index',
  'pandas.core.indexes.interval': '_new_IntervalIndex',
  'pandas.core.indexes.datetimes': '_new_DatetimeIndex',
  'pandas.core.indexes.period': '_new_PeriodIndex',
  'pandas.core.internals.blocks': 'new_block',
  'pandas._libs.tslibs.timestamps': '_unpickle_timestamp',
  'pandas._libs.tslibs.nattype': '_nat_unpickle',
  'pandas._libs.tslibs.timedeltas': '_timedelta_unpickle',
  'pandas._libs.tslibs.conversion': 'localize_pydatetime',
  'pyarrow.lib': `
    _reconstruct_record_batch _reconstruct_table _restore_array binary binary_view chunked_array decimal32 decimal64 decimal128 decimal256 dense_union
    dictionary field fixed_shape_tensor large_list large_list_view list_ list_view map_ opaque py_buffer run_end_encoded scalar schema sparse_union
    struct time32 time64 timestamp duration type_for_alias union`,
  'sympy.core.function': '_rebuild_undef',
  pytz: '_UTC _p',
  'dateutil.tz.tz': 'tzfile tzlocal tzoffset tzutc',
  'dateutil.tz._tzfile': 'tzfile _unpickle',
  'sklearn.neighbors._dist_metrics': 'newObj',
  'sklearn.metrics._dist_metrics': 'newObj',
  'sklearn.neighbors._kd_tree': 'newObj',
  'sklearn.neighbors._ball_tree': 'newObj',
  'sklearn.neighbors.dist_metrics': 'newObj',
  'sklearn.neighbors.kd_tree': 'newObj',
  'sklearn.neighbors.ball_tree': 'newObj',
  // Classes of Cython, one for each of the four types of BLAS.
  'statsmodels.tsa.statespace._initialization': 'sInitialization dInitialization cInitialization zInitialization',
  'statsmodels.tsa.statespace._representation': 'sStatespace dStatespace cStatespace zStatespace',
  'statsmodels.tsa.statespace._kalman_filter': 'sKalmanFilter dKalmanFilter cKalmanFilter zKalmanFilter',
  'statsmodels.tsa.statespace._kalman_smoother': 'sKalmanSmoother dKalmanSmoother cKalmanSmoother zKalmanSmoother',
  'statsmodels.tsa.statespace._simulation_smoother': `
    sSimulationSmoother dSimulationSmoother cSimulationSmoother zSimulationSmoother`,
  'statsmodels.tsa.statespace._cfa_simulation_smoother': `
    sCFASimulationSmoother dCFASimulationSmoother cCFASimulationSmoother zCFASimulationSmoother`,
};

/** Classes whose instances a pickle makes without calling them, and that are named for their own sake. */
const classes: NamesByModule = {
  ...torchClasses,
  builtins: `
    NoneType type bool int float str bytes object list dict tuple set Ellipsis NotImplemented Exception ValueError TypeError KeyError
    RuntimeError IndexError AttributeError AssertionError NotImplementedError StopIteration KeyboardInterrupt OSError ImportError`,
  argparse: 'Namespace',
  collections: 'OrderedDict defaultdict Counter deque',
  dataclasses: '_MISSING_TYPE _HAS_DEFAULT_FACTORY_CLASS',
  enum: 'Enum IntEnum StrEnum Flag IntFlag',
  functools: 'partial',
  typing: 'Any Union Optional List Dict Tuple Set Callable Literal Sequence Iterable Mapping Type',
  uuid: 'UUID',
  zoneinfo: 'ZoneInfo',
  numpy:
    'poly1d ndarray matrix recarray record generic number floating integer bool str_ bytes_ void datetime64 timedelta64 object_',
  'numpy.rec': 'recarray record',
  'numpy.core.records': 'recarray record',
  'numpy._core.records': 'recarray record',
  'numpy.ma': 'MaskedArray',
  'numpy.ma.core': 'MaskedArray MaskedConstant',
  'numpy.matrixlib.defmatrix': 'matrix',
  'numpy.random._mt19937': 'MT19937',
  'numpy.random._pcg64': 'PCG64 PCG64DXSM',
  'numpy.random._philox': 'Philox',
  'numpy.random._sfc64': 'SFC64',
  'numpy.random.bit_generator': 'SeedSequence',
  'numpy.random.mtrand': 'RandomState',
  'numpy.random._generator': 'Generator',
  torch: `
    Tensor Size device dtype strided sparse_coo sparse_csr contiguous_format channels_last preserve_format
    per_tensor_affine per_tensor_symmetric per_channel_affine per_channel_symmetric per_channel_affine_float_qparams`,
  'torch._utils': '_rebuild_wrapper_subclass',
  'torch.nn': 'Parameter Module',
  'torch.storage': 'UntypedStorage TypedStorage _UntypedStorage _TypedStorage',
  'torch.nested._internal.nested_tensor': 'NestedTensor',
  'accelerate.state': 'PartialState AcceleratorState',
  'accelerate.utils.dataclasses':
    'DeepSpeedPlugin FullyShardedDataParallelPlugin GradientAccumulationPlugin DataLoaderConfiguration',
  'deepspeed.runtime.fp16.loss_scaler': 'LossScaler DynamicLossScaler',
  'transformers.training_args': 'TrainingArguments',
  'transformers.training_args_seq2seq': 'Seq2SeqTrainingArguments',
  'transformers.trainer_pt_utils': 'AcceleratorConfig LabelSmoother',
  'transformers.trainer_callback': 'TrainerState TrainerControl',
  'transformers.integrations.deepspeed': 'HfTrainerDeepSpeedConfig HfDeepSpeedConfig',
  'transformers.deepspeed': 'HfTrainerDeepSpeedConfig HfDeepSpeedConfig',
  'trl.trainer.sft_config': 'SFTConfig',
  'trl.trainer.dpo_config': 'DPOConfig',
  'torchao.optim.subclass_8bit': 'OptimState8bit',
  'torchao.optim.subclass_4bit': 'OptimState4bit',
  'torchao.optim.subclass_fp8': 'OptimStateFp8',
  'torchao.quantization': 'Int8Tensor Int4Tensor Float8Tensor',
  'omegaconf.dictconfig': 'DictConfig',
  'omegaconf.listconfig': 'ListConfig',
  'omegaconf.base': 'ContainerMetadata Metadata SCMode',
  'omegaconf.nodes': 'AnyNode StringNode IntegerNode FloatNode BooleanNode PathNode BytesNode EnumNode UnionNode',
  'pytorch_lightning.utilities.parsing': 'AttributeDict',
  'lightning.pytorch.utilities.parsing': 'AttributeDict',
  'lightning_fabric.utilities.data': 'AttributeDict',
  'lightning.fabric.utilities.data': 'AttributeDict',
  'joblib.numpy_pickle': 'NumpyArrayWrapper NDArrayWrapper ZNDArrayWrapper',
  'joblib.numpy_pickle_compat': 'NDArrayWrapper ZNDArrayWrapper',
  'megatron.core.dist_checkpointing.strategies.torch': 'MCoreSavePlan MCoreMetadata',
  'megatron.core.enums': 'ModelType',
  'megatron.core.transformer.enums':
    'AttnMaskType AttnBackend AttnType LayerType ModelType InferenceCudaGraphScope CudaGraphScope',
  'megatron.core.rerun_state_machine': 'RerunDiagnostic RerunMode RerunState',
  'megatron.model.enums': 'AttnMaskType AttnType LayerType ModelType PositionEmbeddingType',
  'deepspeed.runtime.zero.config': 'ZeroStageEnum',
};

const interpolations = ['linear', 'linear_np', 'nearest', 'previousnext', 'spline', 'nan_spline']
  .map((kind) => `interp1d._call_${kind}`)
  .join(' ');

/** Functions that objects keep: what a pipeline applies to its input, the key of a sort. */
const functions: NamesByModule = {
  ...torchFunctions,
  // Methods that an interpolation keeps as what it calls.
  'scipy.interpolate._interpolate': interpolations,
  'scipy.interpolate.interpolate': interpolations,
  builtins: 'len sum min max abs round sorted any all repr hash isinstance callable divmod pow chr ord',
  numpy: `
    absolute add amax amin arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin argsort array asarray
    bitwise_and bitwise_count bitwise_or bitwise_xor cbrt ceil concatenate conjugate copysign cos cosh deg2rad
    degrees divide divmod dot equal exp exp2 expm1 fabs float_power floor floor_divide fmax fmin fmod frexp gcd
    greater greater_equal heaviside hypot invert isfinite isinf isnan isnat lcm ldexp left_shift less less_equal log
    log10 log1p log2 logaddexp logaddexp2 logical_and logical_not logical_or logical_xor matmul matvec max maximum
    mean median min minimum modf multiply nan_to_num nanmean negative nextafter not_equal ones positive power prod
    rad2deg radians reciprocal remainder right_shift rint round sign signbit sin sinh sort spacing sqrt square stack
    std subtract sum tan tanh trunc unique var vecdot vecmat where zeros`,
};

/** Storage classes and dtypes of torch. */
const torchTypes =
  /^(?:[A-Z][A-Za-z0-9]{2,20}Storage|b?float\d+\w{0,20}|u?int\d+|bool|complex\d+|half|double|float|long|short|qu?int\w{1,8}|bits\d\w{0,5}|cfloat|cdouble|chalf)$/;
const cudaStorages = /^[A-Z][A-Za-z]{2,20}Storage$/;

const rebuildNames = namesOf([rebuilds]);
const classNames = namesOf([classes]);
const functionNames = namesOf([functions]);

function namesOf(tables: readonly NamesByModule[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const table of tables)
    for (const [module, list] of Object.entries(table))
      for (const name of list.trim().split(/\s+/)) names.add(globalKey(module, name));
  return names;
}

/** Module and name with a character between them that neither has, as `a.b` + `c` is not `a` + `b.c`. */
function globalKey(module: string, name: string): string {
  return `${module}\n${name}`;
}

/** True for what saves of frameworks call with arguments. */
export function isRebuild(module: string, name: string): boolean {
  return rebuildNames.has(globalKey(module, name));
}

/** True for a class of frameworks, or a value, that saves name without calling it. */
export function isFrameworkClass(module: string, name: string): boolean {
  if (module === 'torch' && torchTypes.test(name)) return true;
  if (module === 'torch.cuda' && cudaStorages.test(name)) return true;
  return classNames.has(globalKey(module, name));
}

/** True for a function that saved modules refer to. */
export function isFrameworkFunction(module: string, name: string): boolean {
  return functionNames.has(globalKey(module, name));
}
