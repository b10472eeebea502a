/**
 * Which parameter an optimizer's tensors belong to. torch stores optimizer state under numbers, in the order in which parameters
 * were given to the optimizer; names are not stored. Shapes and order tell most of them, and the report says that it was so.
 */
import { compareNatural } from '../files/naturalOrder.js';
import type { CheckpointReport } from './checkpointReport.js';
import type { TensorTable } from '../tensors/tensorTable.js';

export type OptimizerMatch = NonNullable<CheckpointReport['optimizerMatch']>;

/** State tensors of one optimizer parameter. */
interface StateEntry {
  /** Number or name under which the optimizer has it. */
  key: string;
  rows: number[];
  shape: number[];
}

/** Matches and notes the parameter's name at each state tensor. Null where there is no optimizer state. */
export function matchOptimizer(table: TensorTable): OptimizerMatch | null {
  const entries = stateEntries(table);
  if (entries.length === 0) return null;
  const weights = weightRows(table);
  const byName = matchByName(table, entries, weights);
  if (byName > 0) {
    return {
      method: 'by-name',
      matched: byName,
      total: entries.length,
      explanation: 'The optimizer state is stored under the names of the parameters.',
    };
  }
  const found = matchByShape(table, entries, weights);
  return {
    method: found.matched === 0 ? 'none' : 'by-order-and-shape',
    matched: found.matched,
    total: entries.length,
    explanation: explain(found, entries.length, weights.length),
  };
}

/**
 * Parameters that the optimizer has, in elements; null where its state does not have the shapes of parameters, as that of ranks and packed state has not.
 */
export function optimizedElements(table: TensorTable): number | null {
  const entries = stateEntries(table);
  const shapes = new Set(weightRows(table).map((row) => shapeKey(table.shapeOf(row))));
  if (entries.length === 0 || entries.some(({ shape }) => !shapes.has(shapeKey(shape)))) return null;
  return entries.reduce((sum, { shape }) => sum + shape.reduce((product, size) => product * size, 1), 0);
}

interface ShapeMatch {
  matched: number;
  ambiguous: number;
  /** Entries with the shape of a weight, of which other numbers are on both sides. */
  unordered: number;
}

function explain({ matched, ambiguous, unordered }: ShapeMatch, total: number, weights: number): string {
  if (weights === 0) return 'There are no weights here to match the optimizer state with.';
  if (matched === 0 && unordered > 0)
    return `The optimizer stores numbers, not names: ${unordered} of ${total} have shapes of which there is another number of weights, as where some are frozen or tied.`;
  if (matched === 0) return 'No shape of the optimizer state is that of a weight here.';
  const unique = matched - ambiguous;
  const order = ambiguous === 0 ? '' : `, ${ambiguous} by their order among parameters of the same shape`;
  return `The optimizer stores numbers, not names: ${unique} of ${total} were matched by a shape that only one parameter has${order}.`;
}

/** bitsandbytes puts its quantized moments one dict deeper. */
const nestedState = '.__bnb_optimizer_quant_state__';

/** `state.12.exp_avg`, `optimizer.state.12.exp_avg`: entries by what lies between `state` and the last key. */
function stateEntries(table: TensorTable): StateEntry[] {
  const entries = new Map<string, OpenEntry>();
  for (let row = 0; row < table.size; row++) {
    if (table.componentOf(row) !== 'optimizer') continue;
    const name = table.nameOf(row);
    const parent = entryName(name);
    const id = parent.endsWith(nestedState) ? parent.slice(0, -nestedState.length) : parent;
    const entry = entries.get(id) ?? newEntry(id);
    if (entry === undefined) continue;
    entries.set(id, entry);
    entry.rows.push(row);
    const elements = table.elementsOf(row);
    const factor = factors[name.slice(name.lastIndexOf('.') + 1)];
    if (factor !== undefined) entry.factors = { ...entry.factors, [factor]: table.shapeOf(row) };
    // A moment has its parameter's shape; `step` and factored moments have fewer elements, so the largest decides.
    if (table.partOf(row) !== 'otherState' && elements >= entry.elements) {
      entry.elements = elements;
      entry.shape = table.shapeOf(row);
    }
  }
  return [...entries.values()].map(unfactored);
}

interface OpenEntry extends StateEntry {
  elements: number;
  /** Shapes of the moments that a matrix is factored into. */
  factors?: { rows?: number[]; columns?: number[] };
}

/** Means over the columns and over the rows of each matrix (transformers/optimization.py: Adafactor; torch/optim/_adafactor.py, with axes of size 1; CAME). */
const factors: Readonly<Record<string, 'rows' | 'columns'>> = {
  exp_avg_sq_row: 'rows',
  exp_avg_sq_col: 'columns',
  row_var: 'rows',
  col_var: 'columns',
};

/** With the shape of the parameter where its moments are factored and none of them has that shape. */
function unfactored({ key, rows, shape, elements, factors: own = {} }: OpenEntry): StateEntry {
  if (own.rows === undefined || own.columns === undefined) return { key, rows, shape };
  const outer = own.rows.length === own.columns.length && own.rows.at(-1) === 1 ? own.rows.slice(0, -1) : own.rows;
  const whole = [...outer, ...own.columns.slice(-1)];
  return { key, rows, shape: whole.reduce((product, size) => product * size, 1) > elements ? whole : shape };
}

function shapeKey(shape: readonly number[]): string {
  return shape.join('x');
}

/** The name without what tells the tensors of one parameter apart: the last key, or Megatron's kind, which it puts first. */
function entryName(name: string): string {
  const kind = /(?:^|\.)state\.(exp_avg|exp_avg_sq|momentum_buffer|step)\.(?=\D)/.exec(name);
  if (kind === null) return name.slice(0, Math.max(0, name.lastIndexOf('.')));
  const end = kind.index + kind[0].length;
  return name.slice(0, end - (kind[1] as string).length - 1) + name.slice(end);
}

/** The entry of a key path that ends in `state.<key>`; undefined for optimizer tensors outside of any entry. */
function newEntry(id: string): OpenEntry | undefined {
  const at = id.startsWith('state.') ? 0 : id.indexOf('.state.') + 1;
  if (at === 0 && !id.startsWith('state.')) return undefined;
  return { key: id.slice(at + 'state.'.length), rows: [], shape: [], elements: 0 };
}

/** Weights, in the order in which a model would most likely have registered them. */
function weightRows(table: TensorTable): number[] {
  const rows: number[] = [];
  for (let row = 0; row < table.size; row++) if (table.componentOf(row) === 'weights') rows.push(row);
  return rows;
}

function matchByName(table: TensorTable, entries: readonly StateEntry[], weights: readonly number[]): number {
  if (!entries.some((entry) => !/^\d+$/.test(entry.key))) return 0;
  const names = new Set(weights.map((row) => table.nameOf(row)));
  let matched = 0;
  for (const entry of entries) {
    const name = names.has(entry.key)
      ? entry.key
      : [...['model.', 'module.']].map((prefix) => prefix + entry.key).find((candidate) => names.has(candidate));
    if (name === undefined) continue;
    matched += 1;
    for (const row of entry.rows) table.setExtra(row, { parameter: name });
  }
  return matched;
}

/**
 * The k-th state entry of a shape belongs to the k-th weight of that shape. Trainer gives parameters with weight decay first, then
 * those without; both groups keep the model's order, and no shape is in both (norms and biases are vectors), so the rule holds.
 */
function matchByShape(table: TensorTable, entries: readonly StateEntry[], weights: readonly number[]): ShapeMatch {
  const byShape = new Map<string, number[]>();
  for (const row of inModelOrder(table, weights)) {
    const shape = shapeKey(table.shapeOf(row));
    const rows = byShape.get(shape) ?? [];
    byShape.set(shape, rows);
    rows.push(row);
  }
  const wanted = new Map<string, number>();
  for (const entry of entries) {
    const shape = shapeKey(entry.shape);
    wanted.set(shape, (wanted.get(shape) ?? 0) + 1);
  }
  const cursors = new Map<string, number>();
  let matched = 0;
  let ambiguous = 0;
  let unordered = 0;
  for (const entry of [...entries].sort((a, b) => compareNatural(a.key, b.key))) {
    const shape = shapeKey(entry.shape);
    const candidates = byShape.get(shape) ?? [];
    // A different number on both sides (frozen or tied parameters) leaves the order without meaning.
    if (candidates.length > 1 && candidates.length !== wanted.get(shape)) unordered += 1;
    if (candidates.length === 0 || (candidates.length !== wanted.get(shape) && candidates.length > 1)) continue;
    const at = cursors.get(shape) ?? 0;
    cursors.set(shape, at + 1);
    const row = candidates[at];
    if (row === undefined) continue;
    matched += 1;
    if (candidates.length > 1) ambiguous += 1;
    for (const stateRow of entry.rows) table.setExtra(stateRow, { parameter: table.nameOf(row) });
  }
  return { matched, ambiguous, unordered };
}

/** Within a layer, attention before the MLP and queries before keys: the order in which nearly all decoders register them. */
const registrationOrder = [
  'embed',
  'wte',
  'wpe',
  'q_proj',
  'k_proj',
  'v_proj',
  'o_proj',
  'c_attn',
  'c_proj',
  'c_fc',
  'gate',
  'gate_proj',
  'up_proj',
  'down_proj',
  'w1',
  'w2',
  'w3',
  'input_layernorm',
  'post_attention_layernorm',
  'ln_1',
  'ln_2',
  'norm',
  'ln_f',
  'lm_head',
  'head',
];

/**
 * safetensors sorts by dtype and name, so that the model's order is lost: layers by number, then the usual order inside. A pickled
 * state_dict keeps the order and needs no guess.
 */
function inModelOrder(table: TensorTable, rows: readonly number[]): number[] {
  const keyed = rows.map((row) => ({ row, name: table.nameOf(row) }));
  const isSorted = keyed.every(({ name }, index) => index === 0 || (keyed[index - 1] as { name: string }).name <= name);
  if (!isSorted) return [...rows];
  return keyed
    .map(({ row, name }) => ({ row, name, rank: registrationRank(name), layer: /^(.*?)\.(\d+)\./.exec(name)?.[0] ?? '' }))
    .sort((a, b) => compareNatural(a.layer, b.layer) || a.rank - b.rank || compareNatural(a.name, b.name))
    .map(({ row }) => row);
}

function registrationRank(name: string): number {
  const module = name.split('.').at(-2) ?? '';
  const index = registrationOrder.findIndex((known) => module === known || (known === 'embed' && module.startsWith('embed')));
  return index === -1 ? registrationOrder.length : index;
}
