/** The use cases as data: all that a face needs to offer them, without the code that runs them. */
import type { InputSchema } from './inputSchema.js';
import { toolOf } from './assistantTools.js';
import {
  checkInput,
  compareInput,
  estimateInput,
  estimateRunsInput,
  inspectInput,
  planInput,
  retentionInput,
  runsInput,
  runsInTelemetryInput,
  verifyInput,
  sliceInput,
  valuesInput,
} from './useCaseInputs.js';

/** A use case as assistants are offered it by the extension. */
interface LanguageModelTool {
  name: string;
  /** The inputs that it takes: some of the use case's. */
  input: InputSchema;
}

/** One use case. */
export interface UseCaseDescription {
  title: string;
  /** For assistants: what it answers, from what, and what it does not do. */
  description: string;
  input: InputSchema;
  /** The JSON schemas of its report; empty where none is documented. A report is valid by one of them. */
  output: readonly string[];
  sideEffects: 'none' | 'reads' | 'writes';
  /** Null where the extension has no tool for it. */
  tool: LanguageModelTool | null;
}

export const useCaseTable = {
  inspect: {
    title: 'Inspect Checkpoint or Dataset',
    description:
      'Accounts for every byte of a training checkpoint or a tokenized dataset (a folder or a file): layout, framework, step, ' +
      'parameters, bytes of weights, optimizer, RNG, data loader and other state, findings, and whether training can be resumed ' +
      'from it. For a dataset: tokens, samples, shards. Reads headers only and executes nothing.',
    input: inspectInput,
    output: ['docs/report.schema.json', 'docs/dataset-report.schema.json', 'docs/collection-report.schema.json'],
    sideEffects: 'reads',
    tool: toolOf.inspect,
  },
  estimate: {
    title: 'Estimate Checkpoint Size',
    description:
      "Counts a model's parameters exactly from its config.json or from a training config (Hugging Face Trainer, DeepSpeed, " +
      'accelerate, axolotl, LLaMA-Factory, ms-swift, OpenRLHF, Open Instruct, slime, XTuner, torchtune, torchtitan, Lightning, Megatron, Megatron-Bridge, NeMo, MaxText, Levanter, Lingua, OLMo, Composer, fairseq, nanotron, ' +
      'verl, GPT-NeoX, LitGPT, nanoGPT, Meta params.json) and estimates the bytes of a checkpoint as a sum of terms (weights, ' +
      'master weights, moments), how many are kept, and the disk over the run. Nothing is executed or fetched.',
    input: estimateInput,
    output: ['docs/estimate-report.schema.json'],
    sideEffects: 'reads',
    tool: toolOf.estimate,
  },
  estimateRuns: {
    title: 'Estimate Several Runs',
    description:
      'Sizes the checkpoints of several training configs that save to one storage: what each run and all together leave there, and at which ' +
      'save a quota is full. Nothing is executed or fetched.',
    input: estimateRunsInput,
    output: ['docs/estimates-report.schema.json'],
    sideEffects: 'reads',
    tool: null,
  },
  runs: {
    title: 'Look at Runs over Time',
    description:
      'Derives from the names, sizes and times of the files of training runs how often they saved, how long that took and at what rate, the share ' +
      'of the time in which saves were under way, late ranks, gaps, saves that are not whole, growth, and when the file system is full. ' +
      'Opens no file.',
    input: runsInput,
    output: ['docs/runs-report.schema.json'],
    sideEffects: 'reads',
    tool: null,
  },
  runsInTelemetry: {
    title: 'Look at Runs in Telemetry',
    description:
      'Finds the saves of training jobs in a time series of what a file system wrote and read: per job interval, duration, bandwidth, overlap, ' +
      'estimated parameters and restores, and what cannot be distinguished.',
    input: runsInTelemetryInput,
    output: ['docs/telemetry-report.schema.json'],
    sideEffects: 'reads',
    tool: null,
  },
  retention: {
    title: 'Simulate Retention',
    description:
      'Lists which checkpoints of a run a retention policy keeps, which it lets go and what that frees, each with its reasons, and which cannot ' +
      'be judged. What is newest, held, named by a pointer, or needed by another file is never let go. Removes nothing.',
    input: retentionInput,
    output: ['docs/retention-report.schema.json'],
    sideEffects: 'reads',
    tool: null,
  },
  verify: {
    title: 'Verify Files',
    description:
      'Compares the files of a checkpoint or a dataset with every checksum that there is of them: those of their containers, lists such as ' +
      'SHA256SUMS, names of the Hub cache, a manifest. Says which files are damaged, where, and how many bytes no checksum covers. Writes a manifest ' +
      'and into a log only where that is asked for.',
    input: verifyInput,
    output: ['docs/verification-report.schema.json'],
    sideEffects: 'writes',
    tool: null,
  },
  values: {
    title: 'Read Values of Tensors',
    description:
      'Reads the tensors of a checkpoint once and reports of each NaN, infinities, zeros, least and greatest value, mean, standard deviation and ' +
      'histogram, with the position of the first value that is not finite. Reads all bytes of the tensors, or a sample of them. Writes into a log only ' +
      'where that is asked for.',
    input: valuesInput,
    output: ['docs/values-report.schema.json'],
    sideEffects: 'writes',
    tool: null,
  },
  slice: {
    title: 'Read a Slice of a Tensor',
    description:
      'Reads values of some indices of one tensor of a checkpoint, and no more bytes than these take: at most 16,384 values. Decodes types of ' +
      'blocks and packed values as the statistics do.',
    input: sliceInput,
    output: ['docs/tensor-slice.schema.json'],
    sideEffects: 'reads',
    tool: null,
  },
  compare: {
    title: 'Compare Checkpoints',
    description:
      'Compares two checkpoints, also of different frameworks: tensors of the model that are added, removed, renamed or changed in dtype or shape, ' +
      'components, optimizer, settings, configs, tokenizer and files, and what a job that resumes from the second one finds other than from the first. ' +
      'Reads headers and small files only, and the bytes of tensors where values are to be compared.',
    input: compareInput,
    output: ['docs/comparison-report.schema.json'],
    sideEffects: 'reads',
    tool: toolOf.compare,
  },
  plan: {
    title: 'Plan Checkpoint Storage',
    description:
      'Plans the storage of checkpoints: bandwidth, save interval, tiers, restore, retention and cost. Begins with a plan file, a ' +
      'config, a checkpoint, a dataset, the report of a bandwidth check, a preset, or single inputs. Writes nothing.',
    input: planInput,
    output: ['docs/plan-report.schema.json'],
    sideEffects: 'reads',
    tool: null,
  },
  previewBandwidth: {
    title: 'Preview Bandwidth Check',
    description:
      'Lists what a bandwidth check with the same input would write and where, why it would be refused, and whom it would disturb. ' +
      'Writes nothing.',
    input: checkInput,
    output: [],
    sideEffects: 'reads',
    tool: null,
  },
  checkBandwidth: {
    title: 'Check Checkpoint Bandwidth',
    description:
      "Measures how long a save takes: writes and reads back files like a checkpoint's in a new folder of a directory or an object " +
      'store, and removes them. Show the preview to the user and get their consent first.',
    input: checkInput,
    output: ['docs/bandwidth-report.schema.json'],
    sideEffects: 'writes',
    tool: null,
  },
} as const satisfies Record<string, UseCaseDescription>;

export type UseCaseName = keyof typeof useCaseTable;
