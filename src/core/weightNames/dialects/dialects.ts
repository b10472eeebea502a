/** Every dialect that has a table. Names of transformers and of its models in FLAX have rules of their own. */
import type { NameDialect } from '../weightPlace.js';
import type { Dialect } from './dialect.js';
import { gguf } from './gguf.js';
import { litgpt } from './litgpt.js';
import { maxtext } from './maxtext.js';
import { megatron } from './megatron.js';
import { megatronLegacy } from './megatronLegacy.js';
import { meta } from './meta.js';
import { nanogpt } from './nanogpt.js';
import { nanotron } from './nanotron.js';
import { neox } from './neox.js';
import { olmo } from './olmo.js';
import { olmoCore } from './olmoCore.js';
import { torchtune } from './torchtune.js';

export type TableDialect = Exclude<NameDialect, 'transformers' | 'flax'>;

export const dialects: Readonly<Record<TableDialect, Dialect>> = {
  megatron,
  megatronLegacy,
  gguf,
  olmo,
  olmoCore,
  nanotron,
  maxtext,
  meta,
  torchtune,
  litgpt,
  nanogpt,
  neox,
};
