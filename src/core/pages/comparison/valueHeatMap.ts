/** Where the values of two checkpoints differ: a row for each kind of tensor, a column for each layer, coloured by the relative distance. */
import type { ValueDifference, ValuesCompared } from '../../comparison/comparisonReport.js';
import { counted, listed } from '../../text/quantities.js';
import { formatCount } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';
import { shortNumber } from './shortNumber.js';

/** Powers of ten that have a colour: from below 10^-6 to 1 and above. */
export const distanceLevels = 8;

/**
 * What a cell shows. `unlike` are tensors that differ without a distance: where A is all 0, where values are not finite, or of codes alone.
 * `unread` were not compared; `absent` where the layer has no such tensor.
 */
export type CellLook = 'equal' | 'different' | 'unlike' | 'unread' | 'absent';

export interface HeatCell {
  look: CellLook;
  /** Of `different`: 1 below 10^-6, and one more for each power of ten, up to `distanceLevels`; else 0. */
  level: number;
  /** The tensor that decides the look, as A stores it; null of `absent`. */
  tensor: string | null;
  /** What it shows: `layer 3, self_attn.q_proj.weight: relative L2 0.0012`. */
  words: string;
}

export interface ValueHeatMap {
  /** A row for each kind of tensor: its name without what all have in front, a * for the number of the layer. */
  kinds: string[];
  /** A column for each layer by its number; the empty text is for what is in no layer. */
  layers: string[];
  /** Row by row. */
  cells: HeatCell[];
  /** The picture in words. */
  summary: string;
  /** What is left out of it; empty where nothing is. */
  leftOut: string;
}

/** A row of a picture that is still to be read, and no more than that of layers. */
const mostKinds = 40;
const mostLayers = 256;

type Compared = Pick<ValueDifference, 'name' | 'isEqual' | 'relativeL2'>;

interface Entry extends Partial<Compared> {
  name: string;
  /** Why it was not compared. */
  reason?: string;
}

/**
 * Numbers below the layer's, as of experts, become one kind where there are too many otherwise; a cell then has the tensor that differs most.
 * @returns null where no values are known
 */
export function valueHeatMap(values: readonly Compared[], compared: Pick<ValuesCompared, 'notRead'>): ValueHeatMap | null {
  const entries: Entry[] = [...values, ...compared.notRead];
  if (entries.length === 0) return null;
  let placed = entries.map((entry) => ({ entry, ...placeOf(entry.name, false) }));
  if (new Set(placed.map(({ kind }) => kind)).size > mostKinds)
    placed = entries.map((entry) => ({ entry, ...placeOf(entry.name, true) }));
  const allKinds = [...new Set(placed.map(({ kind }) => kind))];
  const allLayers = [...new Set(placed.map(({ layer }) => layer))].sort(
    (a, b) => Number(a === '' ? -1 : a) - Number(b === '' ? -1 : b),
  );
  const [kinds, layers] = [allKinds.slice(0, mostKinds), allLayers.slice(0, mostLayers)];
  const prefix = commonPrefix(kinds);
  const labels = kinds.map((kind) => visibleText(kind.startsWith(prefix) ? kind.slice(prefix.length) : kind));
  const grid = cellEntries(placed, kinds, layers);
  const cells = grid.map((own, at) =>
    cellOf(own, labels[Math.floor(at / layers.length)] as string, layers[at % layers.length] as string),
  );
  return {
    kinds: labels,
    layers,
    cells,
    summary: summaryOf(cells, kinds.length, layers.length),
    leftOut: leftOutWords(allKinds.length - kinds.length, allLayers.length - layers.length),
  };
}

interface Place {
  kind: string;
  layer: string;
}

/** The first number with a word before it is the layer's. @param folds other numbers become one kind */
function placeOf(name: string, folds: boolean): Place {
  const parts = name.split('.');
  const at = parts.findIndex((part, index) => isNumber(part) && /^[A-Za-z_]+$/.test(parts[index - 1] ?? ''));
  const kind = parts.map((part, index) => (index === at || (folds && isNumber(part)) ? '*' : part)).join('.');
  return { kind, layer: parts[at] ?? '' };
}

function isNumber(part: string): boolean {
  return /^\d{1,9}$/.test(part);
}

/** Up to the last number of a layer that all kinds with a layer have in front of their own name. */
function commonPrefix(kinds: readonly string[]): string {
  const inLayers = kinds.filter((kind) => kind.includes('.*.'));
  const prefixOf = (kind: string): string => kind.slice(0, kind.indexOf('.*.') + 3);
  const [first] = inLayers;
  if (first === undefined) return '';
  const prefix = prefixOf(first);
  return inLayers.every((kind) => prefixOf(kind) === prefix) ? prefix : '';
}

function cellEntries(
  placed: readonly (Place & { entry: Entry })[],
  kinds: readonly string[],
  layers: readonly string[],
): Entry[][] {
  const rows = new Map(kinds.map((kind, index) => [kind, index]));
  const columns = new Map(layers.map((layer, index) => [layer, index]));
  const grid = Array.from({ length: kinds.length * layers.length }, (): Entry[] => []);
  for (const { entry, kind, layer } of placed) {
    const [row, column] = [rows.get(kind), columns.get(layer)];
    if (row !== undefined && column !== undefined) grid[row * layers.length + column]?.push(entry);
  }
  return grid;
}

function cellOf(entries: readonly Entry[], kind: string, layer: string): HeatCell {
  const where = layer === '' ? kind : `layer ${layer}, ${kind}`;
  const worst = worstOf(entries);
  if (worst === undefined) return { look: 'absent', level: 0, tensor: null, words: `${where}: none` };
  const look = lookOf(worst);
  const what =
    entries.length === 1 ? '' : `${counted(entries.length, 'tensor')}, ${equalWords(entries)}; the one that differs most: `;
  return {
    look,
    level: look === 'different' ? levelOf(worst.relativeL2 ?? 0) : 0,
    tensor: worst.name,
    words: `${where}: ${look === 'equal' ? equalOf(entries) : `${what}${wordsOf(worst, look)}`}`,
  };
}

/** What differs without a distance first, then the largest distance; what was not compared hides behind what was. */
function worstOf(entries: readonly Entry[]): Entry | undefined {
  const weightOf = (entry: Entry): number => {
    const look = lookOf(entry);
    return look === 'unlike' ? Infinity : look === 'different' ? (entry.relativeL2 ?? 0) : look === 'equal' ? -1 : -2;
  };
  return entries.reduce<Entry | undefined>(
    (worst, entry) => (worst === undefined || weightOf(entry) > weightOf(worst) ? entry : worst),
    undefined,
  );
}

function lookOf({ isEqual, relativeL2 }: Entry): Exclude<CellLook, 'absent'> {
  if (isEqual === undefined) return 'unread';
  if (isEqual) return 'equal';
  // 0 of tensors that are not equal: what differs is not finite.
  return relativeL2 == null || relativeL2 === 0 ? 'unlike' : 'different';
}

function levelOf(distance: number): number {
  return Math.min(distanceLevels, Math.max(1, Math.floor(Math.log10(distance)) + distanceLevels));
}

function equalOf(entries: readonly Entry[]): string {
  return entries.length === 1 ? 'equal' : `${counted(entries.length, 'tensor')}, ${equalWords(entries)}`;
}

function equalWords(entries: readonly Entry[]): string {
  const equal = entries.filter(({ isEqual }) => isEqual === true).length;
  return equal === entries.length ? 'all equal' : `${formatCount(equal)} equal`;
}

function wordsOf(entry: Entry, look: CellLook): string {
  if (look === 'unread') return `not compared. ${visibleText(entry.reason ?? '')}`;
  if (look === 'unlike') return 'differs, without a distance';
  return `relative L2 ${shortNumber(entry.relativeL2 ?? 0)}`;
}

function summaryOf(cells: readonly HeatCell[], kinds: number, layers: number): string {
  const count = (look: CellLook): number => cells.filter((cell) => cell.look === look).length;
  const parts = [
    `${formatCount(count('equal'))} equal`,
    `${formatCount(count('different') + count('unlike'))} different`,
    ...(count('unread') === 0 ? [] : [`${formatCount(count('unread'))} not compared`]),
  ];
  return `Heat map of ${counted(kinds, 'kind')} of tensors in ${counted(layers, 'column')}: ${listed(parts)}.`;
}

function leftOutWords(kinds: number, layers: number): string {
  const parts = [
    ...(kinds === 0 ? [] : [`${counted(kinds, 'more kind')} of tensors`]),
    ...(layers === 0 ? [] : [counted(layers, 'more layer')]),
  ];
  return parts.length === 0 ? '' : `Not drawn: ${listed(parts)}. The table has them.`;
}
