/** Architectures whose layers are of one kind or another by how many there are: which are which does not follow from the same config with fewer layers. */

/** Shared keys and values of the last layers, a last layer of full attention, experts by a share of the layers. */
const byNumberOfLayers = /^(?:gemma3n|gemma4|diffusion_gemma|switch_transformers|olmo_hybrid|step3p7)/;

/** @param isOfTransformers false for a class in code beside the weights, whose rules are not known */
export function dependsOnNumberOfLayers(modelType: string, isOfTransformers: boolean): boolean {
  return !isOfTransformers || byNumberOfLayers.test(modelType);
}
