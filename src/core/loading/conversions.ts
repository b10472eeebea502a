/**
 * Programs that make another form of a checkpoint: for a job of other sizes, for another framework, or in one file. They are printed and never run. Each
 * says what it rests on; memory and bytes are sums of the tensors and files that it reads and writes.
 */
import type { Conversion } from '../checkpoints/loadReport.js';
import type { FilePart, Parts } from '../checkpoints/parts.js';
import type { ReadResult } from '../checkpoints/readFiles.js';
import { baseName, joinPath, parentPath } from '../files/paths.js';
import { localCopy } from '../files/remote/localCopy.js';
import { memberOf } from '../formats/text/jsonMember.js';
import { modelDtype } from '../configs/storage/modelDtype.js';
import { JobError } from '../jobs/jobError.js';
import { shellWord } from '../jobs/shellWord.js';
import { isModelDirectory } from '../checkpoints/ownWeights.js';
import { bytesOfElements } from '../tensors/dtype.js';
import { elementsOf } from '../configs/architectures/tensorGroup.js';
import type { LoadedAdapter } from './adapterCheck.js';
import { adapterBytes } from './loadMemory.js';

/**
 * Empty where the path cannot be written into a command.
 * @param place path of the checkpoint's directory, as a command is to name it; of an address the commands are of a copy, which they make first
 * @param adapters of the checkpoint, with their base models
 */
export function conversions({ parts, side }: ReadResult, place: string, adapters: readonly LoadedAdapter[] = []): Conversion[] {
  const copy = localCopy(place);
  const path = copy?.path ?? place.replace(/(?<=.)\/+$/, '');
  let sums: Map<string, DirectoryBytes> | undefined;
  const context: Place = { parts, json: side.json, place: path, adapters, bytes: () => (sums ??= bytesByDirectory(parts)) };
  try {
    const made = makers.flatMap((make) => make(context));
    if (copy?.words == null) return made;
    const first = commandOf(copy.words);
    return made.map((conversion) => ({ ...conversion, command: `${first} && ${conversion.command}` }));
  } catch (error) {
    if (error instanceof JobError) return [];
    throw error;
  }
}

interface Place {
  parts: Parts;
  json: ReadonlyMap<string, unknown>;
  place: string;
  adapters: readonly LoadedAdapter[];
  /** Summed once a program needs them. */
  bytes: () => ReadonlyMap<string, DirectoryBytes>;
}

/** Payload of the tensors whose files are in one directory. */
interface DirectoryBytes {
  all: number;
  weights: number;
  weightElements: number;
  /** Of the weights, those of tensors with one axis or none. */
  vectorElements: number;
  /** 32-bit weights, and the state of the optimizer. */
  masters: number;
  moments: number;
}

const noBytes: DirectoryBytes = { all: 0, weights: 0, weightElements: 0, vectorElements: 0, masters: 0, moments: 0 };

function bytesByDirectory({ tensors, files }: Parts): Map<string, DirectoryBytes> {
  const sums = new Map<string, DirectoryBytes>();
  const ofFiles: (DirectoryBytes | undefined)[] = [];
  for (let row = 0; row < tensors.size; row++) {
    const piece = tensors.firstPieceOf(row);
    if (piece >= tensors.endPieceOf(row)) continue;
    const file = tensors.pieceFile(piece);
    const sum = ofFiles[file] ?? sumOf(sums, parentPath(files[file]?.path ?? ''));
    ofFiles[file] = sum;
    const bytes = tensors.bytesOf(row);
    const component = tensors.componentOf(row);
    sum.all += bytes;
    if (component === 'masterWeights') sum.masters += bytes;
    else if (component === 'optimizer') sum.moments += bytes;
    else if (component === 'weights') {
      sum.weights += bytes;
      const elements = tensors.elementsOf(row);
      sum.weightElements += elements;
      if (tensors.rankOf(row) <= 1) sum.vectorElements += elements;
    }
  }
  return sums;
}

function sumOf(sums: Map<string, DirectoryBytes>, directory: string): DirectoryBytes {
  const sum = sums.get(directory) ?? { ...noBytes };
  sums.set(directory, sum);
  return sum;
}

type Maker = (place: Place) => Conversion[];

const makers: readonly Maker[] = [deepspeed, distributed, verl, megatron, olmo, nanotron, litgpt, composer, merged, gguf];

function at({ place }: Place, path: string): string {
  return path === '' ? place : joinPath(place, path);
}

/** @throws JobError where a path cannot be written into a command */
function commandOf(words: readonly (string | { path: string })[]): string {
  return words.map((word) => (typeof word === 'string' ? word : shellWord(word.path))).join(' ');
}

/** The command that the layout states for other sizes, with its directories. @throws JobError */
function reshardCommand({ parts }: Place, saved: string, converted: string): string | undefined {
  const paths: Readonly<Record<string, string>> = { SAVED: saved, CONVERTED: converted };
  return parts.reshard?.command
    ?.split(' ')
    .map((word) => (Object.hasOwn(paths, word) ? shellWord(paths[word] as string) : word))
    .join(' ');
}

/** Directories of files of a name, in the order of the listing. */
function directoriesOf(files: readonly FilePart[], name: RegExp): string[] {
  return [...new Set(files.flatMap(({ path }) => (name.test(baseName(path)) ? [parentPath(path)] : [])))];
}

/** A shard of the model that `zero_to_fp32.py` writes at a time (--max_shard_size). */
const fp32ShardBytes = 5_000_000_000;

function deepspeed(place: Place): Conversion[] {
  const { parts, bytes } = place;
  const { zeroStage } = parts.topology;
  return directoriesOf(parts.files, /_optim_states\.pt$/).flatMap((tag): Conversion[] => {
    const { masters, moments } = bytes().get(tag) ?? noBytes;
    const saved = at(place, tag);
    const isTag = tag !== '';
    const root = isTag ? at(place, parentPath(tag)) : parentPath(saved);
    const universal = reshardCommand(place, saved, `${saved}_universal`);
    const largest = parts.files.reduce(
      (most, { path, sizeBytes }) =>
        parentPath(path) === tag && path.endsWith('_optim_states.pt') ? Math.max(most, sizeBytes) : most,
      0,
    );
    const name = baseName(saved);
    const made: Conversion[] = [];
    if (zeroStage !== null && zeroStage > 0 && root !== '' && masters > 0)
      made.push({
        to: 'Hugging Face weights in 32 bits',
        command: commandOf([
          'python -m deepspeed.utils.zero_to_fp32',
          { path: root },
          { path: `${root}-fp32` },
          '--tag',
          { path: name },
          '--safe_serialization',
        ]),
        memoryBytes: zeroStage === 3 ? masters + Math.min(masters, fp32ShardBytes) : 2 * masters,
        diskBytes: masters,
        source:
          zeroStage === 3
            ? 'deepspeed/utils/zero_to_fp32.py: the 32-bit shards are mapped, and one file of at most 5 GB is put together at a time.'
            : 'deepspeed/utils/zero_to_fp32.py: the 32-bit shards are mapped, and all are put together once more.',
      });
    if (universal !== undefined)
      made.push({
        to: 'DeepSpeed universal checkpoint',
        command: universal,
        memoryBytes: largest,
        diskBytes: 2 * (masters + moments),
        source:
          'deepspeed/checkpoint/ds_to_universal.py: four processes read a file of optimizer state each, and pieces are written into a temporary folder first.',
      });
    return made;
  });
}

/** torch.distributed.checkpoint, in whose place frameworks have commands of their own. */
function distributed(place: Place): Conversion[] {
  const { parts, bytes } = place;
  if (parts.layout === 'megatron-distributed' || parts.layout === 'nemo') return [];
  return directoriesOf(parts.files, /^\.metadata$/).flatMap((directory): Conversion[] => {
    const { all } = bytes().get(directory) ?? noBytes;
    const path = at(place, directory);
    if (all === 0) return [];
    const whole = { memoryBytes: all, diskBytes: all };
    const fabric = parts.layout === 'litgpt' ? 'fabric' : 'pytorch';
    if (parts.layout === 'lightning' || parts.layout === 'litgpt')
      return [
        {
          to: 'one torch file',
          command: commandOf([`python -m lightning.${fabric}.utilities.consolidate_checkpoint`, { path }]),
          ...whole,
          source: `lightning/${fabric}/utilities/consolidate_checkpoint.py: all tensors are in memory, and the file is written beside the directory, with the suffix .consolidated.`,
        },
      ];
    if (baseName(path).startsWith('pytorch_model_fsdp'))
      return [
        {
          to: 'Hugging Face weights',
          command: commandOf(['accelerate merge-weights', { path }, { path: `${path}-merged` }]),
          ...whole,
          source: 'accelerate/utils/fsdp_utils.py: merge_fsdp_weights has all weights in memory.',
        },
      ];
    return [
      {
        to: 'one torch file',
        command: commandOf([
          'python -m torch.distributed.checkpoint.format_utils dcp_to_torch',
          { path },
          { path: `${path}.pt` },
        ]),
        ...whole,
        source: 'torch/distributed/checkpoint/format_utils.py: dcp_to_torch_save has all tensors in memory.',
      },
    ];
  });
}

/** Bytes of an element in bfloat16, to which some programs cast. */
const halfBytes = 2;
/** Of one in 32 bits. */
const fullBytes = 4;

function verl(place: Place): Conversion[] {
  if (place.parts.layout !== 'verl') return [];
  return directoriesOf(place.parts.files, /^model_world_size_\d+_rank_0\.pt$/).flatMap((directory): Conversion[] => {
    const { weights, weightElements } = place.bytes().get(directory) ?? noBytes;
    const saved = at(place, directory);
    const command = reshardCommand(place, saved, `${saved}-huggingface`);
    if (command === undefined || weights === 0) return [];
    const half = weightElements * halfBytes;
    return [
      {
        to: 'Hugging Face model',
        command,
        memoryBytes: Math.max(weights, 2 * half),
        diskBytes: half,
        source:
          'verl/model_merger/fsdp_model_merger.py: all shards are in memory, then the merged weights and a model of them in bfloat16.',
      },
    ];
  });
}

function megatron(place: Place): Conversion[] {
  const { parts, bytes } = place;
  if (parts.layout !== 'megatron-legacy') return [];
  const ranks = directoriesOf(parts.files, /^model_(?:optim_)?rng\.pt$/);
  return [...new Set(ranks.map(parentPath))].flatMap((save): Conversion[] => {
    // The loader looks for latest_checkpointed_iteration.txt around the save.
    const saved = save === '' ? parentPath(place.place) : at(place, parentPath(save));
    const command = saved === '' ? undefined : reshardCommand(place, saved, `${saved}-converted`);
    if (command === undefined) return [];
    const own = ranks.filter((rank) => parentPath(rank) === save);
    const weights = own.reduce((sum, rank) => sum + (bytes().get(rank)?.weights ?? 0), 0);
    return [
      {
        to: 'Megatron checkpoint of one rank, weights alone',
        command,
        memoryBytes: null,
        diskBytes: weights,
        source:
          'tools/checkpoint/convert.py of Megatron-LM: a loader hands whole tensors to a saver; other sizes by the --target arguments. Optimizer state is left out.',
      },
    ];
  });
}

function olmo(place: Place): Conversion[] {
  const { parts, bytes } = place;
  if (parts.layout !== 'olmo') return [];
  const all = [...bytes().values()].reduce((sum, each) => sum + each.all, 0);
  const saved = place.place;
  const unsharded = reshardCommand(place, saved, `${saved}-unsharded`);
  if (unsharded !== undefined)
    return [
      {
        to: 'OLMo checkpoint of one process',
        command: unsharded,
        memoryBytes: all,
        diskBytes: all,
        source:
          'scripts/unshard.py of OLMo: weights and optimizer state of all ranks are in memory; --model-only leaves the state out.',
      },
    ];
  if (parts.framework.name !== 'olmo-core') return [];
  const elements = [...bytes().values()].reduce((sum, { weightElements }) => sum + weightElements, 0);
  return [
    {
      to: 'Hugging Face model',
      command: commandOf([
        'python src/examples/huggingface/convert_checkpoint_to_hf.py -i',
        { path: saved },
        '-o',
        { path: `${saved}-hf` },
      ]),
      memoryBytes: null,
      diskBytes: elements * halfBytes,
      source: 'src/examples/huggingface/convert_checkpoint_to_hf.py of OLMo-core: bfloat16 unless --dtype sets another.',
    },
  ];
}

function nanotron(place: Place): Conversion[] {
  const { parts, bytes } = place;
  if (parts.layout !== 'nanotron') return [];
  const elements = [...bytes().values()].reduce((sum, { weightElements }) => sum + weightElements, 0);
  const path = place.place;
  return [
    {
      to: 'Hugging Face model',
      command: commandOf([
        'torchrun --nproc_per_node=1 examples/llama/convert_nanotron_to_hf.py --checkpoint_path',
        { path },
        '--save_path',
        { path: `${path}-hf` },
      ]),
      memoryBytes: null,
      diskBytes: elements * halfBytes,
      source: 'examples/llama/convert_nanotron_to_hf.py of nanotron, for Llama models: a GPU holds both models in bfloat16.',
    },
  ];
}

function litgpt(place: Place): Conversion[] {
  const { parts, bytes } = place;
  const file = parts.files.find(({ path }) => path === 'lit_model.pth');
  if (parts.layout !== 'litgpt' || file === undefined) return [];
  const path = place.place;
  return [
    {
      to: 'torch file with the names of Hugging Face',
      command: commandOf(['litgpt convert_from_litgpt', { path }, { path: `${path}-hf` }]),
      memoryBytes: null,
      diskBytes: bytes().get('')?.weights ?? 0,
      source: 'litgpt/scripts/convert_lit_checkpoint.py: tensors are read and written one after the other.',
    },
  ];
}

function composer(place: Place): Conversion[] {
  const { parts, bytes } = place;
  const single = parts.files.filter(({ path }) => /^ep\d+-ba\d+-rank0\.pt$/.test(baseName(path)));
  if (parts.layout !== 'composer' || parts.files.some(({ path }) => /-rank[1-9]\d*\.pt$/.test(path))) return [];
  return single.slice(0, 1).map(({ path, sizeBytes }): Conversion => {
    const file = at(place, path);
    return {
      to: 'Hugging Face model',
      command: commandOf([
        'python scripts/inference/convert_composer_to_hf.py --composer_path',
        { path: file },
        '--hf_output_path',
        { path: `${file.replace(/\.pt$/, '')}-hf` },
        '--output_precision bf16',
      ]),
      memoryBytes: sizeBytes,
      diskBytes: (bytes().get(parentPath(path))?.weightElements ?? 0) * halfBytes,
      source: 'scripts/inference/convert_composer_to_hf.py of LLM Foundry: the whole file is in memory.',
    };
  });
}

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
function merged(place: Place): Conversion[] {
  return place.adapters.slice(0, MAX_ADAPTERS).flatMap(({ directory, task = '', base, tensors, labels }): Conversion[] => {
    const dtype = base?.fields == null ? undefined : modelDtype(base.fields);
    // Quantized weights would be merged into as they are.
    if (base?.fields?.has('quantization_config') === true) return [];
    const bytes = dtype === undefined || base === null ? null : (bytesOfElements(dtype, base.counts.unique) ?? null);
    const path = at(place, directory);
    const modelClass = Object.hasOwn(adapterClasses, task) ? adapterClasses[task] : 'AutoPeftModel';
    const elementBytes = bytesOfElements(dtype ?? '', 1);
    const isKnown = bytes !== null && elementBytes !== undefined;
    const told = labels === undefined ? '' : `, num_labels=${labels}`;
    const code = `import sys; from peft import ${modelClass} as Model; Model.from_pretrained(sys.argv[1]${told}).merge_and_unload().save_pretrained(sys.argv[2])`;
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

/** llama.cpp knows some hundred classes of language models, and says so of the others. */
function gguf({ parts, json, place, bytes }: Place): Conversion[] {
  const config = json.get('config.json');
  const [name] = [memberOf(config, 'architectures')].flat();
  const hasTokenizer = parts.files.some(({ path }) => path === 'tokenizer.json' || path === 'tokenizer.model');
  const isKnown =
    typeof name === 'string' &&
    name.endsWith('ForCausalLM') &&
    ['quantization_config', 'quantization'].every((key) => memberOf(config, key) === undefined);
  if (!isModelDirectory(parts) || !isKnown || !hasTokenizer) return [];
  const { weightElements, vectorElements } = bytes().get('') ?? noBytes;
  return [
    {
      to: 'GGUF',
      command: commandOf([
        'python convert_hf_to_gguf.py',
        { path: place },
        '--outfile',
        { path: `${place}.gguf` },
        '--outtype bf16',
      ]),
      memoryBytes: null,
      diskBytes: (weightElements - vectorElements) * halfBytes + vectorElements * fullBytes,
      source:
        'convert_hf_to_gguf.py of llama.cpp: tensors are read one after the other; vectors are written in 32 bits. The tokenizer in the file is not counted.',
    },
  ];
}
