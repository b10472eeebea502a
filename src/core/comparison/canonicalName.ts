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
  let from = 0;
  for (let end = name.indexOf('.'); end !== -1; end = name.indexOf('.', from)) {
    const part = name.slice(from, end);
    if (!levels.has(part) && !wrappers.has(part)) break;
    from = end + 1;
  }
  const rest = from === 0 ? name : name.slice(from);
  return rest.includes('._') ? withoutWrappers(rest) : rest;
}

function withoutWrappers(name: string): string {
  return name
    .split('.')
    .filter((part) => !wrappers.has(part))
    .join('.');
}
