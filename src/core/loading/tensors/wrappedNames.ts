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

/** Those that are at the beginning alone; the layer that a LoRA layer is around is `base_layer`. */
const outer: readonly Wrapper[] = [
  { segment: 'module', of: 'DistributedDataParallel or DeepSpeed' },
  { segment: 'base_model.model', of: 'PEFT' },
];

/** The outermost wrapper of a name; undefined for one of a model itself. */
export function wrapperOf(name: string): Wrapper | undefined {
  const first = outer.find(({ segment }) => name.startsWith(`${segment}.`));
  const segments = new Set(name.split('.'));
  return first ?? inner.find(({ segment }) => segments.has(segment));
}

/** The name that the model in the wrapper gives. */
export function unwrapped(name: string): string {
  let rest = name
    .split('.')
    .filter((segment) => !innerSegments.has(segment) && segment !== 'base_layer')
    .join('.');
  for (const { segment } of outer) if (rest.startsWith(`${segment}.`)) rest = rest.slice(segment.length + 1);
  return rest;
}
