/** From where a config has its model to the tensors and counts of it. */
import type { ConfigAccess, ModelOrigin, ModelSource } from './configKind.js';
import { countGroups, type ParameterCounts, type TensorGroup } from './architectures/tensorGroup.js';
import type { ArchitectureReading } from './architectures/architecture.js';
import { decoderTensors } from './architectures/decoderTensors.js';
import { headNames, hiddenNames, layerNames } from './architectures/sizes.js';
import { readArchitecture } from './architectures/readArchitecture.js';
import type { Fields } from './fields.js';
import { resolveModel, type ResolvedModel } from './resolveModel.js';
import { valueHead } from './trainedHead.js';

export interface CountedModel {
  /** What people call it: `Llama`. */
  name: string;
  modelType: string | null;
  /** `architecture`: counted from a known one, all sizes in the config; `class-defaults`: sizes that it leaves out are its class's; `shapes`: guessed from the usual sizes; `given`: the file gives the number. */
  basis: 'architecture' | 'class-defaults' | 'shapes' | 'given';
  /** Size keys that the config leaves out, of which the numbers are its class's defaults. */
  defaulted: readonly string[];
  /** Null where the sizes are in the config itself. */
  origin: ModelOrigin | null;
  /** Null where only a number of parameters is known. */
  groups: readonly TensorGroup[] | null;
  counts: ParameterCounts;
  extras: ArchitectureReading['extras'];
  /** The Hugging Face config that it was counted from. */
  fields: Fields | null;
}

/**
 * Why a model is not counted. `not-set`: the config names none, or not all of its sizes; `not-found`: it is named, and its config is neither beside this one nor in
 * the Hub's cache nor in the table of published ones; `unknown-architecture`: the config was found, and its modules are not known or its sizes are missing.
 */
export interface MissingModel {
  why: 'not-set' | 'not-found' | 'unknown-architecture';
  /** As the config names it, or its architecture; null where it names none. */
  name: string | null;
}

/** A model, or why there is none. */
export async function countModel(
  source: ModelSource | null,
  access: ConfigAccess,
): Promise<{ model: CountedModel; missing: null } | { model: null; missing: MissingModel }> {
  if (source === null) return { model: null, missing: { why: 'not-set', name: null } };
  const resolved = await resolveModel(source, access);
  if (resolved === null)
    return { model: null, missing: { why: 'not-found', name: source.kind === 'named' ? source.name : null } };
  const alone = countResolved(resolved);
  const model = source.kind === 'named' && source.hasValueHead === true ? withValueHead(alone) : alone;
  return model === null
    ? { model, missing: { why: 'unknown-architecture', name: architectureOf(resolved) } }
    : { model, missing: null };
}

function withValueHead(model: CountedModel | null): CountedModel | null {
  if (model?.groups == null) return model;
  return counted([...model.groups, ...valueHead(model.groups)], model);
}

function architectureOf(resolved: ResolvedModel): string | null {
  return resolved.kind === 'fields' ? (resolved.fields.text('model_type') ?? null) : resolved.name;
}

/** Null where the architecture is not known, or its sizes are missing or absurd. */
function countResolved(resolved: ResolvedModel): CountedModel | null {
  const { origin } = resolved;
  switch (resolved.kind) {
    case 'fields': {
      const reading = readArchitecture(resolved.fields);
      if (reading === null) return null;
      const { name, modelType, basis, extras } = reading;
      const defaulted = sizesLeftOut(resolved.fields);
      return counted(reading.tensors.groups, {
        name,
        modelType,
        basis: basis === 'architecture' && defaulted.length > 0 ? 'class-defaults' : basis,
        defaulted,
        extras,
        origin,
        fields: resolved.fields,
      });
    }
    case 'shape':
      return counted(decoderTensors(resolved.shape).groups, ofAnotherFramework(resolved.name, origin));
    case 'tensors':
      return counted(resolved.tensors.groups, ofAnotherFramework(resolved.name, origin));
    case 'counted': {
      const { parameters, name } = resolved;
      const counts = { total: parameters, unique: parameters, active: parameters };
      return { name, modelType: null, basis: 'given', defaulted: [], origin, groups: null, counts, extras: [], fields: null };
    }
  }
}

function ofAnotherFramework(name: string, origin: ModelOrigin | null): Omit<CountedModel, 'groups' | 'counts'> {
  return { name, modelType: null, basis: 'architecture', defaulted: [], extras: [], origin, fields: null };
}

/** Keys that parameters follow from more than from any other. */
const sizeKeys: ReadonlySet<string> = new Set([
  ...['vocab_size', 'intermediate_size', 'ffn_dim', 'n_inner', 'encoder_ffn_dim', 'decoder_ffn_dim', 'moe_intermediate_size'],
  ...[
    'num_labels',
    'encoder_layers',
    'decoder_layers',
    'num_experts',
    'num_local_experts',
    'n_routed_experts',
    'dim',
    'embed_dim',
  ],
  ...[...hiddenNames, ...layerNames, ...headNames],
]);

function sizesLeftOut(fields: Fields): string[] {
  return fields.defaulted.filter((path) => sizeKeys.has(path[path.length - 1] ?? '')).map((path) => path.join('.'));
}

function counted(groups: readonly TensorGroup[], model: Omit<CountedModel, 'groups' | 'counts'>): CountedModel | null {
  const counts = countGroups(groups);
  return counts === undefined || counts.unique === 0 ? null : { ...model, groups, counts };
}
