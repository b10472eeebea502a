/**
 * Which of the files here `from_pretrained` opens: the first of its names that is there (transformers/modeling_utils.py: _get_resolved_checkpoint_files,
 * 5.24), or those of a variant, `model.fp16.safetensors`, with `variant="fp16"`.
 */
import { ownTensors } from '../checkpoints/ownWeights.js';
import type { FilePart } from '../checkpoints/parts.js';
import type { ReadResult } from '../checkpoints/readFiles.js';
import { modelNames } from '../checkpoints/weightChoice.js';
import { memberOf } from '../formats/text/jsonMember.js';
import { counted } from '../text/quantities.js';
import type { ModelCheck } from './comparedModel.js';
import { partLackingIn } from './openedIndex.js';
import { isTakenByWeightsOnly } from './weightsOnly.js';

/** The check of a model with the files that transformers leaves closed, or with why it opens none. */
export function withOpenedFiles(model: ModelCheck, read: ReadResult): ModelCheck {
  const { parts, side } = read;
  const refused = model.framework === 'transformers' ? refusedGlobal(read) : undefined;
  if (refused !== undefined)
    return {
      ...model,
      verdict: 'fails',
      why: `torch.load refuses ${refused.path} with weights_only: its pickle names ${refused.global}.`,
      findings: [...model.findings, { code: 'weights-refused', path: refused.path, facts: { global: refused.global } }],
    };
  const unopened = parts.files.filter((_, at) => parts.unopened?.has(at) === true);
  const opened = openedName(read);
  const index = opened === undefined ? undefined : side.indexes.get(opened);
  const lacks = index === undefined || model.framework !== 'transformers' ? undefined : partLackingIn(index);
  if (opened !== undefined && lacks !== undefined)
    return {
      ...model,
      verdict: 'fails',
      why: `from_pretrained raises an error: ${opened} has no ${lacks}.`,
      findings: [...model.findings, { code: 'index-part-missing', path: opened, facts: { part: lacks } }],
    };
  if (opened !== undefined && unopened.length > 0)
    return { ...model, notChecked: [...model.notChecked, { what: 'config', detail: closedInWords(unopened, opened) }] };
  const config = side.json.get('config.json');
  const isOfTransformers = model.framework === 'transformers' && typeof memberOf(config, 'model_type') === 'string';
  if (opened !== undefined || !isOfTransformers || memberOf(config, 'transformers_weights') !== undefined) return model;
  const [path] = new Set([...ownTensors(parts)].map((weight) => weight.path));
  if (path !== undefined && rankFile.test(path)) return withRanks(model);
  return path === undefined || !weightFile.test(path) ? model : withNoneOpened(model, path, variantOf(parts.files));
}

/** The file, or the index, that `from_pretrained` opens; undefined where none has one of its names. */
export function openedName({ parts: { files } }: ReadResult): string | undefined {
  return modelNames.find((name) => files.some(({ path }) => path === name));
}

/** The first global of a torch file of the model that torch does not take with `weights_only`, as of a whole model in place of its state. */
function refusedGlobal({ parts }: ReadResult): { path: string; global: string } | undefined {
  const own = new Set([...ownTensors(parts)].flatMap(({ path }) => (torchName.test(path) ? [path] : [])));
  if (own.size === 0) return undefined;
  for (const [global, { paths }] of parts.imports.entries()) {
    const path = isTakenByWeightsOnly(global) ? undefined : [...paths].find((one) => own.has(one));
    if (path !== undefined) return { path, global };
  }
  return undefined;
}

/** As transformers calls torch files, their shards among them. */
const torchName = /^pytorch_model(?!_fsdp)[^/]*\.bin$/s;

function closedInWords([first, ...others]: readonly FilePart[], opened: string): string {
  const rest = others.length === 0 ? '' : ` and ${counted(others.length, 'file')} more`;
  const what = opened.endsWith('.index.json') ? `the files of ${opened}` : opened;
  return `${first?.path ?? ''}${rest}: transformers opens ${what}`;
}

/** Of one rank (torch/distributed/checkpoint/hf_storage.py: HuggingFaceStorageWriter without consolidation). */
const rankFile = /^shard-\d{5}-model-\d{5}-of-\d{5}\.safetensors$/;

function withRanks(model: ModelCheck): ModelCheck {
  const why = 'torch.distributed saved a file for each rank: it loads them, and transformers does once they are consolidated.';
  return model.verdict === 'loads' ? { ...model, verdict: 'unknown', why } : model;
}

/** Formats that transformers opens under its own names; what FSDP saved, Trainer loads. */
const weightFile = /^(?!pytorch_model_fsdp).*\.(?:safetensors|bin|pt|pth)$/s;
/** `model.fp16.safetensors`, `model.safetensors.index.fp16.json` (_add_variant). */
const variantFile = /^(?:model\.(?:safetensors\.index\.)?|pytorch_model\.(?:bin\.index\.)?)([\w-]+)\.(?:safetensors|bin|json)$/;

function variantOf(files: readonly FilePart[]): string | undefined {
  for (const { path } of files) {
    const [, variant] = variantFile.exec(path) ?? [];
    if (variant !== undefined && variant !== 'index') return variant;
  }
  return undefined;
}

function withNoneOpened(model: ModelCheck, path: string, variant: string | undefined): ModelCheck {
  if (variant !== undefined)
    return {
      ...model,
      ...(model.verdict === 'loads'
        ? { verdict: 'loads-with-warnings', why: `from_pretrained opens ${path} with variant="${variant}" alone.` }
        : {}),
      findings: [...model.findings, { code: 'weights-of-variant', path, facts: { variant } }],
    };
  return {
    ...model,
    verdict: 'fails',
    why: `from_pretrained opens no file here: it looks for model.safetensors or pytorch_model.bin, and the weights are in ${path}.`,
    findings: [
      ...model.findings,
      { code: 'weights-under-other-name', path, facts: { isSafetensors: path.endsWith('.safetensors') } },
    ],
  };
}
