/**
 * Names in files where transformers' own modules have others: what it converts on load, by the type of the model. Facts of
 * conversion_mapping.py and of the models of transformers 5.24; docs/load.md says how they were checked.
 */
import { decoderNames } from './decoderNames.js';
import { encoderNames } from './encoderNames.js';
import { multimodalNames } from './multimodalNames.js';

const byType = new Map(
  [...decoderNames, ...encoderNames, ...multimodalNames].flatMap(({ modelTypes, names }) =>
    modelTypes.map((type) => [type, names] as const),
  ),
);

/** Parts of names that files of such a model may have, the longest first. */
export function storedNamesOf(modelType: string): readonly (readonly [string, string])[] {
  return byType.get(modelType) ?? [];
}
