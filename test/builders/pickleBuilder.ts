import { bytes, concat, f64BE, integerLE, latin1, u32, u64, u8, utf8 } from './byteWriter.js';

/**
 * Assembles pickles opcode by opcode. `op` has every opcode of protocols 0 to 5 under the name Python's pickletools gives it, with
 * its raw argument; a length argument may be overridden to lie. The functions below `op` put together what a pickler would write.
 *
 *     pickle(dict([str('step'), int(30)], [str('lr'), float(1e-4)]))
 *     pickle(reduce(global('os', 'system'), tuple(str('true'))))
 */

/** Two's complement, little-endian, in as few bytes as Python's `encode_long` takes; 0 takes none. */
export function encodeLong(value: number | bigint): Uint8Array {
  const whole = BigInt(value);
  if (whole === 0n) return new Uint8Array(0);
  let width = 1;
  while (BigInt.asIntN(width * 8, whole) !== whole) width += 1;
  return integerLE(whole, width);
}

function counted(code: number, lengthOf: (length: number | bigint) => Uint8Array, body: Uint8Array, declared?: number | bigint) {
  return concat(bytes(code), lengthOf(declared ?? body.byteLength), body);
}

const line = (text: string) => utf8(`${text}\n`);
const plain = (code: string | number) => () => bytes(typeof code === 'string' ? code.charCodeAt(0) : code);
const withByte = (code: string | number, width: number) => (value: number | bigint) =>
  concat(plain(code)(), integerLE(value, width));
const withLine = (code: string) => (text: string) => concat(plain(code)(), line(text));

/** Every opcode. Arguments are what follows the opcode byte; `declared` replaces a true length. */
export const op = {
  // Protocol 0
  mark: plain('('),
  stop: plain('.'),
  pop: plain('0'),
  dup: plain('2'),
  float: withLine('F'),
  int: withLine('I'),
  long: withLine('L'),
  none: plain('N'),
  persid: withLine('P'),
  reduce: plain('R'),
  string: withLine('S'),
  unicode: withLine('V'),
  append: plain('a'),
  build: plain('b'),
  global: (module: string, name: string) => concat(bytes(0x63), line(module), line(name)),
  dict: plain('d'),
  get: withLine('g'),
  inst: (module: string, name: string) => concat(bytes(0x69), line(module), line(name)),
  list: plain('l'),
  put: withLine('p'),
  setitem: plain('s'),
  tuple: plain('t'),
  // Protocol 1
  popMark: plain('1'),
  binint: withByte('J', 4),
  binint1: withByte('K', 1),
  binint2: withByte('M', 2),
  binpersid: plain('Q'),
  binstring: (body: Uint8Array, declared?: number) => counted(0x54, u32, body, declared),
  shortBinstring: (body: Uint8Array, declared?: number) => counted(0x55, u8, body, declared),
  binunicode: (text: string | Uint8Array, declared?: number) => counted(0x58, u32, raw(text), declared),
  emptyDict: plain('}'),
  appends: plain('e'),
  binget: withByte('h', 1),
  longBinget: withByte('j', 4),
  emptyList: plain(']'),
  obj: plain('o'),
  binput: withByte('q', 1),
  longBinput: withByte('r', 4),
  emptyTuple: plain(')'),
  setitems: plain('u'),
  binfloat: (value: number) => concat(bytes(0x47), f64BE(value)),
  // Protocol 2
  proto: withByte(0x80, 1),
  newobj: plain(0x81),
  ext1: withByte(0x82, 1),
  ext2: withByte(0x83, 2),
  ext4: withByte(0x84, 4),
  tuple1: plain(0x85),
  tuple2: plain(0x86),
  tuple3: plain(0x87),
  newtrue: plain(0x88),
  newfalse: plain(0x89),
  long1: (body: Uint8Array, declared?: number) => counted(0x8a, u8, body, declared),
  long4: (body: Uint8Array, declared?: number) => counted(0x8b, u32, body, declared),
  // Protocol 3
  binbytes: (body: Uint8Array, declared?: number) => counted(0x42, u32, body, declared),
  shortBinbytes: (body: Uint8Array, declared?: number) => counted(0x43, u8, body, declared),
  // Protocol 4
  shortBinunicode: (text: string | Uint8Array, declared?: number) => counted(0x8c, u8, raw(text), declared),
  binunicode8: (text: string | Uint8Array, declared?: number | bigint) => counted(0x8d, u64, raw(text), declared),
  binbytes8: (body: Uint8Array, declared?: number | bigint) => counted(0x8e, u64, body, declared),
  emptySet: plain(0x8f),
  additems: plain(0x90),
  frozenset: plain(0x91),
  newobjEx: plain(0x92),
  stackGlobal: plain(0x93),
  memoize: plain(0x94),
  frame: withByte(0x95, 8),
  // Protocol 5
  bytearray8: (body: Uint8Array, declared?: number | bigint) => counted(0x96, u64, body, declared),
  nextBuffer: plain(0x97),
  readonlyBuffer: plain(0x98),
} as const;

function raw(text: string | Uint8Array): Uint8Array {
  return typeof text === 'string' ? utf8(text) : text;
}

/** PROTO, the parts, STOP. Protocols 0 and 1 have no PROTO opcode. Use `concat` directly for anything less regular. */
export function pickle(parts: Uint8Array | readonly Uint8Array[], protocol = 2): Uint8Array {
  const body = parts instanceof Uint8Array ? parts : concat(...parts);
  return concat(protocol >= 2 ? op.proto(protocol) : new Uint8Array(0), body, op.stop());
}

export function none(): Uint8Array {
  return op.none();
}

export function bool(value: boolean): Uint8Array {
  return value ? op.newtrue() : op.newfalse();
}

/** The shortest opcode that holds it, as a pickler chooses. */
export function int(value: number | bigint): Uint8Array {
  const whole = BigInt(value);
  if (whole >= 0n && whole < 0x100n) return op.binint1(whole);
  if (whole >= 0n && whole < 0x10000n) return op.binint2(whole);
  if (BigInt.asIntN(32, whole) === whole) return op.binint(whole);
  const body = encodeLong(whole);
  return body.byteLength < 256 ? op.long1(body) : op.long4(body);
}

export function float(value: number): Uint8Array {
  return op.binfloat(value);
}

export function str(text: string): Uint8Array {
  return op.binunicode(text);
}

export function tuple(...items: readonly Uint8Array[]): Uint8Array {
  if (items.length === 0) return op.emptyTuple();
  if (items.length <= 3) return concat(...items, [op.tuple1, op.tuple2, op.tuple3][items.length - 1]!());
  return concat(op.mark(), ...items, op.tuple());
}

export function list(...items: readonly Uint8Array[]): Uint8Array {
  return items.length === 0 ? op.emptyList() : concat(op.emptyList(), op.mark(), ...items, op.appends());
}

export type Pair = readonly [key: Uint8Array, value: Uint8Array];

export function dict(...pairs: readonly Pair[]): Uint8Array {
  return concat(op.emptyDict(), ...items(pairs));
}

export function orderedDict(...pairs: readonly Pair[]): Uint8Array {
  return concat(reduce(global('collections', 'OrderedDict'), tuple()), ...items(pairs));
}

function items(pairs: readonly Pair[]): Uint8Array[] {
  return pairs.length === 0 ? [] : [op.mark(), ...pairs.flat(), op.setitems()];
}

export function global(module: string, name: string): Uint8Array {
  return op.global(module, name);
}

/** GLOBAL as protocol 4 writes it: two strings from the stack. */
export function stackGlobal(module: string, name: string): Uint8Array {
  return concat(op.shortBinunicode(module), op.shortBinunicode(name), op.stackGlobal());
}

/** `callable(*args)`; `args` is a tuple. */
export function reduce(callable: Uint8Array, args: Uint8Array): Uint8Array {
  return concat(callable, args, op.reduce());
}

/** `cls.__new__(cls, *args)`; `args` is a tuple. */
export function newobj(cls: Uint8Array, args: Uint8Array = tuple()): Uint8Array {
  return concat(cls, args, op.newobj());
}

/** `object.__setstate__(state)` or `object.__dict__.update(state)`. */
export function build(object: Uint8Array, state: Uint8Array): Uint8Array {
  return concat(object, state, op.build());
}

/** A persistent id from the stack, as torch writes its storages. */
export function persid(id: Uint8Array): Uint8Array {
  return concat(id, op.binpersid());
}

/** The value, remembered under `index`. */
export function put(value: Uint8Array, index: number): Uint8Array {
  return concat(value, index < 256 ? op.binput(index) : op.longBinput(index));
}

export function get(index: number): Uint8Array {
  return index < 256 ? op.binget(index) : op.longBinget(index);
}

/** `bytes` as Python 3 writes them into protocol 2: `_codecs.encode(text, 'latin1')`. */
export function bytesProtocol2(body: Uint8Array): Uint8Array {
  let text = '';
  for (const byte of body) text += String.fromCharCode(byte);
  return reduce(global('_codecs', 'encode'), tuple(str(text), str('latin1')));
}

/** A numpy array as its `__reduce__` stores it: the values are inside the pickle. */
export function numpyArray(descr: string, shape: readonly number[], data: Uint8Array): Uint8Array {
  const kind = descr.replace(/^[<>|=]/, '');
  const dtype = build(
    reduce(global('numpy', 'dtype'), tuple(str(kind), bool(false), bool(true))),
    tuple(int(3), str(descr.charAt(0)), none(), none(), none(), int(-1), int(-1), int(0)),
  );
  const empty = reduce(
    global('numpy._core.multiarray', '_reconstruct'),
    tuple(global('numpy', 'ndarray'), tuple(int(0)), bytesProtocol2(latin1('b'))),
  );
  return build(empty, tuple(int(1), tuple(...shape.map(int)), dtype, bool(false), bytesProtocol2(data)));
}

/** A storage reference of a torch file: `('storage', torch.FloatStorage, '0', 'cpu', numel)`. */
export function torchStorage(
  storageType: string,
  key: string,
  numel: number | bigint,
  location = 'cpu',
  viewMetadata?: Uint8Array,
): Uint8Array {
  const type = storageType === 'UntypedStorage' ? global('torch.storage', storageType) : global('torch', storageType);
  const parts = [str('storage'), type, str(key), str(location), int(numel)];
  return persid(tuple(...parts, ...(viewMetadata ? [viewMetadata] : [])));
}

export interface TorchTensor {
  storageType: string;
  key: string;
  shape: readonly (number | bigint)[];
  /** Elements of the storage; default: what the shape takes. */
  storageNumel?: number | bigint;
  /** In elements; default 0. */
  offset?: number | bigint;
  /** Default: contiguous. */
  stride?: readonly (number | bigint)[];
  requiresGrad?: boolean;
  location?: string;
  /** Writes `_rebuild_tensor_v3` with `torch.<name>`, as dtypes without a storage class need it. */
  dtype?: string;
  /** The sixth item of a persistent id in legacy files. */
  viewMetadata?: Uint8Array;
}

/** `torch._utils._rebuild_tensor_v2(storage, offset, size, stride, requires_grad, hooks)`. */
export function torchTensor(tensor: TorchTensor): Uint8Array {
  const shape = tensor.shape.map(BigInt);
  const numel = shape.reduce((product, size) => product * size, 1n);
  const stride =
    tensor.stride?.map(BigInt) ?? shape.map((_, axis) => shape.slice(axis + 1).reduce((product, size) => product * size, 1n));
  const args = [
    torchStorage(tensor.storageType, tensor.key, tensor.storageNumel ?? numel, tensor.location, tensor.viewMetadata),
    int(tensor.offset ?? 0),
    tuple(...shape.map(int)),
    tuple(...stride.map(int)),
    bool(tensor.requiresGrad ?? false),
    orderedDict(),
  ];
  if (tensor.dtype !== undefined) args.push(global('torch', tensor.dtype));
  return reduce(global('torch._utils', tensor.dtype === undefined ? '_rebuild_tensor_v2' : '_rebuild_tensor_v3'), tuple(...args));
}

/** `torch.nn.Parameter` around a tensor. */
export function torchParameter(tensor: Uint8Array, requiresGrad = true): Uint8Array {
  return reduce(global('torch._utils', '_rebuild_parameter'), tuple(tensor, bool(requiresGrad), orderedDict()));
}
