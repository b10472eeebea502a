/** What each use case takes, with the words in which its inputs are described to assistants. */
import * as v from 'valibot';
import { amount, count, flag, text } from './inputFields.js';
import { partNames } from '../core/inspection/collection/partName.js';
import { toolOf } from './assistantTools.js';

/** What the generator of random places takes: 32 bits. */
export const largestSeed = 0xffff_ffff;
/** A seed, with what it decides. */
const seed = (description: string) =>
  v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(largestSeed), v.description(description));
/** A day: no estimate is worth a longer wait. */
export const longestSampleSeconds = 86_400;

export const inspectInput = v.object({
  ...toolOf.inspect.input.entries,
  tensors: v.exactOptional(flag('List the tensors as well.')),
  ranks: v.exactOptional(count('Of a checkpoint: whether a job of so many ranks can go on from it.')),
  tensorParallel: v.exactOptional(count('Tensor-parallel size of that job; as it was saved without it.')),
  pipelineParallel: v.exactOptional(count('Pipeline-parallel size of that job; as it was saved without it.')),
  part: v.exactOptional(
    v.pipe(v.string(), v.description('Of several things in one directory this one.'), v.examples([...partNames])),
  ),
  allLengths: v.exactOptional(flag('Of a dataset: read the lengths of all samples, also where that takes long.')),
  tokenizer: v.exactOptional(
    text('tokenizer.json with which samples of raw text are tokenized, in place of the one beside the data.'),
  ),
  seed: v.exactOptional(seed('Other random places in raw text; 1 without it.')),
  sampleSeconds: v.exactOptional(
    v.pipe(
      v.number(),
      v.minValue(0),
      v.maxValue(longestSampleSeconds),
      v.description('Time after which tokenizing samples ends; no limit of time without it, so that a seed repeats the report.'),
    ),
  ),
  tokensPerSecond: v.exactOptional(amount('Speed of the training run that reads the dataset.')),
  sequenceLength: v.exactOptional(amount('Tokens of one sample of a batch.')),
  trainTokens: v.exactOptional(amount('Tokens to train on: epochs and time.')),
});
export type InspectInput = v.InferOutput<typeof inspectInput>;

export const estimateInput = v.object({
  path: text('The config file, or the folder of a model.'),
  ...v.pick(toolOf.estimate.input, ['optimizer', 'precision']).entries,
  steps: v.exactOptional(count('Optimizer steps of the run.')),
  saveInterval: v.exactOptional(count('Steps between two checkpoints.')),
  keep: v.exactOptional(count('Checkpoints that stay.')),
  rank: v.exactOptional(count('Rank of the adapter.')),
  model: v.exactOptional(
    text('config.json of the model, its folder, or its name on the Hub, in place of the one that the config names.'),
  ),
});
export type EstimateInput = v.InferOutput<typeof estimateInput>;

export const estimateRunsInput = v.object({
  ...v.omit(estimateInput, ['path']).entries,
  paths: v.pipe(v.array(text('A config file, or the folder of a model.')), v.minLength(1), v.description('The runs.')),
  quotaBytes: v.exactOptional(count('Bytes that the checkpoints of all runs have together.')),
  stepSeconds: v.exactOptional(amount('Seconds of a step, to say when the quota is full.')),
});
export type EstimateRunsInput = v.InferOutput<typeof estimateRunsInput>;

export const runsInput = v.object({
  path: text('Folder with the checkpoints of one run, or of several, at any depth.'),
  cache: v.exactOptional(
    text('A file that keeps what is seen of directories: those that have not changed are not listed again.'),
  ),
  policy: v.exactOptional(text('A retention policy: what it lets go of each run.')),
});
export type RunsInput = v.InferOutput<typeof runsInput>;

export const runsInTelemetryInput = v.object({
  path: text('A time series of bytes written and read: CSV, Parquet, Prometheus, sysstat, Lustre job_stats or NFS mountstats.'),
  columns: v.exactOptional(
    v.pipe(
      v.record(v.string(), v.string()),
      v.description('Names of the columns of a table, by time, writeBytesPerSecond and so on.'),
    ),
  ),
});
export type RunsInTelemetryInput = v.InferOutput<typeof runsInTelemetryInput>;

export const retentionInput = v.object({
  path: text('Folder of the run, with its checkpoints.'),
  policy: v.exactOptional(text('The policy: what stays; .stowage/retention.yaml of the run without it.')),
  workspace: v.exactOptional(
    text(
      'Folder with adapters and links: checkpoints that are their base models, or that they lead to, stay; the run alone without it.',
    ),
  ),
});
export type RetentionInput = v.InferOutput<typeof retentionInput>;

export const verifyInput = v.object({
  path: text('Folder or file to verify.'),
  manifest: v.exactOptional(text('The stowage-manifest.json to compare with; the one beside or in the folder without it.')),
  against: v.exactOptional(text('Another manifest: both are compared, and no file is read.')),
  create: v.exactOptional(flag('Write SHA256SUMS and stowage-manifest.json.')),
  output: v.exactOptional(text('Folder for these; .stowage/NAME beside the path without it.')),
  inside: v.exactOptional(flag('Write them into the folder itself.')),
  replace: v.exactOptional(flag('Write over an earlier manifest without comparing the files with it.')),
  log: v.exactOptional(flag('Enter what was found into .stowage/verified.json beside the path.')),
});
export type VerifyInput = v.InferOutput<typeof verifyInput>;

export const valuesInput = v.object({
  path: text('Folder or file of the checkpoint.'),
  tensors: v.exactOptional(text('Names of tensors, with * for any text and ? for one character; all without it.')),
  sampleShare: v.exactOptional(amount('Share of each tensor that is read, above 0 and up to 1; all of it without it.')),
  seed: v.exactOptional(seed('Other places of the sample; 1 without it.')),
  log: v.exactOptional(flag('Enter what was found in all of the values into .stowage/verified.json beside the path.')),
});
export type ValuesInput = v.InferOutput<typeof valuesInput>;

export const compareInput = v.object({
  ...toolOf.compare.input.entries,
  values: v.exactOptional(flag('Compare the values of tensors that both have, which reads all bytes of both.')),
  sampleShare: v.exactOptional(amount('Share of each tensor that is read of values, above 0 and up to 1; all of it without it.')),
  seed: v.exactOptional(seed('Other places of the sample; 1 without it.')),
});
export type CompareInput = v.InferOutput<typeof compareInput>;

export const sliceInput = v.object({
  path: text('Folder or file of the checkpoint.'),
  tensor: text('Name of the tensor.'),
  slice: text('Indices of its axes: 3 is one, 0:8 those below 8, ::2 every second; an axis that is not named is whole.'),
});
export type SliceInput = v.InferOutput<typeof sliceInput>;

export const planInput = v.object({
  path: v.exactOptional(text('A plan file, a config, a checkpoint, a dataset, or the report of a bandwidth check.')),
  preset: v.exactOptional(text('7b, 8b, 70b, 405b, 1t-moe or megatron-1t, below the numbers of the path.')),
  sites: v.exactOptional(text('A sites file: the storage systems that there are, with their rates, prices and limits.')),
  cluster: v.exactOptional(
    v.pipe(
      v.object({
        place: v.object({
          system: v.picklist(['linux', 'macos']),
          userId: v.nullable(v.number()),
          directory: v.nullable(v.string()),
        }),
        partition: v.nullable(v.string()),
        outputs: v.record(v.string(), v.nullable(v.string())),
      }),
      v.description('What the read-only commands of a cluster printed, by the names of `clusterCommands`.'),
    ),
  ),
  set: v.exactOptional(
    v.pipe(
      v.record(v.string(), v.union([v.string(), v.number(), v.boolean(), v.null()])),
      v.description('Inputs of the plan by key: bytes, seconds or a share of 1, or text with a unit (90min, 2TB/s, 10%).'),
    ),
  ),
});
export type PlanInput = v.InferOutput<typeof planInput>;

export const checkInput = v.object({
  target: text('Directory to measure, or s3://bucket/prefix, gs://bucket/prefix or az://container/prefix.'),
  replayOf: v.exactOptional(text('Checkpoint whose files are replayed.')),
  sizeBytes: v.exactOptional(count('Bytes of a whole save.')),
  streams: v.exactOptional(count("Threads that write at the same time; the checkpoint's writers, or 8, without it.")),
  blockBytes: v.exactOptional(count('Bytes of one write; 4 MiB without it.')),
  seconds: v.exactOptional(amount('The check ends after about this time; 30 without it.')),
  repeats: v.exactOptional(count('Times that everything is written and read; 3 without it.')),
  spaceBytes: v.exactOptional(count('Most bytes in the directory at once.')),
  intervalSeconds: v.exactOptional(amount('Time between two saves of the run.')),
  sweepStreams: v.exactOptional(
    v.pipe(v.array(v.number()), v.description('Numbers of streams to try besides, such as 1, 2, 4, 8, 16; none without it.')),
  ),
  isSustained: v.exactOptional(flag('Write without a pause until the burst is spent, within the two bounds.')),
  sustainedBytes: v.exactOptional(count('Most bytes written for the sustained rate; 300 GB without it. The room is used again.')),
  sustainedSeconds: v.exactOptional(amount('Most time for the sustained rate; 300 without it.')),
  endpoint: v.exactOptional(text("URL of a store that speaks S3 other than Amazon's.")),
  region: v.exactOptional(text('Region of a bucket of S3.')),
  profile: v.exactOptional(text('Profile of ~/.aws with the key of a store that speaks S3.')),
});
export type CheckInput = v.InferOutput<typeof checkInput>;
