import type { ComponentId, TensorPart } from './component.js';

export type TensorColumn = 'name' | 'dtype' | 'shape' | 'elements' | 'bytes' | 'component' | 'file' | 'layer';

/** A component, or one part of it: `optimizer`, `optimizer:firstMoment`. */
export type ComponentChoice = ComponentId | `${ComponentId}:${TensorPart}`;

/** Which tensors to show and in what order. An empty or missing filter lets everything pass. */
export interface TensorQuery {
  /** Case-insensitive; every space-separated word must occur in the name. */
  search?: string;
  components?: ComponentChoice[];
  dtypes?: string[];
  files?: string[];
  /** Layer labels such as `layers.11`; `''` selects the tensors outside of any layer. */
  layers?: string[];
  sort?: { column: TensorColumn; descending: boolean };
}

/** One row of the list of tensors. */
export interface TensorRow {
  /** Stable, whatever the order. */
  row: number;
  name: string;
  dtype: string;
  /** `[4096, 4096]`. */
  shape: string;
  elements: number;
  bytes: number;
  component: ComponentId;
  part: TensorPart;
  /** The first of those that hold it, and how many pieces it has. */
  file: string;
  files: number;
  layer: string;
}

/** Rows [from, from + rows.length) of a query. */
export interface TensorPage {
  from: number;
  rows: TensorRow[];
  /** Tensors that match, and the sum of their bytes. */
  matching: number;
  matchingBytes: number;
}

/** Whether a query leaves out some tensors. */
export function isFiltered({ search = '', components, dtypes, files, layers }: TensorQuery): boolean {
  return search.trim() !== '' || [components, dtypes, files, layers].some((values) => (values?.length ?? 0) > 0);
}

/** A line of the tree of modules: a module, several equal ones as one, or a tensor. */
export interface ModuleRow {
  /** Stable, whatever else is expanded. */
  id: string;
  kind: 'module' | 'fold' | 'tensor';
  /** `layers 0-31`. */
  label: string;
  /** The whole name. */
  name: string;
  level: number;
  position: number;
  siblings: number;
  /** Place of its parent among the lines; null at the top. */
  parent: number | null;
  /** Null for a tensor. */
  isExpanded: boolean | null;
  tensors: number;
  /** How many equal modules it stands for. */
  repeats: number;
  /** Of a tensor, for its detail. */
  row: number | null;
  /** Empty where tensors below it differ, as are shape, file and layer. */
  dtype: string;
  shape: string;
  elements: number;
  bytes: number;
  component: ComponentId | null;
  part: TensorPart | null;
  file: string;
  files: number;
  layer: string;
}

/** Lines [from, from + rows.length) of the tree of the tensors that match. */
export interface ModulePage {
  from: number;
  rows: ModuleRow[];
  /** Lines of the tree. */
  lines: number;
  /** Tensors that match, and the sum of their bytes. */
  matching: number;
  matchingBytes: number;
}

export interface Facet {
  value: string;
  tensors: number;
  bytes: number;
}

/** The values that can be filtered by, largest first (layers in natural order). */
export interface TensorFacets {
  components: Facet[];
  dtypes: Facet[];
  files: Facet[];
  layers: Facet[];
}

/** Where one piece of a tensor lies. */
export interface TensorPiece {
  file: string;
  offsetBytes: number | null;
  bytes: number;
}

export interface TensorDetail {
  row: number;
  name: string;
  dtype: string;
  shape: number[];
  elements: number;
  bytes: number;
  component: ComponentId;
  part: TensorPart;
  /** In elements; null where the format has none (always contiguous). */
  strides: number[] | null;
  /** The class around the payload, e.g. `DTensor`, `Int8Tensor`; null for a plain tensor. */
  wrapper: string | null;
  /** What a wrapper is made of. */
  inner: { name: string; dtype: string; shape: number[]; bytes: number }[];
  pieces: TensorPiece[];
  /** Names of tensors that lie in the same storage (tied weights, views); at most 50. */
  sharesStorageWith: string[];
  /** For an optimizer tensor: the parameter it belongs to, where that is known. */
  parameter: string | null;
}
