import type { Conversion } from '../../checkpoints/loadReport.js';
import { elementsOf } from '../../configs/architectures/tensorGroup.js';
import { modelDtype } from '../../configs/storage/modelDtype.js';
import { shellWord } from '../../jobs/shellWord.js';
import { bytesOfElements } from '../../tensors/dtype.js';
import type { LoadedAdapter } from '../loadedAdapter.js';
import { adapterBytes } from '../loadMemory.js';
import { at, type Place } from './conversionPlace.js';

/** Classes of peft/auto.py by `task_type`; the one without a task takes the class of the base from the adapter's config. */
const adapterClasses: Readonly<Record<string, string>> = {
  CAUSAL_LM: 'AutoPeftModelForCausalLM',
  SEQ_2_SEQ_LM: 'AutoPeftModelForSeq2SeqLM',
  SEQ_CLS: 'AutoPeftModelForSequenceClassification',
  TOKEN_CLS: 'AutoPeftModelForTokenClassification',
  QUESTION_ANS: 'AutoPeftModelForQuestionAnswering',
  FEATURE_EXTRACTION: 'AutoPeftModelForFeatureExtraction',
};

/** Adapters into their base models. PEFT has no program for it: the lines are those of its documentation. */
export function merged(place: Place): Conversion[] {
  return place.adapters.slice(0, MAX_ADAPTERS).flatMap(({ directory, task = '', base, tensors, labels }): Conversion[] => {
    const dtype = base?.fields == null ? undefined : modelDtype(base.fields);
    // Quantized weights would be merged into as they are.
    if (base?.fields?.has('quantization_config') === true) return [];
    const bytes = dtype === undefined || base === null ? null : (bytesOfElements(dtype, base.counts.unique) ?? null);
    const path = at(place, directory);
    const modelClass = Object.hasOwn(adapterClasses, task) ? adapterClasses[task] : 'AutoPeftModel';
    const elementBytes = bytesOfElements(dtype ?? '', 1);
    const isKnown = bytes !== null && elementBytes !== undefined;
    const given = labels === undefined ? '' : `, num_labels=${labels}`;
    const code = `import sys; from peft import ${modelClass} as Model; Model.from_pretrained(sys.argv[1]${given}).merge_and_unload().save_pretrained(sys.argv[2])`;
    return [
      {
        to: 'Hugging Face model, the adapter merged',
        command: `python -c ${shellWord(code)} ${shellWord(path)} ${shellWord(`${path}-merged`)}`,
        memoryBytes: isKnown ? bytes + adapterBytes(tensors, elementBytes) : null,
        diskBytes: isKnown ? bytes + untiedElements(base, tensors) * elementBytes : null,
        source:
          'merge_and_unload of PEFT: the base model and the adapter are in memory, the base in the dtype of its config, and is fetched where it is not in the cache.',
      },
    ];
  });
}

/**
 * What a merged model has beside the parameters of its base: modules that share one matrix there, and of which the adapter has some whole, have one each. The
 * matrix of the base stays as long as one of them has none of its own (tried with PEFT 0.21.2).
 */
function untiedElements(base: LoadedAdapter['base'], tensors: LoadedAdapter['tensors']): number {
  const groups = base?.groups ?? [];
  const tied = groups.filter(({ isTied }) => isTied === true);
  const source = groups.find(
    ({ kind, isTied, name, shape }) =>
      kind === 'embedding' && isTied !== true && (isShared(name) || tied.some((one) => String(one.shape) === String(shape))),
  );
  const sharing = source === undefined ? tied : [source, ...tied];
  const copies = sharing.map(({ name }) => tensors.find((tensor) => tensor.name.endsWith(`.${name}`)));
  const elements = copies.reduce((sum, copy) => sum + (copy === undefined ? 0 : elementsOf(copy.shape)), 0);
  const isKept = source === undefined || isShared(source.name) || copies.includes(undefined);
  return isKept ? elements : elements - elementsOf(source.shape);
}

/** Encoder and decoder have it as well, under names of their own. */
function isShared(name: string): boolean {
  return /(?:^|\.)shared\.weight$/.test(name);
}

/** Saves of several policies have some. */
const MAX_ADAPTERS = 8;
