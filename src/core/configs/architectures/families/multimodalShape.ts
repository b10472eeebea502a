/** What a model that also sees or hears is described by. */
import type { Fields } from '../../fields.js';
import type { ModelTensors, TensorGroup } from '../tensorGroup.js';

/** A language model as it is part of another. */
export interface TextModel {
  groups: readonly TensorGroup[];
  hidden: number;
}

/** A language model with towers for images or sound, and what leads from these to it. */
export interface MultimodalEntry {
  modelTypes: readonly string[];
  name: string;
  /** What follows `For` in the name of the class that predicts words; `ConditionalGeneration` without it. */
  task?: string;
  /** `model_type` of the language model where its config does not say. */
  textType: string;
  /** The language model is of this type even where its config names another. */
  isTextTypeFixed?: boolean;
  /** The language model of a config without a `text_config`: sizes by class, or those at the root of old configs. */
  absentText?: Readonly<Record<string, unknown>> | 'root';
  /** What `tie_word_embeddings` is where the config does not say; null where the language model's own counts. */
  isTied: boolean | null;
  /** Whether the language model's own word counts beside the model's; with `usually` it is tied where its config does not say. */
  takesTextTie?: boolean | 'usually';
  /** Classes with a score in place of the words: what follows `For` in their names. */
  classifiers?: readonly ('SequenceClassification' | 'TokenClassification')[];
  /** In front of the language model's names, in place of `model.`. */
  textPrefix?: string;
  headPrefix?: string;
  /** False where a size is missing or a part not known. */
  towers: (model: ModelTensors, config: Fields, text: TextModel) => boolean;
}
