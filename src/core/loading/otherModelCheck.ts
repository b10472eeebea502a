/** Models of other frameworks than transformers against the sizes that their files state: GGUF, FLAX, LitGPT, Meta, nanotron, OLMo, NeMo. */
import type { ReadResult } from '../checkpoints/readFiles.js';
import { configFile, createConfigAccess } from '../configs/configAccess.js';
import type { ModelSource } from '../configs/configKind.js';
import { decoderTensors } from '../configs/architectures/decoderTensors.js';
import type { TensorGroup } from '../configs/architectures/tensorGroup.js';
import { readArchitecture } from '../configs/architectures/readArchitecture.js';
import { Fields } from '../configs/fields.js';
import { recogniseConfig } from '../frameworks/recogniseConfig.js';
import { counted } from '../text/quantities.js';
import { dialectOf } from '../weightNames/dialectOf.js';
import type { NameDialect } from '../weightNames/weightPlace.js';
import { compareDialect, type ComparedDialect } from './dialects/compareDialect.js';
import { ggufConfig } from './dialects/ggufConfig.js';
import { isBeside, textBeside } from './filesBeside.js';
import type { LoadContext } from './loadContext.js';
import type { ModelCheck } from './comparedModel.js';
import { readConfig } from './tensors/readConfig.js';
import { weightPatterns } from './weightPatterns.js';

/** What a config asks for, and whose names the file has. */
interface AskedModel {
  groups: readonly TensorGroup[];
  modelType: string;
  name: string;
  /** Where the sizes are from. */
  source: string;
}

/** Configs that frameworks save beside their weights. */
const configNames = ['config.json', 'model_config.yaml', 'model_config.json', 'config.yaml', 'params.json'];

/** Undefined where no model of these frameworks is, or no sizes of it are stated. */
export async function otherModelCheck(read: ReadResult, context: LoadContext): Promise<ModelCheck | undefined> {
  const stored = weightPatterns(read);
  const dialect = dialectOf(stored.keys());
  if (dialect === null || dialect === 'transformers') return undefined;
  const asked = await askedModel(read, context, dialect);
  if (asked === null) return undefined;
  const compared = compareDialect(asked.groups, stored, dialect, asked.modelType);
  const { differences, unnamed } = compared;
  return {
    framework: read.parts.framework.name,
    architecture: asked.name,
    differences,
    fits: [],
    ...verdictOf(compared),
    checked: ['config'],
    notChecked: [
      { what: 'config', detail: 'the order of axes, and the sizes of tensors that hold several' },
      ...(unnamed === 0
        ? []
        : [{ what: 'config' as const, detail: `${counted(unnamed, 'tensor')} whose names are not known here` }]),
    ],
    findings: [],
    done: [`${asked.source}: names and sizes of ${counted(differences.counts.expected, 'tensor')} that ${asked.name} has`],
  };
}

async function askedModel(read: ReadResult, context: LoadContext, dialect: NameDialect): Promise<AskedModel | null> {
  if (dialect === 'gguf') return askedByGguf(read);
  const path = configNames.find((name) => isBeside(read, name));
  if (path === undefined) return null;
  const file = await configFile(path, (await textBeside(read, context, path)) ?? '');
  const kind = file === null ? null : recogniseConfig(file);
  if (file === null || kind === null) return null;
  const access = createConfigAccess({ read: () => Promise.resolve(null), readCached: () => Promise.resolve(null) });
  const { model } = await kind.read(file, access);
  return model === null ? null : askedBy(model, path);
}

function askedByGguf({ parts: { objects } }: ReadResult): AskedModel | null {
  const configs = objects.map(({ value }) => (value.kind === 'json' ? ggufConfig(value.root) : null));
  const config = configs.find((one) => one !== null);
  const reading = config === undefined || config === null ? undefined : readConfig(config)?.reading;
  if (reading?.basis !== 'architecture') return null;
  return {
    groups: reading.tensors.groups,
    modelType: reading.modelType,
    name: reading.name,
    source: 'the key-values of the GGUF',
  };
}

/** Frameworks with modules of their own are not compared: their names are not those of transformers. */
function askedBy(model: ModelSource, source: string): AskedModel | null {
  if (model.kind === 'shape') return { groups: decoderTensors(model.shape).groups, modelType: 'llama', name: model.name, source };
  if (model.kind !== 'fields') return null;
  const reading = readArchitecture(Fields.of({ root: model.fields.node }));
  if (reading?.basis !== 'architecture') return null;
  return { groups: reading.tensors.groups, modelType: reading.modelType, name: reading.name, source };
}

/** Where more names are not known than are, nothing is said. */
function verdictOf({ differences, unnamed }: ComparedDialect): Pick<ModelCheck, 'verdict' | 'why'> {
  const { counts, missing, unexpected, mismatched } = differences;
  if (unnamed > counts.found || counts.missing * 2 > counts.expected)
    return { verdict: 'unknown', why: 'Too few names of tensors here are known to compare them with the config.' };
  const [mismatch] = mismatched;
  if (mismatch !== undefined)
    return {
      verdict: 'fails',
      why: `${counted(counts.mismatched, 'tensor')} of other sizes than the config states: ${mismatch.name}.`,
    };
  if (counts.missing > 0)
    return { verdict: 'fails', why: `${counted(counts.missing, 'tensor')} of the model not here: ${missing[0]?.name ?? ''}.` };
  if (counts.unexpected > 0)
    return {
      verdict: 'loads-with-warnings',
      why: `${counted(counts.unexpected, 'tensor')} that the config does not ask for: ${unexpected[0]?.name ?? 'of more layers'}.`,
    };
  return { verdict: 'loads', why: '' };
}
