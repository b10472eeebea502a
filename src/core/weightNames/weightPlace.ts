/** What a tensor of any framework is, by the names that transformers has for the same weights. */

/** Whose names the tensors of a model have. */
export type NameDialect =
  | 'transformers'
  | 'megatron'
  | 'megatronLegacy'
  | 'gguf'
  | 'olmo'
  | 'olmoCore'
  | 'nanotron'
  | 'flax'
  | 'maxtext'
  | 'meta'
  | 'torchtune'
  | 'litgpt'
  | 'nanogpt'
  | 'neox';

/** The names of transformers that one tensor holds. */
export interface WeightPlace {
  /**
   * With `N` for each number of a layer or an expert: `model.layers.N.self_attn.q_proj.weight`. Several where the tensor holds them
   * together: fused query, key and value, or gate and up. Experts are named one by one, also where transformers merges them on load.
   */
  names: readonly string[];
  /** The layers are an axis of the tensor: the first one, unless `layerAxis` is given. Their `N` has no number in the tensor's own name. */
  isStackedLayers?: boolean;
  /** Where stacked layers are not the first axis: 1 by default in MaxText. */
  layerAxis?: number;
  /** The experts are an axis of the tensor, the first one that is not the layers'; in OLMo-core blocks of its rows. */
  isStackedExperts?: boolean;
  /** The matrix is stored as [in, out], as in FLAX and the Conv1D of GPT-2. Never set for what has one axis. */
  isTransposed?: boolean;
  /** The parts of the names alternate along their axis, by groups of heads or by rows, in place of one after the other. */
  isInterleaved?: boolean;
  /** The number that the first layer has in the tensor's own name, where that is not 0: 2 in GPT-NeoX, after embedding and pre-transformer step. */
  firstLayer?: number;
}

/** A name without its numbers, and these. */
export interface NumberedName {
  /** `model.layers.N.mlp.up_proj.weight` */
  pattern: string;
  /** One for each `N`, in the order of the name. */
  numbers: number[];
}
