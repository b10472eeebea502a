import type { Fields } from '../fields.js';
import type { TrainingPlan } from '../trainingPlan.js';
import { wholeNumber } from '../values/positive.js';

/**
 * Nodes and GPUs as given to launchers: torchrun (`--nnodes --nproc_per_node`), deepspeed (`--num_nodes --num_gpus`), accelerate
 * (`--num_machines --num_processes`, which counts all processes), and `#SBATCH` lines.
 */
export function launchPlan(fields: Fields): Pick<TrainingPlan, 'nodes' | 'gpusPerNode' | 'worldSize'> {
  const batch = fields.at('SBATCH');
  const nodes = nodesOf(fields.scalar('nnodes', 'num_nodes', 'num_machines')) ?? batch.integer('nodes', 'N');
  const gpusPerNode =
    wholeNumber(fields.scalar('nproc_per_node', 'num_gpus', 'n_gpus_per_node')) ??
    wholeNumber(batch.scalar('gpus_per_node')) ??
    gpusOf(batch.scalar('gpus_per_node', 'gres')) ??
    wholeNumber(batch.scalar('ntasks_per_node'));
  const processes = fields.integer('num_processes', 'world_size');
  return {
    ...(nodes === undefined ? {} : { nodes }),
    ...(gpusPerNode === undefined ? {} : { gpusPerNode }),
    ...(processes === undefined || processes === 0 ? {} : { worldSize: processes }),
    // torchrun and deepspeed start on one node unless another number is given.
    ...(nodes === undefined && gpusPerNode !== undefined ? { nodes: 1 } : {}),
  };
}

/** `4`, and `4:8` (elastic: at least 4). */
function nodesOf(value: string | number | boolean | undefined): number | undefined {
  return wholeNumber(typeof value === 'string' ? Number(value.split(':')[0]) : value);
}

/** `h100:8`, `gpu:8`, `gpu:a100:4` */
function gpusOf(value: string | number | boolean | undefined): number | undefined {
  const count = typeof value === 'string' ? /^(?:gpu|[a-z]\w*)(?::\w+)?:(\d{1,4})$/i.exec(value)?.[1] : undefined;
  return count === undefined ? undefined : wholeNumber(Number(count));
}
