import { baseName } from '../../files/paths.js';
import { stepOfName } from './stepOfName.js';

/** True where a pointer's target (`global_step5`, `/runs/a/step-5/`, Megatron's bare `5`) is this checkpoint: by name, or by the step that both say. */
export function pointsAt(target: string, path: string): boolean {
  const name = baseName(target.replace(/\/+$/, ''));
  const own = baseName(path);
  const step = stepOfName(name);
  return own === name || (step !== null && stepOfName(own) === step);
}
