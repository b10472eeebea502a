/** Risks of a plan in words: what each costs, and what removes it. */
import type { Risk } from '../../planning/advice/risks.js';
import { settingsOf } from '../../planning/settings/frameworkSettings.js';
import type { StoragePlan } from '../../planning/storagePlan.js';
import { failureNames } from './levelWords.js';
import { shortRate, shortShare, shortTime } from '../../text/quantities.js';
import { shortNumber } from '../../text/units.js';
import type { PlanRisk } from './planSection.js';

export function riskWords(risk: Risk, plan: StoragePlan): PlanRisk {
  const { title, text, advice } = words(risk, plan);
  const gpuHours = (risk.lostShare * plan.risks.gpuSeconds) / 3600;
  return {
    id: risk.id === 'no-copy' ? `no-copy-${risk.failure}` : risk.id,
    title,
    text: `${text} ${shortShare(risk.lostShare)} of the run, ${shortNumber(gpuHours)} GPU-hours.`,
    advice,
  };
}

function words(risk: Risk, plan: StoragePlan): Omit<PlanRisk, 'id'> {
  const { inputs, save } = plan;
  switch (risk.id) {
    case 'interval':
      return {
        title: `Saving every ${shortTime(save.intervalSeconds)} is ${save.intervalSeconds > risk.bestIntervalSeconds ? 'too rare' : 'too often'}`,
        text: `The best interval is ${shortTime(risk.bestIntervalSeconds)}.`,
        advice: `Save every ${shortTime(risk.bestIntervalSeconds)}.`,
      };
    case 'slow-restore':
      return {
        title: 'Restoring takes longer than the restart that the plan assumes',
        text: `At ${shortRate(save.readBytesPerSecond)} reading takes ${shortTime(risk.readSeconds)}, where ${shortTime(inputs.restartSeconds)} are assumed for restart and restore together.`,
        advice:
          risk.broadcastSeconds < risk.readSeconds
            ? `Let one replica read and broadcast: ${shortTime(risk.broadcastSeconds)}.`
            : 'Give the storage more read bandwidth, or restore from a nearer level.',
      };
    case 'restart':
      return {
        title: 'Restarting',
        text: `Each failure takes ${shortTime(risk.restartSeconds)} until training goes on.`,
        advice: `${save.topology.nodes > 1 ? 'Keep spare nodes ready, detect' : 'Detect'} hangs early, and restore from a level near the GPUs.`,
      };
    case 'stall':
      return {
        title: 'Standing still for saves, and repeating work',
        text: `Each save stops training for ${shortTime(save.stallSeconds)}, and each failure repeats the work since the last one.`,
        advice: `${stallAdvice(plan)} Half the stall would give back ${shortShare(Math.max(0, risk.gainOfHalfShare))}.`,
      };
    case 'late-copies':
      return {
        title: 'Copies that are not whole yet when something fails',
        text: 'A failure during a save falls back to the one before, whose work is repeated as well.',
        advice:
          inputs.saveMode === 'multi-level'
            ? 'More bandwidth to the deeper levels, or rarer failures of them.'
            : 'Keep the last save in a neighbour’s memory (multi-level), or write faster.',
      };
    case 'no-copy':
      return {
        title: `Nothing survives the loss of ${failureNames[risk.failure]}`,
        text: `It comes every ${shortTime(risk.secondsBetween)} for a job like this, and would take the whole run.`,
        advice:
          risk.failure === 'site'
            ? 'Copy some checkpoints to an object store in another place.'
            : 'Save to shared storage that does not fail with it.',
      };
    case 'unknown-failures':
      return {
        title: 'How often this job fails is not known',
        text: `${unknownReason(risk.factor, plan)} ${shortShare(risk.goodput)} of the time would train.`,
        advice: 'Enter this cluster’s measured MTBF.',
      };
    case 'no-emergency-save':
      return {
        title: 'No time for a save when a warning comes',
        text: `It takes ${shortTime(risk.neededSeconds)}, and there are ${shortTime(inputs.graceSeconds)}${risk.neededSeconds <= inputs.graceSeconds ? ', of which noticing the warning and finishing a step take some' : ''}: ${shortTime(risk.lostSeconds)} of work are lost on average, every ${shortTime(inputs.reclaimSeconds ?? 0)}.`,
        advice: 'Ask for a longer warning, let more GPUs write, or save weights and optimizer to a neighbour’s memory first.',
      };
  }
}

function unknownReason(factor: number, { study }: StoragePlan): string {
  return study.isScalingOptimistic && factor !== 2
    ? `Jobs of fewer GPUs fail more often than a rate of large ones suggests: ${shortNumber(factor, 2)} times as often is taken for this size, after Meta’s 3.6 times at 1,024 GPUs. With that`
    : 'The rate is one that was published of another cluster. With twice as many failures';
}

function stallAdvice({ inputs, save }: StoragePlan): string {
  if (inputs.saveMode === 'synchronous' && settingsOf(inputs.framework)?.savesInBackground === false)
    return 'Write faster, or from more GPUs.';
  if (inputs.saveMode === 'synchronous') return 'Save asynchronously: training then waits only for the copy to host memory.';
  if (save.writers.writers < save.topology.gpus)
    return 'Let all GPUs copy a share each instead of one replica (fully parallel saving).';
  return 'Copy to pinned host memory, in parts between the steps.';
}
