/** What changing one key of a config does to its estimate. */
import type { ConfigAccess } from '../configs/configKind.js';
import { keyOf } from '../configs/fields.js';
import { stepOfKey } from './keySteps.js';
import { optimizerIds } from './optimizerChoices.js';
import type { OptimizerId } from '../configs/trainingPlan.js';
import { estimate, estimateWith, type Estimate } from './estimate.js';

export type KeyEffect =
  | {
      kind: 'step';
      /** The change: "one more layer". */
      label: string;
      /** Differences; null where neither side is known. */
      parameters: number | null;
      activeParameters: number | null;
      checkpointBytes: number | null;
      runBytes: number | null;
    }
  | { kind: 'optimizers'; choices: { optimizer: OptimizerId; bytesPerParameter: number; checkpointBytes: number | null }[] };

/** Null for a key that the estimate does not rest on, or whose change cannot be shown. */
export async function keyEffect(base: Estimate, access: ConfigAccess, path: readonly string[]): Promise<KeyEffect | null> {
  const used = base.used.get(keyOf(path));
  if (used === undefined) return null;
  if (base.plan.optimizerName !== undefined && used.node.kind === 'scalar' && used.node.value === base.plan.optimizerName)
    return optimizerChoices(base, access);
  const step = stepOfKey(path);
  const value = used.node.kind === 'scalar' ? Number(used.node.value) : Number.NaN;
  // 0 and -1 mean "all" or "none" in many configs: one more of that is no number.
  if (step === null || !Number.isFinite(value) || (value <= 0 && !step.isSwitch)) return null;
  const changed = await estimateWith(base, access, path, step.next(value));
  const parameters = difference(base.model?.counts.unique, changed.model?.counts.unique);
  return {
    kind: 'step',
    label: step.label,
    parameters,
    activeParameters: difference(base.model?.counts.active, changed.model?.counts.active),
    checkpointBytes: difference(base.size.bytes, changed.size.bytes),
    runBytes: difference(base.run.bytes, changed.run.bytes),
  };
}

async function optimizerChoices(base: Estimate, access: ConfigAccess): Promise<KeyEffect> {
  const others = optimizerIds.filter((optimizer) => optimizer !== base.plan.optimizer);
  const choices: Extract<KeyEffect, { kind: 'optimizers' }>['choices'] = [];
  for (const optimizer of others) {
    const { size } = await estimate(base, access, { plan: { optimizer, hasMomentum: false } });
    choices.push({ optimizer, bytesPerParameter: size.bytesPerParameter, checkpointBytes: size.bytes });
  }
  return { kind: 'optimizers', choices };
}

function difference(before: number | null | undefined, after: number | null | undefined): number | null {
  return before == null || after == null ? null : after - before;
}
