/**
 * What a pickled torch tensor is, from the calls that would rebuild it (torch/_utils.py, torch/_tensor.py). Nothing is called: the
 * name of the function says what its arguments mean.
 */
import { appendAll } from '../../bytes/appendAll.js';
import { elementCount } from '../../bytes/checkedInteger.js';
import { bytesOfElements } from '../../tensors/dtype.js';
import { argumentsOf, itemsOf, keyText, numbersOf, stateDict } from '../pickle/pickleAccess.js';
import {
  calleeName,
  globalName,
  PickleCall,
  PickleGlobal,
  PicklePersistent,
  PickleTuple,
  type PickleValue,
} from '../pickle/pickleValue.js';

/** A reference to a storage: bytes that lie outside of the pickle and that several tensors may share. */
export interface TorchStorage {
  key: string;
  dtype: string;
  elements: number;
  /** Undefined where the storage class is not known. */
  bytes: number | undefined;
}

export interface TorchTensor {
  dtype: string;
  shape: number[];
  strides: number[] | undefined;
  /** First element within the storage. */
  storageOffset: number;
  /** Bytes of the payload: all elements of the shape, or what the parts of a wrapper take. */
  bytes: number;
  /** Storages that hold it, several for a wrapper of several tensors. */
  storages: TorchStorage[];
  /** Storages that come with it and are no data of the user's, such as a device mesh. */
  hiddenStorages: TorchStorage[];
  /** Class name around the payload, e.g. `DTensor`. */
  wrapper: string | undefined;
  inner: { name: string; dtype: string; shape: number[]; bytes: number }[];
  /** True for a DTensor or ShardedTensor: `shape` is global, the bytes are this rank's. */
  isShard: boolean;
}

const storageDtypes: Record<string, string> = {
  DoubleStorage: 'f64',
  FloatStorage: 'f32',
  HalfStorage: 'f16',
  BFloat16Storage: 'bf16',
  LongStorage: 'i64',
  IntStorage: 'i32',
  ShortStorage: 'i16',
  CharStorage: 'i8',
  ByteStorage: 'u8',
  BoolStorage: 'bool',
  ComplexFloatStorage: 'c64',
  ComplexDoubleStorage: 'c128',
  QInt8Storage: 'qint8',
  QUInt8Storage: 'quint8',
  QInt32Storage: 'qint32',
  QUInt4x2Storage: 'quint4x2',
  QUInt2x4Storage: 'quint2x4',
  UntypedStorage: 'u8',
};

const torchDtypes: Record<string, string> = {
  float64: 'f64',
  double: 'f64',
  float32: 'f32',
  float: 'f32',
  float16: 'f16',
  half: 'f16',
  bfloat16: 'bf16',
  float8_e4m3fn: 'f8_e4m3',
  float8_e5m2: 'f8_e5m2',
  float8_e4m3fnuz: 'f8_e4m3fnuz',
  float8_e5m2fnuz: 'f8_e5m2fnuz',
  float8_e8m0fnu: 'f8_e8m0',
  float4_e2m1fn_x2: 'f4_e2m1_x2',
  int64: 'i64',
  long: 'i64',
  int32: 'i32',
  int: 'i32',
  int16: 'i16',
  short: 'i16',
  int8: 'i8',
  uint8: 'u8',
  uint16: 'u16',
  uint32: 'u32',
  uint64: 'u64',
  bool: 'bool',
  complex32: 'c32',
  chalf: 'c32',
  complex64: 'c64',
  cfloat: 'c64',
  complex128: 'c128',
  cdouble: 'c128',
  quint8: 'quint8',
  qint8: 'qint8',
  qint32: 'qint32',
  quint4x2: 'quint4x2',
  quint2x4: 'quint2x4',
  bits8: 'bits8',
  bits16: 'bits16',
};

/** The report's name of a `torch.<dtype>`; the torch name in lower case for one that this version does not know. */
export function torchDtype(name: string): string {
  const short = name.startsWith('torch.') ? name.slice(6) : name;
  return Object.hasOwn(torchDtypes, short) ? (torchDtypes[short] as string) : short.toLowerCase();
}

/** The storage that a persistent id names: ('storage', class, key, location, elements[, view]). Undefined for any other id. */
export function storageOf(value: PickleValue | undefined): TorchStorage | undefined {
  if (!(value instanceof PicklePersistent) || !(value.id instanceof PickleTuple)) return undefined;
  const [tag, type, key, , elements] = value.id.items;
  if (tag !== 'storage' || !(type instanceof PickleGlobal) || typeof elements !== 'number' || elements < 0) return undefined;
  if (typeof key !== 'string' && typeof key !== 'number') return undefined;
  const dtype = Object.hasOwn(storageDtypes, type.name) ? (storageDtypes[type.name] as string) : undefined;
  return {
    key: String(key),
    dtype: dtype ?? 'unknown',
    elements,
    bytes: dtype === undefined ? undefined : bytesOfElements(dtype, elements),
  };
}

/** The tensor that a value stands for, or undefined when it is none. Wrappers in wrappers are followed three deep. */
export function tensorOf(value: PickleValue | undefined): TorchTensor | undefined {
  return readTensor(value, 0);
}

/** A hostile pickle can nest wrappers without end, or put one into itself: depth and parts are bounded. */
const MAX_DEPTH = 3;
const MAX_PARTS = 16;
const MAX_LAYERS = 8;

function readTensor(value: PickleValue | undefined, depth: number): TorchTensor | undefined {
  if (depth > MAX_DEPTH || !(value instanceof PickleCall)) return undefined;
  let wrapper: string | undefined;
  let states: PickleValue[] = [];
  let current: PickleValue = value;
  // Parameter(Tensor), _rebuild_from_type_v2(_rebuild_parameter(…)): each layer adds a name or a state around the same payload.
  for (let layer = 0; layer < MAX_LAYERS; layer++) {
    const unwrapped = unwrap(current);
    if (unwrapped === undefined) break;
    wrapper = unwrapped.wrapper ?? wrapper;
    if (unwrapped.state !== undefined) states = [...states, unwrapped.state];
    current = unwrapped.inner;
  }
  const tensor = payloadOf(current, states, depth + 1);
  if (tensor !== undefined) tensor.wrapper ??= wrapper;
  return tensor;
}

interface Layer {
  inner: PickleValue;
  wrapper?: string;
  state?: PickleValue;
}

function unwrap(value: PickleValue | undefined): Layer | undefined {
  if (!(value instanceof PickleCall)) return undefined;
  const args = argumentsOf(value);
  switch (calleeName(value)) {
    case 'torch._utils._rebuild_parameter':
      return args[0] === undefined ? undefined : { inner: args[0], wrapper: 'Parameter' };
    case 'torch._utils._rebuild_parameter_with_state':
      return args[0] === undefined ? undefined : { inner: args[0], wrapper: 'Parameter' };
    case 'torch._tensor._rebuild_from_type':
    case 'torch._tensor._rebuild_from_type_v2': {
      const [callee, type, innerArgs, state] = args;
      if (callee === undefined || innerArgs === undefined) return undefined;
      const typeName = type instanceof PickleGlobal ? type.name : undefined;
      return {
        inner: new PickleCall(callee, innerArgs),
        ...(typeName === undefined || typeName === 'Tensor' ? {} : { wrapper: typeName }),
        ...(state === undefined ? {} : { state }),
      };
    }
    default:
      return undefined;
  }
}

function payloadOf(value: PickleValue | undefined, states: PickleValue[], depth: number): TorchTensor | undefined {
  if (!(value instanceof PickleCall)) return undefined;
  const args = argumentsOf(value);
  switch (calleeName(value)) {
    case 'torch._utils._rebuild_tensor':
    case 'torch._utils._rebuild_tensor_v2':
      return dense(args);
    case 'torch._utils._rebuild_tensor_v3':
      return dense(args, globalName(args[6]));
    case 'torch._utils._rebuild_qtensor':
      return quantized(args, depth);
    case 'torch._utils._rebuild_sparse_tensor':
    case 'torch._utils._rebuild_sparse_csr_tensor':
      return sparse(args, depth);
    case 'torch._utils._rebuild_nested_tensor':
      return nested(args, depth);
    case 'torch._utils._rebuild_meta_tensor_no_storage':
      return withoutStorage(args[0], args[1], args[2], 'meta');
    case 'torch._utils._rebuild_wrapper_subclass':
      return subclass(args, states, depth);
    case 'torch._utils._rebuild_device_tensor_from_numpy':
    case 'torch._utils._rebuild_device_tensor_from_cpu_tensor':
      return deviceTensor(args, depth);
    default:
      return undefined;
  }
}

/** (storage, offset, size, stride, …): offset and stride count elements. */
function dense(args: readonly PickleValue[], dtypeName?: string): TorchTensor | undefined {
  const storage = storageOf(args[0]);
  const shape = numbersOf(args[2]);
  if (storage === undefined || shape === undefined || typeof args[1] !== 'number') return undefined;
  const dtype = dtypeName === undefined ? storage.dtype : torchDtype(dtypeName);
  return {
    dtype,
    shape,
    strides: numbersOf(args[3]),
    storageOffset: args[1],
    bytes: payloadBytes(dtype, shape),
    storages: [storage],
    hiddenStorages: [],
    wrapper: undefined,
    inner: [],
    isShard: false,
  };
}

/** Per channel, the scales and zero points are tensors of their own inside (qscheme, scales, zero_points, axis). */
function quantized(args: readonly PickleValue[], depth: number): TorchTensor | undefined {
  const values = dense(args);
  if (values === undefined) return undefined;
  const [, scales, zeroPoints] = itemsOf(args[4]) ?? [];
  return composed(values, 'quantized', [
    ['int_repr', values],
    ['scales', readTensor(scales, depth)],
    ['zero_points', readTensor(zeroPoints, depth)],
  ]);
}

/** (layout, (indices, values, size, …)) for COO; (layout, (compressed, plain, values, size)) for the compressed layouts. */
function sparse(args: readonly PickleValue[], depth: number): TorchTensor | undefined {
  const parts = itemsOf(args[1]) ?? [];
  const layout = layoutName(args[0]);
  const names = layout === 'sparse_coo' ? ['indices', 'values'] : compressedIndexNames(layout);
  const tensors = names.map((name, index) => [name, readTensor(parts[index], depth)] as const);
  const values = tensors.at(-1)?.[1];
  const shape = numbersOf(parts[names.length]);
  if (values === undefined || shape === undefined) return undefined;
  return { ...composed(values, layout, tensors), shape, strides: undefined };
}

function compressedIndexNames(layout: string): string[] {
  const byRow = layout === 'sparse_csr' || layout === 'sparse_bsr';
  return byRow ? ['crow_indices', 'col_indices', 'values'] : ['ccol_indices', 'row_indices', 'values'];
}

/** `torch.serialization._get_layout('torch.sparse_coo')`, or a global. */
function layoutName(value: PickleValue | undefined): string {
  const text = value instanceof PickleCall ? argumentsOf(value)[0] : value instanceof PickleGlobal ? value.fullName : undefined;
  return typeof text === 'string' && text.startsWith('torch.') ? text.slice(6) : 'sparse';
}

function nested(args: readonly PickleValue[], depth: number): TorchTensor | undefined {
  const buffer = readTensor(args[0], depth);
  if (buffer === undefined) return undefined;
  const parts = ['sizes', 'strides', 'offsets'].map((name, index) => [name, readTensor(args[index + 1], depth)] as const);
  return composed(buffer, 'nested', [['buffer', buffer], ...parts]);
}

/** (class, dtype, size, stride, offset, …): no payload of its own; the tensors lie in the state. */
function subclass(args: readonly PickleValue[], states: PickleValue[], depth: number): TorchTensor | undefined {
  const [type, dtype, size, stride] = args;
  const outer = withoutStorage(dtype, size, stride, type instanceof PickleGlobal ? type.name : 'subclass');
  if (outer === undefined) return undefined;
  const { data, hidden } = tensorsInStates(states, depth);
  const joined = composed(outer, outer.wrapper ?? 'subclass', data);
  return {
    ...joined,
    storages: data.flatMap(([, tensor]) => tensor.storages),
    hiddenStorages: hidden.flatMap((tensor) => tensor.storages),
    isShard: outer.wrapper === 'DTensor' || outer.wrapper === 'ShardedTensor',
  };
}

/**
 * Tensors among the attributes of wrappers. A DTensor's `_spec` holds its device mesh, whose tensor is no data.
 */
function tensorsInStates(states: PickleValue[], depth: number): { data: [string, TorchTensor][]; hidden: TorchTensor[] } {
  const data: [string, TorchTensor][] = [];
  const hidden: TorchTensor[] = [];
  for (const state of states) {
    appendAll(data, localShards(state, depth));
    const attributes = stateDict(state);
    attributes?.keys.slice(0, MAX_PARTS).forEach((key, index) => {
      const value = attributes.values[index];
      if (key === '_spec') appendAll(hidden, meshTensors(value, depth));
      const tensor = readTensor(value, depth);
      if (tensor !== undefined) data.push([keyText(key), tensor]);
    });
  }
  return { data, hidden };
}

/**
 * The state of a ShardedTensor is (local shards, metadata, ...); each Shard has its tensor as an attribute
 * (torch/distributed/_shard/sharded_tensor/api.py, FSDP 1).
 */
function localShards(state: PickleValue, depth: number): [string, TorchTensor][] {
  if (!(state instanceof PickleTuple)) return [];
  return (itemsOf(state.items[0]) ?? []).slice(0, MAX_PARTS).flatMap((shard, index): [string, TorchTensor][] => {
    const isShard = shard instanceof PickleCall && calleeName(shard)?.endsWith('.Shard') === true;
    const tensor = isShard ? readTensor(stateValue(shard, 'tensor'), depth) : undefined;
    return tensor === undefined ? [] : [[`local_shards.${index}`, tensor]];
  });
}

/** Tensors of a DTensorSpec's mesh (`mesh` or `_rank_map` of DeviceMesh, by torch's version). */
function meshTensors(spec: PickleValue | undefined, depth: number): TorchTensor[] {
  const mesh = spec instanceof PickleCall ? stateValue(spec, 'mesh') : undefined;
  if (!(mesh instanceof PickleCall)) return [];
  return ['mesh', '_mesh', '_rank_map']
    .map((key) => readTensor(stateValue(mesh, key), depth))
    .filter((tensor) => tensor !== undefined);
}

function stateValue(call: PickleCall, key: string): PickleValue | undefined {
  const attributes = stateDict(call.state);
  const index = attributes?.keys.lastIndexOf(key) ?? -1;
  return index === -1 ? undefined : attributes?.values[index];
}

/** XLA and others: the payload is a numpy array inside of the pickle, or a plain tensor. */
function deviceTensor(args: readonly PickleValue[], depth: number): TorchTensor | undefined {
  const onCpu = readTensor(args[0], depth);
  if (onCpu !== undefined) return onCpu;
  const state = args[0] instanceof PickleCall ? itemsOf(args[0].state) : undefined;
  const shape = numbersOf(state?.[1]);
  const dtype = globalName(args[1]);
  if (shape === undefined || dtype === undefined) return undefined;
  return { ...emptyTensor(torchDtype(dtype), shape), wrapper: 'numpy' };
}

function withoutStorage(
  dtype: PickleValue | undefined,
  size: PickleValue | undefined,
  stride: PickleValue | undefined,
  wrapper: string,
): TorchTensor | undefined {
  const shape = numbersOf(size);
  const name = globalName(dtype);
  if (shape === undefined || name === undefined) return undefined;
  return { ...emptyTensor(torchDtype(name), shape), strides: numbersOf(stride), wrapper };
}

function emptyTensor(dtype: string, shape: number[]): TorchTensor {
  return {
    dtype,
    shape,
    strides: undefined,
    storageOffset: 0,
    bytes: 0,
    storages: [],
    hiddenStorages: [],
    wrapper: undefined,
    inner: [],
    isShard: false,
  };
}

/** One tensor of several: it has the outer one's shape, and the storages and bytes of all its parts. */
function composed(
  outer: TorchTensor,
  wrapper: string,
  parts: readonly (readonly [string, TorchTensor | undefined])[],
): TorchTensor {
  const present = parts.filter((part): part is readonly [string, TorchTensor] => part[1] !== undefined);
  return {
    ...outer,
    wrapper,
    bytes: present.reduce((sum, [, tensor]) => sum + tensor.bytes, 0),
    storages: present.flatMap(([, tensor]) => tensor.storages),
    inner: present.map(([name, { dtype, shape, bytes }]) => ({ name, dtype, shape, bytes })),
  };
}

function payloadBytes(dtype: string, shape: number[]): number {
  const elements = shape.every((size) => size >= 0) ? elementCount(shape) : undefined;
  return elements === undefined ? 0 : (bytesOfElements(dtype, elements) ?? 0);
}
