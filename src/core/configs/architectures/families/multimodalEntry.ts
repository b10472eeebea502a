/** Models that also see or hear: the language model's tensors as parts of the whole, and helpers for their towers. */
import { Fields } from '../../fields.js';
import type { Architecture } from '../architecture.js';
import { labelCount } from '../modelHead.js';
import type { MultimodalEntry } from './multimodalShape.js';
import { readTextModel } from './multimodalText.js';
import { ModelTensors, type TensorGroup } from '../tensorGroup.js';

export function multimodal(entry: MultimodalEntry): Architecture {
  return { modelTypes: entry.modelTypes, name: entry.name, tensors: (config) => multimodalTensors(entry, config) };
}

function multimodalTensors(entry: MultimodalEntry, config: Fields): ModelTensors | null {
  const usual = `For${entry.task ?? 'ConditionalGeneration'}`;
  const head = config.texts('architectures')?.[0] ?? usual;
  const classifier = entry.classifiers?.find((task) => head.endsWith(`For${task}`));
  const isHeadless = head.endsWith('Model');
  // Retrievers and other classifiers are others than people mean, and not described here.
  if (classifier === undefined && !isHeadless && !head.includes(usual)) return null;
  const textConfig = textConfigOf(entry, config);
  const text = readTextModel(textConfig, entry.textType);
  if (text === null) return null;
  const model = new ModelTensors();
  if (!entry.towers(model, config, text)) return null;
  const isTied = tieOf(entry, config, textConfig);
  for (const group of text.groups)
    if ((classifier === undefined && !isHeadless) || group.kind !== 'head') model.groups.push(partOf(entry, group, isTied));
  if (classifier !== undefined)
    model.linear('score', text.hidden, labelCount(config), { bias: classifier === 'TokenClassification' });
  return model;
}

function textConfigOf({ absentText, isTextTypeFixed = false }: MultimodalEntry, config: Fields): Fields {
  const written = isTextTypeFixed ? config.at('text_config').without('model_type') : config.at('text_config');
  if (written.keys.length > 0 || absentText === undefined) return written;
  return absentText === 'root' ? config.without('model_type') : Fields.fromValues(absentText);
}

function tieOf({ isTied, takesTextTie = false }: MultimodalEntry, config: Fields, text: Fields): boolean | null {
  if (isTied === null) return null;
  const own = config.flag('tie_word_embeddings') ?? isTied;
  return own || (takesTextTie !== false && (text.flag('tie_word_embeddings') ?? takesTextTie === 'usually'));
}

/** A group of the language model as part of the whole. */
function partOf(entry: MultimodalEntry, group: TensorGroup, isTied: boolean | null): TensorGroup {
  const { textPrefix = 'model.language_model.', headPrefix = '' } = entry;
  const name = group.name.startsWith('model.')
    ? `${textPrefix}${group.name.slice('model.'.length)}`
    : `${headPrefix}${group.name}`;
  return group.kind === 'head' && isTied !== null ? { ...group, name, isTied } : { ...group, name };
}

/** `vision_config`, or the tower that a class has without one. */
export function visionOf(config: Fields, absent: Readonly<Record<string, unknown>>): Fields {
  const written = config.at('vision_config');
  return written.keys.length > 0 ? written : Fields.fromValues(absent);
}

/** How many of the tower's layers are taken together: one number, or a list of them. */
export function featureLayers(config: Fields, usual: number): number {
  const listed = config.lengthOf('vision_feature_layer') ?? config.lengthOf('vision_feature_layers');
  return listed ?? (config.has('vision_feature_layer', 'vision_feature_layers') ? 1 : usual);
}

export const projector = 'model.multi_modal_projector';

/** Two linear layers. */
export function addProjector(model: ModelTensors, inputs: number, outputs: number, bias: boolean): void {
  model.linear(`${projector}.linear_1`, inputs, outputs, { bias }).linear(`${projector}.linear_2`, outputs, outputs, { bias });
}
