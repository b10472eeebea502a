import type { Fields } from '../fields.js';
import type { ModelTensors } from './tensorGroup.js';

/** How the tensors of a family of models follow from its config.json. One entry a family; adding a family is adding an entry. */
export interface Architecture {
  /** Values of `model_type` in config.json. */
  modelTypes: readonly string[];
  /** What people call it. */
  name: string;
  /** Null where the config lacks a size that cannot be left out. */
  tensors(config: Fields): ModelTensors | null;
  /** What is stored beside these tensors; asked only where they could be counted. */
  extras?(config: Fields): ArchitectureReading['extras'];
}

/** What a Hugging Face config comes to. */
export interface ArchitectureReading {
  tensors: ModelTensors;
  name: string;
  modelType: string;
  /** `shapes` where no entry has the type, and the tensors were guessed from the sizes that most configs have. */
  basis: 'architecture' | 'shapes';
  /** Stored beside the model by those who publish it, but no part of the model as transformers makes it: prediction layers, scales, an untied output layer. */
  extras: readonly { name: 'multi-token-prediction' | 'block-scales' | 'output-layer'; parameters: number }[];
}
