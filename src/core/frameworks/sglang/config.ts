/** SGLang's server (sglang/srt/server_args.py): `python -m sglang.launch_server --model-path MODEL`. */
import type { ConfigKind } from '../../configs/configKind.js';
import { isSglang } from '../../configs/document/servers.js';
import { planOf } from '../../configs/plans/planOf.js';
import { positive } from '../../configs/values/positive.js';
import { engineSettings } from '../vllm/engineSettings.js';

const rankKeys = ['tp_size', 'tensor_parallel_size', 'tp'] as const;

export const sglang: ConfigKind = {
  id: 'sglang',
  match: ({ document, fields }) =>
    document.syntax === 'shell' && isSglang(document.programs) && fields.has('model_path', 'model'),
  read({ fields }) {
    const key = fields.has('model_path') ? 'model_path' : 'model';
    const name = fields.text(key);
    return {
      model: name === undefined ? null : { kind: 'named', name, key },
      plan: planOf({
        tensorParallel: positive(fields.integer(...rankKeys)),
        pipelineParallel: positive(fields.integer('pp_size', 'pipeline_parallel_size')),
        dataParallel: positive(fields.integer('dp_size', 'data_parallel_size', 'dp')),
        expertParallel: positive(fields.integer('ep_size', 'expert_parallel_size', 'ep')),
      }),
      serving: engineSettings(fields, { context: 'context_length', sequences: 'max_running_requests', ranks: rankKeys }),
    };
  },
};
