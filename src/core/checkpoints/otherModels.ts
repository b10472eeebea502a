/** Whether a file that is called as a conversion of a model can be one: its embedding and its size are compared, no values. */
import type { TensorTable } from '../tensors/tensorTable.js';

/** What tells two models apart by their headers. */
export interface ModelForm {
  /** Rows and columns of the largest token embedding; undefined where none is called as one. */
  embedding: readonly number[] | undefined;
  /** Elements of all weights. */
  elements: number;
  /** True where weights are packed: elements are fewer than parameters. */
  isPacked: boolean;
}

/** What differs, in both models. */
export type FormDifference = { what: 'embedding'; own: string; other: string } | { what: 'elements'; own: number; other: number };

/** Modules that transformers, flax, TensorFlow, llama.cpp and Meta look tokens up in. */
const embeddingName =
  /(^|[./_])(embed_tokens|word_embeddings|wte|tok_embeddings|token_embd|token_embedding|embed_in|shared)([./](weight|embeddings?)(:\d+)?)?$/i;
/** A tokenizer's added tokens, and rows up to a multiple that hardware likes. */
const PADDING_SHARE = 0.05;
/** Constants that an exporter folds, and parts that it leaves out; more is another model. */
const SIZE_SHARE = 0.5;

/** Whether a name is that of a token embedding. */
export function isEmbeddingName(name: string): boolean {
  return embeddingName.test(name);
}

/** The form of the weights in these rows. */
export function formOf(tensors: TensorTable, rows: readonly number[]): ModelForm {
  let embedding: readonly number[] | undefined;
  let elements = 0;
  let isPacked = false;
  for (const row of rows) {
    const shape = tensors.shapeOf(row);
    elements += countOf(shape);
    isPacked ||= shape.length > 1 && /^[iu]\d+$/.test(tensors.dtypeOf(row));
    const isLarger = shape.length === 2 && countOf(shape) > countOf(embedding ?? [0]);
    if (isLarger && isEmbeddingName(tensors.nameOf(row))) embedding = shape;
  }
  return { embedding, elements, isPacked };
}

/**
 * What makes another model of a file; undefined where it may be the same one. A part of a model may lack its embedding, and packed weights
 * have other shapes: then less is compared.
 */
export function differenceOf(own: ModelForm, other: ModelForm): FormDifference | undefined {
  const isPacked = own.isPacked || other.isPacked;
  if (own.embedding !== undefined && other.embedding !== undefined && !isSameEmbedding(own.embedding, other.embedding, isPacked))
    return { what: 'embedding', own: own.embedding.join(' × '), other: other.embedding.join(' × ') };
  // A tied output embedding may be stored in one of them.
  const tied = countOf(own.embedding ?? other.embedding ?? [0]);
  const isLarger = !own.isPacked && other.elements > (own.elements + tied) * (1 + SIZE_SHARE);
  const isSmaller = !other.isPacked && other.embedding !== undefined && other.elements + tied < own.elements * SIZE_SHARE;
  return isLarger || isSmaller ? { what: 'elements', own: own.elements, other: other.elements } : undefined;
}

/** The larger side is the vocabulary, the other one the width; exporters transpose, and packing shortens the width. */
function isSameEmbedding(own: readonly number[], other: readonly number[], isPacked: boolean): boolean {
  const [ownRows = 0, ownWidth = 0] = [...own].sort((a, b) => b - a);
  const [rows = 0, width = 0] = [...other].sort((a, b) => b - a);
  return Math.abs(rows - ownRows) <= PADDING_SHARE * ownRows && (isPacked || width === ownWidth);
}

function countOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}
