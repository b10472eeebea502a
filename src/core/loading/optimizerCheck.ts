/**
 * Optimizer state against the parameters, as the assessments of the checkpoint compared them, and the LR scheduler and the steps of a Trainer checkpoint
 * against its saved arguments.
 */
import type { OptimizerMatch } from '../checkpoints/optimizerMatch.js';
import { countOf, pickledRoots } from '../checkpoints/layouts/stateSteps.js';
import type { Parts } from '../checkpoints/parts.js';
import type { ReadResult } from '../checkpoints/readFiles.js';
import type { Finding, FindingCode } from '../findings/finding.js';
import { member, numberOf } from '../formats/pickle/pickleAccess.js';
import { memberOf } from '../formats/text/jsonMember.js';
import { counted } from '../text/quantities.js';
import { nothingToCheck, type LoadCheck } from './loadCheck.js';

/** Findings that comparing the optimizer came to, and what each means for loading. Called once `parts.findings` has them. */
const ofOptimizer: readonly [code: FindingCode, verdict: LoadCheck['verdict'], why: string][] = [
  ['optimizer-of-other-model', 'fails', 'The optimizer state is of another model.'],
  ['moments-missing', 'loads-with-warnings', 'Parameters of the optimizer have no state.'],
];

/** @param match how the optimizer's tensors were matched to parameters (`matchOptimizer`); null without any */
export function optimizerCheck(read: ReadResult, match: OptimizerMatch | null): LoadCheck {
  const [optimizer, scheduler] = [compareOptimizer(read.parts, match), compareScheduler(read)];
  const isScheduler = optimizer.verdict !== 'fails' && scheduler.verdict !== 'loads';
  const { verdict, why } = isScheduler ? scheduler : optimizer;
  return {
    verdict,
    why,
    checked: [...optimizer.checked, ...scheduler.checked],
    notChecked: [...optimizer.notChecked, ...scheduler.notChecked],
    findings: [...optimizer.findings, ...scheduler.findings],
    done: [...optimizer.done, ...scheduler.done],
  };
}

/** Its findings are in the report already. */
function compareOptimizer({ findings }: Parts, match: OptimizerMatch | null): LoadCheck {
  if (match === null) return nothingToCheck;
  const found = new Set(findings.map(({ code }) => code));
  const [, verdict, why] = ofOptimizer.find(([code]) => found.has(code)) ?? [undefined, 'loads', ''];
  if (match.method === 'none') {
    const detail = `${match.explanation.slice(0, 1).toLowerCase()}${match.explanation.slice(1).replace(/\.$/, '')}`;
    const isJudged = verdict !== 'loads';
    return {
      ...nothingToCheck,
      verdict: isJudged ? verdict : 'unknown',
      why: isJudged ? why : 'The optimizer state was not compared.',
      notChecked: [{ what: 'optimizer', detail }],
    };
  }
  const how = match.method === 'by-name' ? 'by name' : 'by order and shape';
  return {
    ...nothingToCheck,
    verdict,
    why,
    checked: ['optimizer'],
    done: [`optimizer state of ${match.matched} of ${counted(match.total, 'parameter')} matched ${how}`],
  };
}

/** Trainer goes on with the arguments of the new run, and with the steps that trainer_state.json has (transformers/trainer.py: _inner_training_loop). */
function compareScheduler({ parts, side }: ReadResult): LoadCheck {
  const state = side.json.get('trainer_state.json');
  const roots = pickledRoots(parts.objects);
  const [args, scheduler] = [roots.get('training_args.bin'), roots.get('scheduler.pt')];
  const steps = positive(memberOf(state, 'max_steps'));
  const last = countOf(member(scheduler, 'last_epoch'));
  const isMoved = parts.findings.some(({ code }) => code === 'scheduler-step-differs');
  const done: string[] = [];
  const findings: Finding[] = [];
  if (last !== null && parts.step !== null) done.push('scheduler.pt: its step against that of the checkpoint');
  if (args !== undefined && steps !== undefined) {
    done.push('training_args.bin: steps and epochs against trainer_state.json');
    const other = plannedOtherwise(state, {
      steps: numberOf(member(args, 'max_steps')),
      epochs: numberOf(member(args, 'num_train_epochs')),
    });
    if (other !== undefined) findings.push({ code: 'planned-steps-differ', path: 'training_args.bin', facts: other });
  }
  const total = countOf(member(scheduler, 'total_steps'));
  if (total !== null && steps !== undefined) {
    done.push('scheduler.pt: its total steps against max_steps');
    if (total > 0 && total < steps)
      findings.push({ code: 'scheduler-ends-early', path: 'scheduler.pt', facts: { total, steps } });
  }
  if (done.length === 0) return nothingToCheck;
  const isDifferent = findings.length > 0 || isMoved;
  return {
    verdict: isDifferent ? 'loads-with-warnings' : 'loads',
    why: isDifferent ? 'The LR scheduler and the saved arguments are of other steps than the checkpoint.' : '',
    checked: ['scheduler'],
    notChecked: [],
    findings,
    done,
  };
}

interface Planned {
  steps: number | undefined;
  epochs: number | undefined;
}

/** `max_steps` of the arguments wins where it is above 0; epochs that are not whole are rounded up in the state. */
function plannedOtherwise(
  state: unknown,
  { steps, epochs }: Planned,
): { what: string; saved: number; state: number } | undefined {
  const inState = { steps: positive(memberOf(state, 'max_steps')), epochs: positive(memberOf(state, 'num_train_epochs')) };
  if (steps !== undefined && steps > 0) {
    if (inState.steps === undefined || inState.steps === steps) return undefined;
    return { what: 'max_steps', saved: steps, state: inState.steps };
  }
  if (epochs === undefined || epochs <= 0 || inState.epochs === undefined || inState.epochs === Math.ceil(epochs))
    return undefined;
  return { what: 'num_train_epochs', saved: epochs, state: inState.epochs };
}

function positive(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
