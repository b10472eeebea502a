/** Spellings of a flag's name in YAML: `num_layers`, `num-layers` (GPT-NeoX), `--num-layers` (Megatron-LM's own tests). */
export function dashed(name: string): readonly string[] {
  const dashes = name.replaceAll('_', '-');
  return dashes === name ? [name, `--${name}`] : [name, dashes, `--${dashes}`];
}
