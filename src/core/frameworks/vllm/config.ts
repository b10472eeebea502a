/** vLLM's server (vllm/engine/arg_utils.py): `vllm serve MODEL`, its modules and its image, and its options as YAML (`--config`). */
import type { ConfigKind } from '../../configs/configKind.js';
import { isVllm } from '../../configs/document/servers.js';
import { servedModelKey } from '../../configs/document/shellFlags.js';
import { planOf } from '../../configs/plans/planOf.js';
import { dashed } from '../../configs/values/dashed.js';
import { positive } from '../../configs/values/positive.js';
import { engineSettings } from './engineSettings.js';

/** Options of which no training has two. */
const telling = [
  ...['max_model_len', 'gpu_memory_utilization', 'max_num_seqs', 'max_num_batched_tokens', 'kv_cache_dtype'],
  ...['enable_prefix_caching', 'enforce_eager', 'served_model_name', 'tensor_parallel_size', 'swap_space'],
];

const rankKeys = ['tensor_parallel_size', 'tp'] as const;

export const vllm: ConfigKind = {
  id: 'vllm',
  match({ document, fields }) {
    if (document.syntax === 'shell') return isVllm(document.programs) && fields.has(servedModelKey, 'model');
    const options = fields.spelled(dashed);
    return document.syntax === 'yaml' && options.has('model') && telling.filter((name) => options.has(name)).length >= 2;
  },
  read({ fields: written }) {
    const fields = written.spelled(dashed);
    const key = fields.has(servedModelKey) ? servedModelKey : 'model';
    const name = fields.text(key);
    return {
      model: name === undefined ? null : { kind: 'named', name, key },
      plan: planOf({
        tensorParallel: positive(fields.integer(...rankKeys)),
        pipelineParallel: positive(fields.integer('pipeline_parallel_size', 'pp')),
        dataParallel: positive(fields.integer('data_parallel_size', 'dp')),
      }),
      serving: engineSettings(fields, { context: 'max_model_len', sequences: 'max_num_seqs', ranks: rankKeys }),
    };
  },
};
