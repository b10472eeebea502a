/**
 * The sizes in config.json against the weights beside it: a config of another model is found by its width, its layers or its vocabulary.
 * transformers makes the modules by the config and loads into these (transformers/modeling_utils.py: _load_pretrained_model).
 */
import { findingTable } from '../findings/findingTable.js';
import type { Finding } from '../findings/finding.js';
import { memberOf } from '../formats/text/jsonMember.js';
import { isFloatDtype } from '../tensors/dtype.js';
import { isEmbeddingName } from './otherModels.js';
import { isModelDirectory, ownWeights } from './ownWeights.js';
import type { Parts } from './parts.js';

export interface ConfigComparison {
  findings: Finding[];
  /** What was compared, in words; empty where nothing could be. */
  compared: string[];
}

/** Keys by which architectures call a size; one that has any of these values agrees. */
const widthKeys = ['hidden_size', 'n_embd', 'd_model', 'dim', 'emb_dim', 'embed_dim', 'embedding_size', 'word_embed_proj_dim'];
const vocabularyKeys = ['vocab_size', 'padded_vocab_size', 'embedding_size', 'n_vocab', 'n_words', 'text_vocab_size'];
const layerKeys = ['num_hidden_layers', 'n_layer', 'n_layers', 'num_layers'];
/** Layers that are stored behind those of the decoder: multi-token prediction. */
const extraLayerKeys = ['num_nextn_predict_layers', 'mtp_num_hidden_layers', 'num_mtp_layers'];
/** Rows that a class adds to the vocabulary: up to a multiple that hardware likes, or for images. */
const PADDING_SHARE = 0.05;
/** Configs of several models keep each in an object of its own; deeper ones are settings. */
const MOST_NESTED = 64;

const layerName = /^(.*?(?:^|[./])(?:layers|layer|h|blocks|block))\.(\d{1,4})\./;

interface WeightForms {
  embedding: { name: string; shape: readonly number[]; path: string } | undefined;
  /** By what the names of layers begin with. */
  layers: Map<string, Stack>;
}

interface Stack {
  largest: number;
  /** The first layer with a matrix, by its name in the layer. */
  firstWith: Map<string, number>;
  /** Layers with a matrix that another one has too. */
  alike: Set<number>;
}

/** Undefined sizes, packed or damaged weights, and those of several models are not compared. */
export function compareConfig(parts: Parts, config: unknown): ConfigComparison {
  const isWhole =
    isModelDirectory(parts) &&
    parts.findings.every(({ code, aside }) => aside === 'unused' || findingTable[code].severity !== 'error');
  if (!isWhole || typeof config !== 'object' || config === null) return { findings: [], compared: [] };
  const { embedding, layers } = weightForms(parts);
  const facts = { findings: [] as Finding[], compared: [] as string[] };
  const add = (what: string, own: number, values: readonly number[], agrees: (value: number) => boolean): void => {
    if (values.length === 0) return;
    facts.compared.push(what);
    if (values.some(agrees)) return;
    facts.findings.push({
      code: 'config-sizes-differ',
      path: 'config.json',
      facts: { what, config: values[0] as number, stored: own },
    });
  };
  if (embedding !== undefined) {
    const [rows = 0, width = 0] = embedding.shape;
    add('hidden size', width, sizesIn(config, widthKeys), (value) => value === width);
    add('vocabulary', rows, sizesIn(config, vocabularyKeys), (value) => value <= rows && rows <= value * (1 + PADDING_SHARE) + 8);
  }
  const [stack] = [...layers.values()];
  const counted = layerKeys.map((key) => memberOf(config, key)).find((value) => typeof value === 'number');
  if (layers.size === 1 && stack !== undefined && typeof counted === 'number' && nestedIn(config).length === 1) {
    const extra = largest(sizesIn(config, extraLayerKeys));
    const all = stack.largest + 1;
    const between = all - endsOf(stack);
    const stored = stack.alike.size > 0 ? between : all;
    add('number of layers', stored, [counted], (value) => [value, value + extra].some((sum) => sum === all || sum === between));
  }
  return facts;
}

/** The embedding and the layers of the model in the directory itself. */
function weightForms(parts: Parts): WeightForms {
  const { tensors } = parts;
  const forms: WeightForms = { embedding: undefined, layers: new Map() };
  for (const { row, path } of ownWeights(parts)) {
    const [name, shape] = [tensors.nameOf(row), tensors.shapeOf(row)];
    const [start = '', beginning, number] = layerName.exec(name) ?? [];
    if (beginning !== undefined) {
      const stack = forms.layers.get(beginning) ?? { largest: 0, firstWith: new Map(), alike: new Set() };
      forms.layers.set(beginning, stack);
      addToStack(stack, Number(number), shape.length > 1 ? name.slice(start.length) : undefined);
    }
    const isEmbedding = shape.length === 2 && isFloatDtype(tensors.dtypeOf(row)) && isEmbeddingName(name);
    if (isEmbedding && (forms.embedding === undefined || tensors.elementsOf(row) > sizeOf(forms.embedding.shape)))
      forms.embedding = { name, shape, path };
  }
  return forms;
}

function addToStack(stack: Stack, layer: number, matrix: string | undefined): void {
  stack.largest = Math.max(stack.largest, layer);
  if (matrix === undefined) return;
  const first = stack.firstWith.get(matrix);
  if (first === undefined) stack.firstWith.set(matrix, layer);
  else if (first !== layer) stack.alike.add(first).add(layer);
}

/** Embedding and output layer where they are numbered with the layers, as in torch's Sequential: no matrix of theirs is in another layer. */
function endsOf({ largest: last, alike }: Stack): number {
  return [0, last].filter((layer) => !alike.has(layer)).length;
}

function largest(numbers: Iterable<number>): number {
  let found = 0;
  for (const number of numbers) found = Math.max(found, number);
  return found;
}

function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** The values of these keys, in the config itself and in those of the models that it is put together of. */
function sizesIn(config: object, keys: readonly string[]): number[] {
  const values = nestedIn(config).flatMap((each) => keys.map((key) => memberOf(each, key)));
  return values.filter((value): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value > 0);
}

/** The config and the configs of models in it: objects that state a width or a number of layers. */
function nestedIn(config: object): object[] {
  const found = [config];
  for (const each of found) {
    if (found.length > MOST_NESTED) break;
    for (const value of Object.values(each) as unknown[])
      if (typeof value === 'object' && value !== null && hasSizes(value)) found.push(value);
  }
  return found;
}

function hasSizes(value: object): boolean {
  return [...widthKeys, ...layerKeys, 'text_config'].some((key) => memberOf(value, key) !== undefined);
}
