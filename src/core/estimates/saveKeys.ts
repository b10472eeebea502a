/** Keys by which configs of any program say how often they save, and how many checkpoints they keep. */

/** Checkpoints that stay. */
export const keepKeys: readonly string[] = [
  'save_total_limit',
  'keep_latest_k',
  'save_num_checkpoints_to_keep',
  'max_num_checkpoints_to_keep',
  'save_top_k',
  'max_actor_ckpt_to_keep',
  'most_recent_k',
  'max_checkpoints',
  'keep_last_n_checkpoints',
];

/** Steps, or another measure of training, between two saves: twice as much saves half as often. */
export const intervalKeys: readonly string[] = [
  'save_steps',
  'save_interval',
  'interval',
  'checkpoint_period',
  'checkpoint_interval',
  'save_freq',
  'every_n_train_steps',
  'checkpoint_factor',
  'eval_interval',
  'save_every_n_steps',
];
