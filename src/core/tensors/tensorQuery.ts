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

/**
 * Rows [from, from + rows) of a query, as an Arrow IPC stream with the columns `row` (u32, stable id), `name`, `dtype`, `shape` (text),
 * `elements` (f64), `bytes` (f64), `component`, `part`, `file`, `files` (u32, how many), `layer`.
 */
export interface TensorPage {
  from: number;
  rows: number;
  /** Tensors that match, and the sum of their bytes. */
  matching: number;
  matchingBytes: number;
  arrow: Uint8Array;
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
