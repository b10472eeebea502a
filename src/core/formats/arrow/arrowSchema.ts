/** Schema of an Arrow stream or file, as the flat list of nodes in which its record batches are written. */
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import type { FlatTable } from './flatBuffer.js';
import { PickledMetadata } from './pickledMetadata.js';
import { readArrowType, readIndexType, type ArrowContent, type ArrowType } from './arrowType.js';

/** A field, in the order in which record batches list them: parents before their children. */
export interface ArrowNode {
  type: ArrowType;
  /** Place of the field around it; -1 for a column of the table. */
  parent: number;
  /** Place in `ArrowSchema.columns` of what has values; -1 for structs, lists and unions. */
  column: number;
}

/** A leaf of the schema: what has values of its own. */
export interface ArrowColumn {
  /** Members of structs joined by `.`; items of lists are called as the list is. */
  name: string;
  /** As pyarrow writes it, without the names of list items: `list<int32>`. */
  type: string;
  dtype: string | null;
  content: ArrowContent;
  /** Lists around it. */
  listDepth: number;
  /** Values of the lists of fixed size around it: what a row has; null where rows differ. */
  rowValues: number | null;
  /** False where lengths in headers do not tell how many values there are: views of lists, unions, runs. */
  isExact: boolean;
  /** Place of its node. */
  node: number;
}

export interface ArrowSchema {
  nodes: ArrowNode[];
  columns: ArrowColumn[];
  /** Nodes of the values of each dictionary, by its id. */
  dictionaries: Map<number, ArrowNode[]>;
  /** The schema's own key-value pairs: `huggingface`, `pandas`, `ARROW:schema`. */
  metadata: Map<string, string>;
  /** Values of metadata of the schema and its fields that are pickles. */
  pickled: PickledMetadata;
  isBigEndian: boolean;
}

/** What is known of a field from those around it. */
interface Place {
  field: FlatTable;
  nodes: ArrowNode[];
  parent: number;
  depth: number;
  name: string;
  wrappers: readonly string[];
  listDepth: number;
  rowValues: number | null;
  isExact: boolean;
  /** Set inside of the values of a dictionary: the column to which their bytes belong. */
  owner: number;
}

/**
 * Decodes a Schema table.
 * @throws FormatError `corrupt`, `unsupported`, `limit-exceeded`
 */
export function readArrowSchema(table: FlatTable): ArrowSchema {
  const schema: ArrowSchema = {
    nodes: [],
    columns: [],
    dictionaries: new Map(),
    metadata: readPairs(table, 2),
    pickled: new PickledMetadata(),
    isBigEndian: table.i16(0) === 1,
  };
  const open: Place[] = [];
  const top = { nodes: schema.nodes, parent: -1, depth: 0, wrappers: [], listDepth: 0, rowValues: 1, isExact: true, owner: -1 };
  pushReversed(open, table, 1, (field) => ({ ...top, field, name: field.text(0) }));
  let fields = 0;
  let nameLength = 0;
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    // Offsets may lead to one table, or one name, again and again, so that a small schema would be endless.
    nameLength += place.name.length;
    if (++fields > limits.schemaFields || place.depth > limits.schemaDepth || nameLength > limits.arrowMetadataBytes)
      throw new FormatError('limit-exceeded', 'the schema has too many fields', { offset: table.buffer.fileOffset });
    addField(schema, place, open);
  }
  schema.pickled.addSchema(table, true);
  return schema;
}

function pushReversed(open: Place[], table: FlatTable, field: number, placeOf: (field: FlatTable) => Place): void {
  const places: Place[] = [];
  for (const child of table.tables(field)) {
    if (places.length > limits.schemaFields)
      throw new FormatError('limit-exceeded', 'the schema has too many fields', { offset: table.buffer.fileOffset });
    places.push(placeOf(child));
  }
  for (let index = places.length - 1; index >= 0; index--) open.push(places[index] as Place);
}

function addField(schema: ArrowSchema, place: Place, open: Place[]): void {
  const { field, nodes } = place;
  const type = readArrowType(field);
  const encoding = field.table(4);
  const self = nodes.length;
  if (encoding !== undefined) {
    const index = readIndexType(encoding);
    const column = addColumn(schema, place, self, { ...index, text: `dictionary<${type.text}>`, dtype: null, content: 'other' });
    nodes.push({ type: index, parent: place.parent, column });
    addDictionary(schema, place, encoding.i64(0), type, column, open);
    return;
  }
  const isLeaf = !hasChildren(type);
  nodes.push({ type, parent: place.parent, column: isLeaf ? addColumn(schema, place, self, type) : -1 });
  if (!isLeaf) pushChildren(place, type, self, nodes, open);
}

/** Values of a dictionary are nodes of their own; two fields may share one. */
function addDictionary(schema: ArrowSchema, place: Place, id: number, type: ArrowType, owner: number, open: Place[]): void {
  if (schema.dictionaries.has(id)) return;
  const nodes: ArrowNode[] = [{ type, parent: -1, column: hasChildren(type) ? -1 : owner }];
  schema.dictionaries.set(id, nodes);
  if (hasChildren(type)) pushChildren({ ...place, nodes, owner }, type, 0, nodes, open);
}

function addColumn(schema: ArrowSchema, place: Place, node: number, type: ArrowType): number {
  if (place.owner >= 0) return place.owner;
  schema.columns.push({
    name: place.name,
    type: place.wrappers.reduceRight((inner, wrapper) => wrapper.replace('*', () => inner), type.text),
    dtype: type.dtype,
    content: type.content,
    listDepth: place.listDepth,
    rowValues: place.rowValues,
    isExact: place.isExact,
    node,
  });
  return schema.columns.length - 1;
}

function pushChildren(place: Place, type: ArrowType, parent: number, nodes: ArrowNode[], open: Place[]): void {
  const { physical } = type;
  const isList = physical === 'list' || physical === 'listView' || physical === 'fixedList';
  const size = physical === 'fixedList' ? `[${type.listSize}]` : '';
  const inner: Omit<Place, 'field' | 'name'> = {
    nodes,
    parent,
    depth: place.depth + 1,
    wrappers: isList ? [...place.wrappers, `${type.text}<*>${size}`] : place.wrappers,
    listDepth: place.listDepth + (isList ? 1 : 0),
    rowValues: rowValuesOf(place, type),
    isExact: place.isExact && physical !== 'listView' && physical !== 'union' && physical !== 'runEnd',
    owner: place.owner,
  };
  pushReversed(open, place.field, 5, (field) => {
    // The entries of a map are a struct that nobody named.
    const name = isList ? place.name : joined(place.name, field.text(0));
    return { ...inner, field, name };
  });
}

function rowValuesOf({ rowValues }: Place, { physical, listSize }: ArrowType): number | null {
  if (rowValues === null || physical === 'list' || physical === 'listView') return null;
  return physical === 'fixedList' ? rowValues * listSize : rowValues;
}

function joined(outer: string, own: string): string {
  return own === '' ? outer : `${outer}.${own}`;
}

function hasChildren({ physical }: ArrowType): boolean {
  return ['list', 'listView', 'fixedList', 'struct', 'union', 'runEnd'].includes(physical);
}

function readPairs(table: FlatTable, field: number): Map<string, string> {
  const pairs = new Map<string, string>();
  let length = 0;
  for (const pair of table.tables(field)) {
    const value = pair.text(1);
    length += value.length;
    if (pairs.size > limits.schemaFields || length > limits.arrowMetadataBytes) break;
    pairs.set(pair.text(0), value);
  }
  return pairs;
}
