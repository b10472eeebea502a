/** The use cases that the extension offers to assistants, with the inputs that they take of each. */
import * as v from 'valibot';
import { text } from './inputFields.js';

export const toolOf = {
  inspect: {
    name: 'stowage_inspect_checkpoint',
    input: v.object({ path: text('Folder or file of the checkpoint or dataset.') }),
  },
  compare: {
    name: 'stowage_compare_checkpoints',
    input: v.object({
      a: text('Folder or file of the first checkpoint, or a run of which the checkpoint is taken that a resume loads.'),
      b: text('Folder or file of the second one.'),
    }),
  },
  estimate: {
    name: 'stowage_estimate_checkpoint',
    input: v.object({
      path: text('The config file, absolute or relative to the first workspace folder.'),
      optimizer: v.exactOptional(
        v.pipe(
          v.string(),
          v.description("In place of the config's: adamw, adamw_8bit, adafactor, lion, muon, sgd, shampoo, soap, galore."),
        ),
      ),
      precision: v.exactOptional(
        // Other names that frameworks give them are accepted as well.
        v.pipe(v.string(), v.description("In place of the config's."), v.examples(['f32', 'bf16', 'f16', 'f8'])),
      ),
    }),
  },
} as const;
