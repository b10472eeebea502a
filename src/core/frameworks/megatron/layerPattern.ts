/** Layers of a model that are listed one by one; Megatron's and NeMo's patterns are short. */
const mostLayers = 100_000;

/**
 * Which layers have experts, from `--moe-layer-freq`: `N` for one in N, or a Python list as text such as `([0]*3+[1]*58)`
 * (megatron/training/arguments.py, moe_freq_type). Null where it is neither, or tells another number of layers.
 */
export function layerPattern(frequency: number | string | undefined, layers: number): readonly boolean[] | null {
  if (layers > mostLayers) return null;
  if (frequency === undefined || typeof frequency === 'number' || /^\d+$/.test(frequency)) {
    const every = Number(frequency ?? 1);
    if (!Number.isInteger(every) || every < 1) return null;
    return Array.from({ length: layers }, (_, index) => index % every === 0);
  }
  const pattern = patternOf(frequency, layers);
  return pattern?.length === layers ? pattern : null;
}

function patternOf(text: string, layers: number): boolean[] | null {
  if (text.length > 4 * mostLayers) return null;
  const pattern: boolean[] = [];
  const inner = text.replace(/\s/g, '').replace(/^\((.*)\)$/, '$1');
  for (const term of inner.split('+')) {
    const match = /^\(?\[([01](?:,[01])*),?\](?:\*(\d{1,6}))?\)?$/.exec(term);
    if (match === null) return null;
    const items = (match[1] ?? '').split(',').map((item) => item === '1');
    const times = Number(match[2] ?? 1);
    if (pattern.length + items.length * times > layers) return null;
    for (let time = 0; time < times; time++) for (const item of items) pattern.push(item);
  }
  return pattern;
}
