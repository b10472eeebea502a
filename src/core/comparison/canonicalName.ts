/** The name of a weight without what wraps a model puts before and into it, so that names of several frameworks agree. */

/** Modules that wrap another one wherever they are, and have no weights of their own: torch.compile, FSDP 1, activation checkpointing, Lightning. */
const wrappers: ReadonlySet<string> = new Set([
  '_orig_mod',
  '_fsdp_wrapped_module',
  '_checkpoint_wrapped_module',
  '_forward_module',
]);

/** What stands before all names of a model: wrappers of DDP and DeepSpeed, keys of a state dict, and the model without its head in transformers and PEFT. */
const levels: ReadonlySet<string> = new Set([
  'app',
  'base_model',
  'model',
  'model_state_dict',
  'module',
  'params',
  'state_dict',
  'transformer',
]);

/** Equal for names that differ by wrappers alone. It is no name that a framework uses: `model.layers.0.x` becomes `layers.0.x`. */
export function canonicalName(name: string): string {
  const parts = name.split('.').filter((part) => !wrappers.has(part));
  let first = 0;
  while (first < parts.length - 1 && levels.has(parts[first] as string)) first += 1;
  return parts.slice(first).join('.');
}
