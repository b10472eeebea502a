/** Sizes of a published model in the words of its config.json, as far as parameters follow from them. */
export type PublishedConfig = Readonly<Record<string, unknown>>;

/** Names on the Hub with their configs. */
export type PublishedTable = readonly (readonly [name: string, config: PublishedConfig])[];

/** hidden_size, num_hidden_layers, num_attention_heads, num_key_value_heads, intermediate_size: most decoders are these five. */
export type DecoderSizes = readonly [hidden: number, layers: number, heads: number, keyValueHeads: number, width: number];

/** A decoder in the words that most configs use. */
export function decoderConfig(
  modelType: string,
  vocabulary: number,
  sizes: DecoderSizes,
  rest: PublishedConfig = {},
): PublishedConfig {
  const [hidden, layers, heads, keyValueHeads, width] = sizes;
  return {
    model_type: modelType,
    vocab_size: vocabulary,
    hidden_size: hidden,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    num_key_value_heads: keyValueHeads,
    intermediate_size: width,
    tie_word_embeddings: false,
    ...rest,
  };
}
