/** mergekit YAML (mergekit/config.py): weights of one model, whose layers are those of the sources, or the slices one after another. */
import { keyOf, type Fields } from '../../configs/fields.js';
import type { ConfigAccess, ConfigFile, ConfigKind, ModelSource } from '../../configs/configKind.js';
import { resolveModel } from '../../configs/resolveModel.js';
import type { TrainingPlan } from '../../configs/trainingPlan.js';
import { planOf } from '../../configs/plans/planOf.js';
import { precisionOf } from '../../configs/values/precisionNames.js';

export const mergekit: ConfigKind = {
  id: 'mergekit',
  match: ({ document, fields }) =>
    (document.syntax === 'yaml' || document.syntax === 'json') &&
    fields.has('merge_method') &&
    fields.has('models', 'slices', 'base_model', 'modules', 'dtype'),
  read: async ({ fields }: ConfigFile, access: ConfigAccess) => ({
    model: await modelOf(fields, access),
    plan: planFrom(fields),
  }),
};

function planFrom(fields: Fields): TrainingPlan {
  const dtype = precisionOf(fields.text('out_dtype', 'dtype'));
  return planOf({
    writer: 'mergekit',
    precision: dtype,
    parameterDtype: dtype,
    savesOptimizer: false,
    steps: 1,
    saveIntervalSteps: 1,
    keep: 1,
  });
}

async function modelOf(fields: Fields, access: ConfigAccess): Promise<ModelSource | null> {
  const named = sourceOf(fields);
  const layers = layersOf(fields);
  if (named === null || layers === 'unreadable') return null;
  if (layers === null) return named;
  const resolved = await resolveModel(named, access);
  if (resolved?.kind !== 'fields') return null;
  const overrides = new Map(layerKeys.map((key) => [keyOf([key]), layers]));
  return {
    kind: 'fields',
    fields: resolved.fields.withOverrides(overrides),
    ...(resolved.origin === null ? {} : { origin: resolved.origin }),
  };
}

const layerKeys = ['num_hidden_layers', 'n_layer', 'n_layers', 'num_layers'];

type Named = Extract<ModelSource, { kind: 'named' }>;

/** `base_model`, or the first that is merged. */
function sourceOf(fields: Fields): Named | null {
  const base = fields.text('base_model');
  if (base !== undefined) return named(base, 'base_model');
  for (const model of [...fields.items('models'), ...fields.items('slices').flatMap((slice) => slice.items('sources'))]) {
    const name = model.text('model');
    if (name !== undefined) return named(name, 'model');
  }
  return null;
}

/** `base+adapter` puts an adapter into the base first; a commit may follow `@`. */
function named(text: string, key: string): Named {
  return { kind: 'named', name: text.split(/[+@]/)[0] ?? text, key };
}

/** The sum over slices; null without slices. Every source of a slice has as many layers. */
function layersOf(fields: Fields): number | null | 'unreadable' {
  const slices = fields.items('slices');
  if (slices.length === 0) return null;
  let layers = 0;
  for (const slice of slices) {
    const [start, end] = slice.items('sources')[0]?.integers('layer_range') ?? [];
    if (start === undefined || end === undefined || end <= start || start < 0) return 'unreadable';
    layers += end - start;
  }
  return Number.isSafeInteger(layers) ? layers : 'unreadable';
}
