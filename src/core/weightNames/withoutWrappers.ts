/** Segments that training code puts around the names of a model. */

/** Attributes that wrap a module, wherever they are in a name: torch.compile, FSDP 1, activation checkpointing, DeepSpeed. */
const wrapperSegments: ReadonlySet<string> = new Set([
  '_orig_mod',
  '_fsdp_wrapped_module',
  '_checkpoint_wrapped_module',
  '_forward_module',
]);

/** First segments that no model of transformers has: DDP, dicts and collections of a training state. */
const outerSegments: ReadonlySet<string> = new Set(['module', 'app', 'state', 'state_dict', 'params', 'target']);

/** Modules that are the outermost ones of a model, so that a `model.` before them is an attribute of training code. */
const outermostModules: ReadonlySet<string> = new Set(['model', 'transformer', 'lm_head', 'gpt_neox']);

/**
 * The name without the wrappers that DDP, FSDP, torch.compile, activation checkpointing, distributed checkpoints and collections of FLAX
 * put around a model: `module.`, `_orig_mod.`, `app.model.`, `params.params.`, and `model.` before a module that is outermost itself
 * (`model.model.layers.0.…`). Segments are separated by points in the result, also those of FLAX that had slashes. Linear in the length of
 * the name.
 */
export function withoutWrappers(name: string): string {
  const segments = name.split(/[./]/).filter((segment) => !wrapperSegments.has(segment));
  let first = 0;
  let isModelKey = false;
  for (; first < segments.length - 1; first++) {
    const segment = segments[first] as string;
    if (outerSegments.has(segment)) isModelKey = segment === 'app' || segment === 'state';
    else if (segment === 'model' && (isModelKey || outermostModules.has(segments[first + 1] as string))) isModelKey = false;
    else break;
  }
  return segments.slice(first).join('.');
}
