/**
 * A plan's way of saving in the settings of training frameworks, as their configs take them. Keys are those that configs of the framework are
 * read by; see docs/configs.md.
 */

/** What a plan decides of saving. */
export interface SaveValues {
  /** Steps between two saves to the storage; null where the time of a step is not known. */
  steps: number | null;
  /** Steps between two saves near the GPUs, where these are more frequent; null elsewhere. */
  nearSteps: number | null;
  /** The newest that stay; null where none is deleted. */
  keep: number | null;
  /** Steps between two that stay for ever; null where none of the older ones does, or all do. */
  keepEverySteps: number | null;
  isInBackground: boolean;
  /** Ranks from one node to the next: a copy so many ranks on survives the loss of a node. */
  gpusPerNode: number;
}

interface FrameworkSettings {
  label: string;
  language: 'yaml' | 'toml' | 'bash';
  lines: (values: SaveValues) => string[];
  /** Fewer than so many it does not keep; 1 without it. */
  leastKept?: number;
  /** True where a setting keeps every Nth for ever. */
  keepsEvery?: true;
  /** False where no setting keeps the last ones alone. */
  deletes: boolean;
  /** False where no setting makes training go on while a save is written. */
  savesInBackground: boolean;
}

/** Lines of those whose value there is. */
function set(...lines: readonly (readonly [line: string, value: number | boolean | string | null])[]): string[] {
  return lines.flatMap(([line, value]) => (value === null ? [] : [`${line}${String(value)}`]));
}

/** As the Trainer's YAML has them. */
function trainer({ steps, keep }: SaveValues): string[] {
  return ['save_strategy: steps', ...set(['save_steps: ', steps], ['save_total_limit: ', keep])];
}

const trainerLike = { language: 'yaml', lines: trainer, deletes: true, savesInBackground: false } as const;

export const frameworkSettings = {
  'training-arguments': { label: 'Hugging Face Trainer', ...trainerLike },
  axolotl: { label: 'Axolotl', ...trainerLike },
  'llama-factory': { label: 'LLaMA-Factory', ...trainerLike },
  torchtitan: {
    label: 'torchtitan',
    language: 'toml',
    leastKept: 2,
    // One checkpoint alone is refused, as it may be the one that is being written; 0 keeps all.
    lines: ({ steps, keep, isInBackground }) => [
      '[checkpoint]',
      'enable = true',
      ...set(
        ['interval = ', steps],
        ['keep_latest_k = ', keep === null ? 0 : Math.max(2, keep)],
        ['async_mode = ', isInBackground ? '"async"' : '"disabled"'],
      ),
    ],
    deletes: true,
    savesInBackground: true,
  },
  megatron: {
    label: 'Megatron-LM',
    language: 'bash',
    keepsEvery: true,
    // The newest stays, and every so many steps one: no setting keeps the last few (megatron/training/checkpointing.py).
    lines: ({ steps, nearSteps, isInBackground, gpusPerNode, keepEverySteps }) => [
      ...set(['--save-interval ', steps], ['--save-retain-interval ', keepEverySteps]),
      '--ckpt-format torch_dist',
      ...(isInBackground ? ['--async-save'] : []),
      // Local saves need a directory, and no other node has them without replication (megatron/training/arguments.py).
      ...(nearSteps === null
        ? []
        : [
            `--non-persistent-save-interval ${nearSteps}`,
            '--non-persistent-ckpt-type local',
            '--non-persistent-local-ckpt-dir DIRECTORY-OF-EACH-NODE',
            '--replication',
            `--replication-jump ${gpusPerNode}`,
          ]),
    ],
    deletes: false,
    savesInBackground: true,
  },
  nemo: {
    label: 'NeMo',
    language: 'yaml',
    // Resuming takes the last one, which is kept beside the others.
    lines: ({ steps, keep, isInBackground }) => [
      'exp_manager:',
      '  create_checkpoint_callback: true',
      '  checkpoint_callback_params:',
      ...set(
        ['    every_n_train_steps: ', steps],
        ['    monitor: ', 'step'],
        ['    mode: ', 'max'],
        ['    save_top_k: ', keep === null ? -1 : Math.max(1, keep - 1)],
        ['    save_last: ', true],
        ['    async_save: ', isInBackground],
      ),
    ],
    deletes: true,
    savesInBackground: true,
  },
  lightning: {
    label: 'Lightning',
    language: 'yaml',
    // More than one are kept by a value that is watched.
    lines: ({ steps, keep, isInBackground }) => [
      'trainer:',
      '  callbacks:',
      '    - class_path: lightning.pytorch.callbacks.ModelCheckpoint',
      '      init_args:',
      ...set(
        ['        every_n_train_steps: ', steps],
        ['        monitor: ', 'step'],
        ['        mode: ', 'max'],
        ['        save_top_k: ', keep ?? -1],
      ),
      ...(isInBackground ? ['  plugins:', '    - class_path: lightning.pytorch.plugins.io.AsyncCheckpointIO'] : []),
    ],
    deletes: true,
    savesInBackground: true,
  },
  composer: {
    label: 'Composer',
    language: 'yaml',
    lines: ({ steps, keep }) =>
      set(['save_interval: ', steps === null ? null : `${steps}ba`], ['save_num_checkpoints_to_keep: ', keep ?? -1]),
    deletes: true,
    savesInBackground: false,
  },
  maxtext: {
    label: 'MaxText',
    language: 'yaml',
    lines: ({ steps, nearSteps, keep, isInBackground }) => [
      'enable_checkpointing: true',
      ...set(['checkpoint_period: ', steps], ['async_checkpointing: ', isInBackground], ['max_num_checkpoints_to_keep: ', keep]),
      ...(nearSteps === null ? [] : ['enable_multi_tier_checkpointing: true', `local_checkpoint_period: ${nearSteps}`]),
      // By the clock or by steps, of which it needs one (maxtext/configs/types.py).
      ...(nearSteps === null ? [] : set(['multi_tier_checkpointing_backup_interval_steps: ', steps])),
    ],
    deletes: true,
    savesInBackground: true,
  },
  'olmo-core': {
    label: 'OLMo-core',
    language: 'yaml',
    lines: ({ steps, isInBackground }) => [
      'trainer:',
      '  callbacks:',
      '    checkpointer:',
      ...set(['      save_interval: ', steps], ['      save_async: ', isInBackground]),
    ],
    deletes: false,
    savesInBackground: true,
  },
  nanotron: {
    label: 'nanotron',
    language: 'yaml',
    lines: ({ steps }) => ['checkpoints:', ...set(['  checkpoint_interval: ', steps])],
    deletes: false,
    savesInBackground: false,
  },
  torchtune: {
    label: 'torchtune',
    language: 'yaml',
    lines: ({ steps, keep, isInBackground }) => [
      ...set(['save_every_n_steps: ', steps], ['enable_async_checkpointing: ', isInBackground]),
      ...(keep === null ? [] : ['checkpointer:', `  keep_last_n_checkpoints: ${keep}`]),
    ],
    deletes: true,
    savesInBackground: true,
  },
  verl: {
    label: 'verl',
    language: 'yaml',
    lines: ({ steps, keep }) => ['trainer:', ...set(['  save_freq: ', steps], ['  max_actor_ckpt_to_keep: ', keep])],
    deletes: true,
    savesInBackground: false,
  },
  litgpt: {
    label: 'LitGPT',
    language: 'yaml',
    lines: ({ steps }) => ['train:', ...set(['  save_interval: ', steps])],
    deletes: false,
    savesInBackground: false,
  },
  'gpt-neox': {
    label: 'GPT-NeoX',
    language: 'yaml',
    lines: ({ steps, keep }) => set(['checkpoint_factor: ', steps], ['keep_last_n_checkpoints: ', keep]),
    deletes: true,
    savesInBackground: false,
  },
} as const satisfies Record<string, FrameworkSettings>;

export type FrameworkId = keyof typeof frameworkSettings | 'unlisted';

export const frameworkChoices: readonly { value: FrameworkId; label: string }[] = [
  { value: 'unlisted', label: 'not listed' },
  ...Object.entries(frameworkSettings).map(([id, { label }]) => ({ value: id as FrameworkId, label })),
];

/** The settings of a framework; null for none in particular. */
export function settingsOf(id: FrameworkId): FrameworkSettings | null {
  return id === 'unlisted' ? null : frameworkSettings[id];
}

/** Whether settings of a framework are known: its id as configs and layouts have it. */
export function isFramework(id: string): id is FrameworkId {
  return Object.hasOwn(frameworkSettings, id);
}
