/** From where a config has its model to the tensors and counts of it. */
import type { ConfigAccess, ModelOrigin, ModelSource } from './configKind.js';
import { countGroups, type ParameterCounts, type TensorGroup } from './architectures/tensorGroup.js';
import type { ArchitectureReading } from './architectures/architecture.js';
import { decoderTensors } from './architectures/decoderTensors.js';
import { readArchitecture } from './architectures/readArchitecture.js';
import type { Fields } from './fields.js';
import { resolveModel } from './resolveModel.js';

export interface CountedModel {
  /** What people call it: `Llama`. */
  name: string;
  modelType: string | null;
  /** `architecture`: counted from a known one; `shapes`: guessed from the usual sizes; `given`: the file gives the number. */
  basis: 'architecture' | 'shapes' | 'given';
  /** Null where the sizes are in the config itself. */
  origin: ModelOrigin | null;
  /** Null where only a number of parameters is known. */
  groups: readonly TensorGroup[] | null;
  counts: ParameterCounts;
  extras: ArchitectureReading['extras'];
  /** The Hugging Face config that it was counted from. */
  fields: Fields | null;
}

/** Null where the model cannot be found, or its sizes are missing or absurd. */
export async function countModel(source: ModelSource | null, access: ConfigAccess): Promise<CountedModel | null> {
  const resolved = source === null ? null : await resolveModel(source, access);
  if (resolved === null) return null;
  const { origin } = resolved;
  switch (resolved.kind) {
    case 'fields': {
      const reading = readArchitecture(resolved.fields);
      if (reading === null) return null;
      const { name, modelType, basis, extras } = reading;
      return counted(reading.tensors.groups, { name, modelType, basis, extras, origin, fields: resolved.fields });
    }
    case 'shape':
      return counted(decoderTensors(resolved.shape).groups, ofAnotherFramework(resolved.name, origin));
    case 'tensors':
      return counted(resolved.tensors.groups, ofAnotherFramework(resolved.name, origin));
    case 'counted': {
      const { parameters, name } = resolved;
      const counts = { total: parameters, unique: parameters, active: parameters };
      return { name, modelType: null, basis: 'given', origin, groups: null, counts, extras: [], fields: null };
    }
  }
}

function ofAnotherFramework(name: string, origin: ModelOrigin | null): Omit<CountedModel, 'groups' | 'counts'> {
  return { name, modelType: null, basis: 'architecture', extras: [], origin, fields: null };
}

function counted(groups: readonly TensorGroup[], model: Omit<CountedModel, 'groups' | 'counts'>): CountedModel | null {
  const counts = countGroups(groups);
  return counts === undefined || counts.unique === 0 ? null : { ...model, groups, counts };
}
