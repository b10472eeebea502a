/** The LR scheduler of a Trainer checkpoint: whether scheduler.pt belongs to it, and its step against the checkpoint's. */
import type { Parts } from '../../checkpoints/parts.js';
import { countOf, pickledRoots } from '../../checkpoints/layouts/stateSteps.js';
import type { Finding } from '../../findings/finding.js';
import { entriesOf, member } from '../../formats/pickle/pickleAccess.js';
import type { PickleValue } from '../../formats/pickle/pickleValue.js';
import { isBeforeVersion } from '../../text/isBeforeVersion.js';

const schedulerName = 'scheduler.pt';

/**
 * With DeepSpeed, Trainer saves scheduler.pt where its own code made the scheduler: where the DeepSpeed config sets neither an optimizer nor
 * a scheduler (transformers/trainer.py: _save_optimizer_and_scheduler; integrations/deepspeed.py: deepspeed_optim_sched). Releases
 * before 4.34 did not save it.
 */
export function lacksScheduler({ files, objects, framework }: Parts): boolean {
  if (files.some(({ path }) => path === schedulerName) || isBeforeVersion(framework.version, 4, 34)) return false;
  for (const root of pickledRoots(objects).values()) {
    const config = entriesOf(member(root, 'ds_config'));
    if (config === undefined) continue;
    const isOfDeepSpeed = member(member(root, 'lr_scheduler'), 'last_batch_iteration') !== undefined;
    return !isOfDeepSpeed && !config.keys.includes('optimizer') && !config.keys.includes('scheduler');
  }
  return false;
}

/** Steps that the scheduler may lag behind where a gradient scaler may have skipped steps for overflow. */
const MAX_SKIPPED = 50;
const MAX_SKIPPED_SHARE = 0.1;

/**
 * A finding where scheduler.pt is of another step than the checkpoint. Trainer steps the scheduler once for each step that was not skipped,
 * and skips with a gradient scaler alone; one that follows a metric counts evaluations.
 */
export function findOtherSchedulerStep(parts: Parts): Finding[] {
  const { objects, step, topology } = parts;
  const scheduler = pickledRoots(objects).get(schedulerName);
  const own = countOf(member(scheduler, 'last_epoch'));
  if (own === null || step === null || followsMetric(scheduler)) return [];
  const lag = step - own;
  // Accelerate steps a prepared scheduler once for each process.
  const isByProcess = own === step * (topology.worldSize ?? 1);
  const mostSkipped = mayHaveScaler(parts) ? Math.max(MAX_SKIPPED, step * MAX_SKIPPED_SHARE) : 0;
  if (isByProcess || (lag >= 0 && lag <= mostSkipped)) return [];
  return [{ code: 'scheduler-step-differs', path: schedulerName, facts: { own, step } }];
}

/** False where the training arguments set no fp16, which alone has a gradient scaler, and no scaler was saved. */
function mayHaveScaler({ objects, files }: Parts): boolean {
  if (files.some(({ component, path }) => component === 'gradScaler' || path === 'scaler.pt')) return true;
  const roots = pickledRoots(objects);
  const settings = [...roots.values()].flatMap((root) => {
    const ofDeepSpeed = member(member(member(root, 'ds_config'), 'fp16'), 'enabled');
    return [member(root, 'fp16'), ofDeepSpeed].filter((value) => value !== undefined);
  });
  return !settings.some((value) => value === false) || settings.some((value) => value !== false);
}

/** ReduceLROnPlateau. */
function followsMetric(scheduler: PickleValue | undefined): boolean {
  return member(scheduler, 'num_bad_epochs') !== undefined;
}
