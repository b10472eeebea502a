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

/** What PEFT puts around a layer that it adapts, and around one that it trains a copy of: a model whose adapter is not merged has some of these. */
const layers: readonly Wrapper[] = [
  { segment: 'base_layer', of: adapted.of },
  { segment: 'original_module', of: adapted.of },
];

const layerSegments: ReadonlySet<string> = new Set(layers.map(({ segment }) => segment));

/** A wrapper of a layer within a model; undefined for a name of the model itself. */
export function layerWrapperOf(name: string): Wrapper | undefined {
  return layers.find(({ segment }) => name.includes(`.${segment}.`));
}

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
      (segment, at) => !innerSegments.has(segment) && !layerSegments.has(segment) && !(at === 0 && segment === parallel.segment),
    )
    .join('.');
  return `.${rest}`.replace(`.${adapted.segment}.`, '.').slice(1);
}
