/** What a model does with the states of its layers, by the name of its class in `architectures`. */
import type { Fields } from '../fields.js';
import type { ModelTensors } from './tensorGroup.js';

/**
 * What follows `For` in the class's name: `MaskedLM`, `SequenceClassification`. `Model` for a model without a head, `Encoder` for one half of
 * an encoder-decoder, `usual` where the config names no class.
 */
export function headOf(config: Fields, usual: string): string {
  const name = config.texts('architectures')?.[0];
  if (name === undefined) return usual;
  const task = /For([A-Z]\w*)$/.exec(name)?.[1];
  if (task !== undefined) return task;
  if (/LMHeadModel$/.test(name)) return 'CausalLM';
  if (/MTModel$/.test(name)) return 'ConditionalGeneration';
  if (/WithLMHead$/.test(name)) return 'MaskedLM';
  if (/EncoderModel$/.test(name)) return 'Encoder';
  return /Model$/.test(name) ? 'Model' : name;
}

/**
 * Labels of a classifier: `num_labels`, else those that `id2label` lists, else 2 (transformers/configuration_utils.py 5.24: a number of another
 * count than the list replaces it).
 */
export function labelCount(config: Fields, usual = 2): number {
  const count = config.signedInteger('num_labels');
  if (count !== undefined) return Math.max(count, 0);
  return config.has('id2label') && !config.isNull('id2label') ? config.at('id2label').keys.length : usual;
}

/** A classifier of one layer. */
export function addClassifier(model: ModelTensors, labels: number, width: number, name = 'classifier'): void {
  model.head(name, labels, width, { bias: true });
}

/** A dense layer, and the classifier proper after it. */
export function addDenseClassifier(model: ModelTensors, labels: number, width: number, name = 'classifier'): void {
  model.linear(`${name}.dense`, width, width, { bias: true });
  model.head(`${name}.out_proj`, labels, width, { bias: true });
}

/** `cls.predictions`: a dense layer to the size of the embeddings, a norm, the embeddings again. */
export function addMaskedHead(
  model: ModelTensors,
  { vocabulary, hidden, isTied, norm = 'LayerNorm' }: { vocabulary: number; hidden: number; isTied: boolean; norm?: string },
): void {
  model.linear('cls.predictions.transform.dense', hidden, hidden, { bias: true });
  model.norm(`cls.predictions.transform.${norm}`, hidden, { bias: true });
  addTiedDecoder(model, vocabulary, hidden, { decoder: 'cls.predictions.decoder', bias: 'cls.predictions.bias', isTied });
}

/** An output layer over the vocabulary that is the input embedding again, with a bias that two modules share. */
export function addTiedDecoder(
  model: ModelTensors,
  vocabulary: number,
  width: number,
  { decoder, bias, isTied }: { decoder: string; bias: string; isTied: boolean },
): void {
  model.parameter(bias, [vocabulary], { kind: 'bias' });
  model.head(decoder, vocabulary, width, { isTied });
  model.parameter(`${decoder}.bias`, [vocabulary], { kind: 'bias', isTied });
}
