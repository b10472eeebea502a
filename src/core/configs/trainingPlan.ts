/** What a config says of a training run. Undefined is "the file does not say", never a guess. */
import type { ModelPart } from './architectures/modelParts.js';
import type { CheckpointWriter } from './checkpointWriters.js';
import type { TrainedLayers } from './trainedLayers.js';
import type { TrainingStep } from './trainedSteps.js';

export type Precision = 'f32' | 'bf16' | 'f16' | 'f8';

/** Families of optimizers that keep the same state; see core/estimates/optimizerState.ts for the bytes. */
export type OptimizerId =
  | 'adam'
  | 'adam-8bit'
  | 'adam-4bit'
  | 'adafactor'
  | 'lion'
  | 'lion-8bit'
  | 'sgd'
  | 'sgd-momentum'
  | 'adagrad'
  | 'rmsprop'
  | 'muon'
  | 'shampoo'
  | 'soap'
  | 'galore'
  | 'galore-8bit'
  | 'apollo'
  | 'lomo'
  | 'schedule-free'
  | 'unknown';

/** What data-parallel ranks share instead of each holding all: nothing, optimizer state, gradients as well, weights as well. */
export type Sharding = 'none' | 'optimizer' | 'gradients' | 'weights';

/** What training waits for: the storage, a copy in host memory, or the first of several levels. */
export type SaveMode = 'synchronous' | 'asynchronous' | 'multi-level';

export interface TrainingPlan {
  writer?: CheckpointWriter;
  /** Optimizer steps of the whole run. */
  steps?: number;
  epochs?: number;
  maxTokens?: number;
  saveIntervalSteps?: number;
  /** Epochs between saves, where these are what the config counts. */
  saveIntervalEpochs?: number;
  /** Steps at which a checkpoint is saved besides, 0 for before the first one. */
  extraSaveSteps?: readonly number[];
  /** Steps are numbered from 0, so that the last one has a number below theirs. */
  stepsFromZero?: true;
  /** Checkpoints that stay; null for all of them. */
  keep?: number | null;
  /**
   * Where checkpoints go otherwise than one by one, each once the next is there: `first`, before the next is written; `at-end`, all that are left when
   * training ends as well.
   */
  deletes?: 'first' | 'at-end';
  /** Every so many steps a checkpoint stays for ever, whatever `keep` says. */
  keepEverySteps?: number;
  /**
   * A checkpoint is saved at the last step whether or not the interval falls on it; with `weights` it holds these alone, in place of what the
   * interval would save there.
   */
  lastSave?: 'all' | 'weights';
  /** What the weights of such a last checkpoint are saved in, where it is not what they are kept in. */
  lastSaveDtype?: Precision;
  /** What is written once more when training ends, into a folder of its own that no rotation deletes. */
  endFolder?: 'all' | 'weights';
  /** It is written with each checkpoint, over the one of before. */
  endFolderAtEachSave?: true;
  /** Each is written once more as the newest one, which stays beside those of the interval and is among `keep` (Lightning's `save_last`). */
  newestAgain?: true;
  /** Checkpoints of the same bytes with an interval and a rotation of their own (OLMo's unsharded ones). */
  secondSave?: Pick<TrainingPlan, 'saveIntervalSteps' | 'keep' | 'lastSave'>;
  /** The weights alone, in folders of their own that all stay, at an interval of their own and when training ends (llm-foundry's `hf_checkpointer`). */
  exports?: Pick<TrainingPlan, 'saveIntervalSteps' | 'saveIntervalEpochs' | 'lastSave'> & { dtype: Precision };
  /** Checkpoints between those of the interval, of which the newest `keep` are there; with `untilNext` they go when one of the interval is saved, with `overlaps` the oldest goes once the next is complete. */
  temporarySave?: { saveIntervalSteps: number; keep: number; untilNext?: true; overlaps?: true };
  sequenceLength?: number;
  /** Sequences of one optimizer step, over all ranks. */
  globalBatch?: number;
  /** Sequences of one forward pass of one data-parallel rank. */
  microBatch?: number;
  accumulation?: number;
  tokensPerStep?: number;
  /** What the forward pass computes in. */
  precision?: Precision;
  /** What parameters are kept in, where the config distinguishes it from `precision` (`weight_dtype`, `training.dtype`). */
  parameterDtype?: Precision;
  /**
   * What decides `parameterDtype` where it is not here: the model's own config (`dtype: auto`), or the release of transformers, of which 5 follows that
   * config and 4 keeps 32 bits.
   */
  loadedDtype?: 'of-model' | 'of-release';
  /** Of the optimizer's state, where it is set (`exp_avg_dtype`, `mu_dtype`). */
  momentDtypes?: { first?: Precision; second?: Precision };
  /** Of the optimizer's state, where it is the same whatever the weights are in (bitsandbytes). */
  optimizerDtype?: Precision;
  /** A 32-bit copy of 16-bit weights in the optimizer, where the config says so or not. */
  hasMasterWeights?: boolean;
  optimizer?: OptimizerId;
  /** As the config writes it. */
  optimizerName?: string;
  /** State of embeddings is kept in 32 bits though that of other tensors is in 8 (bitsandbytes, driven by the Trainer); `positions` where it is of learned positions alone. */
  hasWideEmbeddingState?: boolean | 'positions';
  /** Between these checkpoints there is one more at a time, saved by the clock; the next is complete before it goes. */
  savesByClock?: boolean;
  /** Bytes of a parameter's 32-bit copy that are saved: 2 where 16-bit weights hold the rest of it (TransformerEngine's FusedAdam). */
  masterRemainderBytes?: 2;
  /** Rank of GaLore's and APOLLO's projections. */
  projectionRank?: number;
  /** Momentum of SGD, RMSprop, Adafactor's first moment. */
  hasMomentum?: boolean;
  /** DeepSpeed's, which also decides what its files hold. */
  zeroStage?: number;
  /** What another engine shares among data-parallel ranks; with a ZeRO stage that says it. */
  sharding?: Sharding;
  /** Data-parallel ranks that hold one copy together, where they are not all of them (HSDP, MiCS). */
  shardDegree?: number;
  /** The ranks of a node hold one copy together (FSDP's HYBRID_SHARD). */
  isShardedInNode?: boolean;
  saveMode?: SaveMode;
  /** ZeRO-3: one file of 16-bit weights is written beside the shards. */
  gathersWeights?: boolean;
  worldSize?: number;
  nodes?: number;
  gpusPerNode?: number;
  dataParallel?: number;
  tensorParallel?: number;
  pipelineParallel?: number;
  contextParallel?: number;
  expertParallel?: number;
  /** False where only weights are saved (`save_only_model`, `--no-save-optim`). */
  savesOptimizer?: boolean;
  /** A copy of the weights in another file of the same checkpoint, in this dtype. */
  exportedWeights?: Precision;
  /** An exponential moving average of the weights. */
  hasAverage?: boolean;
  /** Gradients that are saved with it. Almost never. */
  savesGradients?: boolean;
  adapter?: AdapterPlan;
  /** In which an adapter is trained and saved: with modules that are trained whole where the program casts it, its own matrices where the config sets it; `of-base` where PEFT leaves it in what the base is in. */
  adapterCast?: { dtype: Precision | 'of-base'; by: 'program' | 'config' };
  /** Each checkpoint has the adapter in two formats. */
  savesAdapterTwice?: boolean;
  /** Each checkpoint of an adapter has the whole model too, with the adapter merged into it. */
  mergesAdapter?: boolean;
  /** The folder that is written when training ends has the whole model too, with the adapter merged into it. */
  mergesAtEnd?: true;
  /** Each checkpoint of an adapter has the base model besides, as the shards hold both. */
  savesBase?: true;
  /** The layers that are trained; all of the model without it. */
  trainedLayers?: TrainedLayers;
  /** The layers that have optimizer state at a time, where layers take turns (BAdam); all that are trained without it. */
  stateLayers?: TrainedLayers;
  /** Steps that freeze parts of the model, or train them again; all of it is trained before the first. */
  trainingSteps?: readonly TrainingStep[];
  /** Parts of a multimodal model that are not trained. */
  frozenParts?: readonly ModelPart[];
  /** In which what is not trained is kept and saved, where it is not the dtype of the rest. */
  frozenDtype?: Precision;
  /** Modules that are trained; all of them without it. `freeze` and the like. */
  isBaseFrozen?: boolean;
  /** Bits of the base model's weights in memory (QLoRA); nothing of it is saved with an adapter. */
  loadBits?: 4 | 8;
  /** Where checkpoints are written, as the config has it. */
  outputFolder?: string;
  /** Vocabulary of the data, and how wide their tokens are stored, where set. */
  dataDtype?: 'u16' | 'u32' | 'i32' | 'i64';
  resumesFrom?: string;
  /** What the answer rests on and the file does not say: defaults of the framework, and how they were met. */
  notes?: PlanNote[];
}

/** Stable keys of notes; the words for people are elsewhere. */
export type PlanNote =
  /** The framework's own default was taken for this. */
  | 'default-steps'
  | 'default-epochs'
  | 'default-save-interval'
  | 'default-keep'
  | 'default-batch'
  /** How many checkpoints stay is set in a way that is not known here. */
  | 'keep-open'
  | 'default-accumulation'
  | 'default-sequence'
  | 'default-precision'
  | 'default-optimizer'
  /** axolotl hands the rank on to PEFT, which needs one, and has none of its own. */
  | 'adapter-rank-missing'
  | 'default-adapter-targets'
  /** The adapter is one that is trained further, and its config was not found. */
  | 'adapter-elsewhere'
  | 'default-model-sizes'
  | 'default-tokenizer'
  | 'default-zero-stage'
  /** Which engine trains is the launcher's: DeepSpeed, as the project's own scripts launch it. */
  | 'engine-of-launcher'
  /** As above, of which ZeRO stage 3 is what these scripts name. */
  | 'zero3-of-launcher'
  /** No engine is set here: sized as a plain launch; an accelerate file may choose another. */
  | 'plain-launch'
  /** "auto": another program decides. */
  | 'precision-filled-in'
  /** The batch grows, so that the run takes more steps than its samples by the last batch. */
  | 'batch-ramps-up'
  /** Training stops each time the batch grows, and is started again. */
  | 'stops-as-batch-grows'
  /** The run ends at its tokens, before its steps or samples. */
  | 'ends-by-tokens'
  /** The same with sequences that grow, which is counted. */
  | 'ends-by-tokens-as-lengths-grow'
  /** Sequences grow as training goes on, which is counted. */
  | 'lengths-grow'
  /** They grow by a schedule that is not known or not followed. */
  | 'lengths-not-followed'
  /** Saving is turned off. */
  | 'saves-never'
  /** The config evaluates, generates or serves. */
  | 'trains-nothing'
  /** The program trains where `do_train` is set, and it is not. */
  | 'trains-if-asked'
  /** The file describes a model, and another one its training. */
  | 'model-alone'
  /** No checkpoint is saved; the model is, when training ends. */
  | 'saves-model-at-end'
  /** No folder to save to is set here; a second config of the same run may set it. */
  | 'save-folder-elsewhere'
  /** The program stops at the interval that is set, before it saves. */
  | 'interval-refused'
  /** No interval is set, and the program stops where it is to save without one. */
  | 'interval-required'
  /** No interval above 0 is set, and the framework has none: one checkpoint when training ends. */
  | 'saves-at-end'
  /** Saves when an evaluation is the best so far: how often is unknown beforehand. */
  | 'saves-best'
  /** The best checkpoint stays beside the newest. */
  | 'keeps-best'
  /** Each checkpoint is written once more, as the newest one. */
  | 'newest-again'
  /** One more checkpoint stays for each epoch. */
  | 'stays-each-epoch'
  /** `save_steps` below 1: a share of all steps. */
  | 'interval-is-share'
  /** The interval is set in time, or in another unit that steps do not follow from. */
  | 'interval-not-in-steps'
  /** The weights are exported besides, at an interval of their own. */
  | 'weights-exported'
  /** Nothing but exports of the weights is written. */
  | 'exports-alone'
  /** The last checkpoint has weights only. */
  | 'last-save-weights-only'
  /** More checkpoints between those of the interval, each deleted when the next is there. */
  | 'ephemeral-checkpoints'
  /** The vocabulary is the one of the tokenizer that is named. */
  | 'vocabulary-of-tokenizer'
  /** The vocabulary is padded, as the framework does. */
  | 'vocabulary-padded'
  /** Tokens that the run adds may enlarge the embeddings, by a number that only the tokenizer has. */
  | 'vocabulary-may-grow'
  /** The script casts the weights after it has loaded them. */
  | 'weights-cast'
  /** Only a part of the model is trained; which is not counted. */
  | 'partly-frozen'
  /** Another file that this one builds upon was not found. */
  | 'base-config-missing'
  /** What the file does not set, a recipe does that it goes over. */
  | 'rest-of-recipe'
  /** AdaLoRA reduces the ranks that are saved, as training goes on. */
  | 'ranks-reduced'
  /** The adapter is merged into the model and that is saved when training ends. */
  | 'merged-at-end'
  /** The same, and these weights are counted. */
  | 'merged-and-counted'
  /** The base model is first converted into the folder of the run. */
  | 'base-converted'
  /** The optimizer drops its state every so many steps, and those at which checkpoints are saved are among them. */
  | 'state-dropped'
  /** The steps and the save interval that are not set are the recipe's. */
  | 'run-of-recipe'
  /** Sequences are prompts with answers that the run makes, so that they are not data, and a sequence may be shorter than the longest. */
  | 'answers-generated'
  /** A critic is trained and saved beside the model, which is not counted. */
  | 'critic-not-counted';

/** What a linear module does, where a framework chooses modules by it. */
export type AdapterRole = 'query' | 'key' | 'value' | 'output' | 'mlp' | 'head';

/** A low-rank adapter (LoRA, arXiv 2106.09685), an orthogonal one (OFT, arXiv 2306.07280), and their kin. */
export interface AdapterPlan {
  kind: 'lora' | 'dora' | 'oft' | 'other';
  /** Of OFT the number of blocks, 0 where their size is set. */
  rank: number;
  /** The rank is the framework's own, as the config sets none. */
  isDefaultRank?: true;
  /** Of OFT's blocks, where it is set. */
  blockSize?: number;
  /** One block of OFT for all of a module. */
  sharesBlocks?: boolean;
  alpha?: number;
  /** Ends of module names, 'all-linear', or a regular expression of PEFT, which is not run. */
  targets: readonly string[];
  /** What modules do that are adapted, in place of `targets`. */
  roles?: readonly AdapterRole[];
  /** Ranks that differ, by end of module name. */
  rankPattern?: Readonly<Record<string, number>>;
  /** Modules that are trained and saved whole. */
  savedModules?: readonly string[];
  /** Rows of embeddings that are trained by themselves, by end of module name; '' is the input embedding. */
  trainedTokens?: Readonly<Record<string, number>>;
  /** Parts of a multimodal model that get no adapter. */
  frozenParts?: readonly ModelPart[];
  /** Layers that get adapters; all without it. */
  layers?: readonly number[];
  /** 'none' | 'all' | 'lora_only' */
  bias?: string;
  /** Output layers that `all-linear` leaves out, where all others are adapted; without it all are left out. */
  sparedHeads?: readonly string[];
  /** Ends of module names that get no adapter though they are targets. */
  excludedModules?: readonly string[];
  /** Ends of names of parameters that are no module's weight (stacked experts). */
  targetParameters?: readonly string[];
  /** Query, key and value have one matrix, and gate and up have one, so that each has one adapter (Megatron's `linear_qkv`, `linear_fc1`); false where that is exported by module. */
  isFused?: boolean;
  /** Megatron's experts have an adapter each; without it they may share them. */
  isOfEachExpert?: true;
  /** AdaLoRA: one more number for each rank. */
  hasSingularValues?: boolean;
  /** `lora_bias`: the second matrix of each adapter has a bias. */
  hasAdapterBias?: boolean;
  /** As PEFT writes it: 'CAUSAL_LM', 'SEQ_CLS', … Classification heads are trained whole. */
  task?: string;
}
