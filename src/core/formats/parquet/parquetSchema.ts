/**
 * Schema of a Parquet file (SchemaElement of parquet.thrift): elements in depth-first order, each with the number of its children. Lists
 * and maps are groups around repeated groups (LogicalTypes.md), which are left out of our names.
 */
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { ThriftType, type ThriftCursor } from './thrift.js';

/** `enum Type`: physical types. */
export const physicalTypes = ['bool', 'int32', 'int64', 'int96', 'float', 'double', 'binary', 'fixed_size_binary'] as const;

interface Element {
  physical: number | null;
  repetition: number;
  name: string;
  children: number;
  converted: number | null;
  /** Which member of the LogicalType union is set; 0 without one. */
  logical: number;
  integer: { bits: number; isSigned: boolean } | null;
}

/** A leaf: what has column chunks. */
export interface ParquetColumn {
  /** As the file has it: `['input_ids', 'list', 'element']`. */
  path: string[];
  /** Without the groups of lists: `input_ids`; members of structs joined by `.`. */
  name: string;
  /** In Arrow's words: `list<int32>`. */
  type: string;
  dtype: string | null;
  content: 'integers' | 'text' | 'bytes' | 'other';
  listDepth: number;
  /** Definition level of a value that is there. */
  maxDefinition: number;
  maxRepetition: number;
  physical: (typeof physicalTypes)[number];
}

const REPEATED = 2;
const REQUIRED = 0;
/** `enum ConvertedType` and `union LogicalType`, as far as they matter here. */
const converted = { utf8: 0, map: 1, mapKeyValue: 2, list: 3, enum: 4, json: 19, bson: 20 };
const logicalText = new Set([1, 4, 12]);
const LOGICAL_MAP = 2;
const LOGICAL_LIST = 3;
const LOGICAL_INTEGER = 10;
const LOGICAL_FLOAT16 = 15;

/** Reads the schema list of a footer. @throws FormatError `corrupt`, `limit-exceeded` */
export function readParquetSchema(cursor: ThriftCursor): ParquetColumn[] {
  const elements: Element[] = [];
  cursor.list(() => {
    if (elements.length > limits.schemaFields) throw new FormatError('limit-exceeded', 'the schema has too many fields');
    elements.push(readElement(cursor));
  });
  return leavesOf(elements);
}

function readElement(cursor: ThriftCursor): Element {
  const element: Element = { physical: null, repetition: 0, name: '', children: 0, converted: null, logical: 0, integer: null };
  cursor.struct((id, type) => {
    if (id === 4 && type === ThriftType.binary) element.name = cursor.text();
    else if (id === 10 && type === ThriftType.struct) readLogicalType(cursor, element);
    else if (type === ThriftType.i32 && (id === 1 || id === 3 || id === 5 || id === 6)) {
      const value = cursor.zigzag();
      if (id === 1) element.physical = value;
      else if (id === 3) element.repetition = value;
      else if (id === 5) element.children = value;
      else element.converted = value;
    } else return false;
    return true;
  });
  return element;
}

function readLogicalType(cursor: ThriftCursor, element: Element): void {
  cursor.struct((id, type) => {
    element.logical = id;
    if (id !== LOGICAL_INTEGER || type !== ThriftType.struct) return false;
    const integer = { bits: 0, isSigned: true };
    cursor.struct((member, memberType) => {
      if (member === 2) integer.isSigned = memberType === ThriftType.true;
      if (member !== 1 || memberType !== ThriftType.byte) return false;
      integer.bits = cursor.bytes[cursor.at] ?? 0;
      return false;
    });
    element.integer = integer;
    return true;
  });
}

/** A group whose children are being read. */
interface Group {
  left: number;
  path: readonly string[];
  name: string;
  wrappers: readonly string[];
  listDepth: number;
  definition: number;
  repetition: number;
  /** `outer`: the group that is annotated as a list or map; `inner`: the repeated group in it. */
  list: 'none' | 'outer' | 'inner';
  isMap: boolean;
}

function leavesOf(elements: readonly Element[]): ParquetColumn[] {
  const [root] = elements;
  if (root === undefined) throw new FormatError('corrupt', 'the schema is empty');
  const columns: ParquetColumn[] = [];
  const groups: Group[] = [
    {
      left: root.children,
      path: [],
      name: '',
      wrappers: [],
      listDepth: 0,
      definition: 0,
      repetition: 0,
      list: 'none',
      isMap: false,
    },
  ];
  let nameLength = 0;
  for (const element of elements.slice(1)) {
    while (groups.at(-1)?.left === 0) groups.pop();
    const around = groups.at(-1);
    if (around === undefined) throw new FormatError('corrupt', 'the schema has more elements than children');
    around.left -= 1;
    const group = enter(around, element);
    nameLength += group.name.length + element.name.length;
    if (groups.length > limits.schemaDepth || nameLength > limits.arrowMetadataBytes)
      throw new FormatError('limit-exceeded', 'the schema nests too deep');
    if (element.physical === null) groups.push(group);
    else columns.push(toColumn(group, element));
  }
  while (groups.at(-1)?.left === 0) groups.pop();
  if (groups.length > 0) throw new FormatError('corrupt', 'the schema has fewer elements than children');
  return columns;
}

function enter(around: Group, element: Element): Group {
  const isRepeated = element.repetition === REPEATED;
  const isLeaf = element.physical !== null;
  const isMap =
    !isLeaf &&
    (element.logical === LOGICAL_MAP || element.converted === converted.map || element.converted === converted.mapKeyValue);
  const isList = !isLeaf && (isMap || element.logical === LOGICAL_LIST || element.converted === converted.list);
  // Older writers repeat the element itself (`repeated int32 array`), or name the inner group otherwise: the repetition is what counts.
  const isInner = around.list === 'outer' && isRepeated;
  const list = isList && !isRepeated ? 'outer' : isInner && !isLeaf && isWrapper(around, element) ? 'inner' : 'none';
  const isItem = isInner || (around.list === 'inner' && !around.isMap);
  return {
    left: isLeaf ? 0 : Math.max(0, element.children),
    path: [...around.path, element.name],
    name: isItem || isNameless(around, element) ? around.name : joined(around.name, element.name),
    wrappers: isRepeated ? [...around.wrappers, around.list === 'outer' && around.isMap ? 'map' : 'list'] : around.wrappers,
    listDepth: around.listDepth + (isRepeated ? 1 : 0),
    definition: around.definition + (element.repetition === REQUIRED ? 0 : 1),
    repetition: around.repetition + (isRepeated ? 1 : 0),
    list,
    isMap: isMap || (isInner && around.isMap),
  };
}

/** The inner group of three levels has one child (two in a map); one with more is a struct of two levels. */
function isWrapper(around: Group, element: Element): boolean {
  return around.isMap || (element.children === 1 && element.name !== 'array' && !element.name.endsWith('_tuple'));
}

function isNameless(around: Group, element: Element): boolean {
  return around.list === 'inner' && !around.isMap && element.name !== '';
}

function joined(outer: string, own: string): string {
  return outer === '' ? own : `${outer}.${own}`;
}

function toColumn(group: Group, element: Element): ParquetColumn {
  const physical = physicalTypes[element.physical as number];
  if (physical === undefined) throw new FormatError('corrupt', `physical type ${element.physical}`);
  const { text, dtype, content } = valueType(physical, element);
  return {
    path: [...group.path],
    name: group.name,
    type: group.wrappers.reduceRight((inner, wrapper) => `${wrapper}<${inner}>`, text),
    dtype,
    content,
    listDepth: group.listDepth,
    maxDefinition: group.definition,
    maxRepetition: group.repetition,
    physical,
  };
}

function valueType(
  physical: ParquetColumn['physical'],
  element: Element,
): { text: string; dtype: string | null; content: ParquetColumn['content'] } {
  switch (physical) {
    case 'int32':
    case 'int64':
      return integerType(physical, element);
    case 'float':
    case 'double':
      return { text: physical, dtype: physical === 'float' ? 'f32' : 'f64', content: 'other' };
    case 'bool':
      return { text: 'bool', dtype: 'bool', content: 'other' };
    case 'binary':
      if (logicalText.has(element.logical) || isConvertedText(element.converted))
        return { text: 'string', dtype: null, content: 'text' };
      return { text: 'binary', dtype: null, content: 'bytes' };
    case 'fixed_size_binary':
      if (element.logical === LOGICAL_FLOAT16) return { text: 'halffloat', dtype: 'f16', content: 'other' };
      if (annotationName(element.logical, element.converted) === 'decimal')
        return { text: 'decimal', dtype: null, content: 'other' };
      return { text: physical, dtype: null, content: 'bytes' };
    case 'int96':
      return { text: 'timestamp', dtype: null, content: 'other' };
  }
}

function isConvertedText(value: number | null): boolean {
  return value === converted.utf8 || value === converted.enum || value === converted.json;
}

/** By `union LogicalType` or `enum ConvertedType`, whose numbers for these agree; the latter has two for times. */
function annotationName(logical: number, type: number | null): string | undefined {
  if (logical === 5 || type === 5) return 'decimal';
  if (logical === 6 || type === 6) return 'date32';
  if (logical === 7 || type === 7 || type === 8) return 'time';
  return undefined;
}

/** UINT_8 to INT_64 are converted types 11 to 18; other annotations make times and decimals of integers. */
function integerType(
  physical: 'int32' | 'int64',
  { integer, logical, converted: type }: Element,
): { text: string; dtype: string | null; content: ParquetColumn['content'] } {
  let bits = physical === 'int32' ? 32 : 64;
  let isSigned = true;
  if (integer !== null && [8, 16, 32, 64].includes(integer.bits)) {
    ({ bits, isSigned } = integer);
  } else if (type !== null && type >= 11 && type <= 18) {
    bits = 2 ** (3 + ((type - 11) % 4));
    isSigned = type >= 15;
  } else if (logical !== 0 || (type !== null && type >= 5 && type <= 10))
    return {
      text: annotationName(logical, type) ?? 'timestamp',
      dtype: null,
      content: 'other',
    };
  return { text: `${isSigned ? '' : 'u'}int${bits}`, dtype: `${isSigned ? 'i' : 'u'}${bits}`, content: 'integers' };
}
