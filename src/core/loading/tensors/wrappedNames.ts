/** Names that weights have inside of a wrapper: training code saved it in place of the model in it. */

export interface Wrapper {
  /** What it adds to names. */
  segment: string;
  /** What puts it around a model. */
  of: string;
}

/** Attributes that hold the wrapped module, wherever they are in a name. */
const inner: readonly Wrapper[] = [
  { segment: '_orig_mod', of: 'torch.compile' },
  { segment: '_fsdp_wrapped_module', of: 'FSDP' },
  { segment: '_checkpoint_wrapped_module', of: 'activation checkpointing' },
  { segment: '_forward_module', of: 'Lightning Fabric' },
];
const innerSegments: ReadonlySet<string> = new Set(inner.map(({ segment }) => segment));

const parallel: Wrapper = { segment: 'module', of: 'DistributedDataParallel, DataParallel or DeepSpeed' };
/** Around a model or around the language model in one. The layer that a LoRA layer is around is `base_layer`. */
const adapted: Wrapper = { segment: 'base_model.model', of: 'PEFT' };

/** A wrapper of a name; undefined for one of a model itself. */
export function wrapperOf(name: string): Wrapper | undefined {
  if (name.startsWith(`${parallel.segment}.`)) return parallel;
  if (`.${name}`.includes(`.${adapted.segment}.`)) return adapted;
  const segments = new Set(name.split('.'));
  return inner.find(({ segment }) => segments.has(segment));
}

/** The name that the model in the wrapper gives. */
export function unwrapped(name: string): string {
  const rest = name
    .split('.')
    .filter(
      (segment, at) => !innerSegments.has(segment) && segment !== 'base_layer' && !(at === 0 && segment === parallel.segment),
    )
    .join('.');
  return `.${rest}`.replace(`.${adapted.segment}.`, '.').slice(1);
}
