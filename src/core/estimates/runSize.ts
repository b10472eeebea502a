/** What a run's checkpoints take on disk, from how often they are saved, how many stay, and what is saved when training ends. */
import type { PlanNote, TrainingPlan } from '../configs/trainingPlan.js';
import { leastCommonMultiple } from '../bytes/leastCommonMultiple.js';

export interface RunSize {
  /** Steps of the run; null where the config does not say. */
  steps: number | null;
  /** Checkpoints that are written, the last one included. */
  saves: number | null;
  /** Checkpoints that lie on disk at the end. */
  kept: number | null;
  /** Of these, and of what is written into a folder of its own when training ends. */
  bytes: number | null;
  /** The most that lies on disk at once: where checkpoints are deleted, the next is written before the oldest goes. */
  peakBytes: number | null;
  /** All that is written, also what is deleted again. */
  writtenBytes: number | null;
  /** Of the last checkpoint where it holds weights alone; null where it is like the others. */
  lastBytes: number | null;
  /** Of what is written when training ends into a folder of its own; null where nothing is. */
  endBytes: number | null;
  /** Of `bytes`, those of checkpoints that only the next one replaces; null where there are none. */
  temporaryBytes: number | null;
}

/** Bytes of one checkpoint, and of its weights alone; null where not known. */
export interface SavedBytes {
  checkpoint: number | null;
  weights: number | null;
  /** Of an export of the weights. */
  exported?: number | null;
}

/** How a run rotates its checkpoints. */
export type Rotation = Pick<TrainingPlan, 'saveIntervalSteps' | 'keep' | 'keepEverySteps'>;

/** `kept` is null where the length of the run decides and is not known. Exports add to bytes, and are not counted among the checkpoints. */
export function runSize(bytes: SavedBytes, plan: TrainingPlan): RunSize {
  const size = checkpointsOf(bytes, plan);
  if (plan.exports === undefined) return size;
  const exported = timesOrNull(savesOf(plan.exports, plan), bytes.exported ?? null);
  return {
    ...size,
    bytes: added(size.bytes, exported),
    peakBytes: added(size.peakBytes, exported),
    writtenBytes: added(size.writtenBytes, exported),
  };
}

function checkpointsOf(bytes: SavedBytes, plan: TrainingPlan): RunSize {
  const steps = plan.steps ?? null;
  if (savesNothing(plan)) return { steps, saves: 0, kept: 0, lastBytes: null, temporaryBytes: null, ...endOf(bytes, plan) };
  const twice = plan.newestAgain === true ? twiceSaved(bytes, plan) : null;
  if (twice !== null) return { steps, ...twice, lastBytes: null, temporaryBytes: null, endBytes: endBytesOf(bytes, plan) };
  const kinds: Saving[] = [plan, ...(plan.secondSave === undefined ? [] : [plan.secondSave])];
  const saves = kinds.map((kind) => savesOf(kind, plan));
  const kept = kinds.map((kind, index) => keptOf(kind, saves[index] ?? null, plan));
  const isRotated = (kind: Saving, index: number) => deletesAtLast(kind, saves[index] ?? null);
  const lastBytes = plan.lastSave === 'weights' && saves[0] !== 0 ? bytes.weights : null;
  const endBytes = endBytesOf(bytes, plan);
  const size = (count: number | null) => bytesOf(count, bytes.checkpoint, { plan, lastBytes, endBytes });
  const total = { saves: sumOf(saves), kept: sumOf(kept) };
  // What is written when training ends is there before all others go.
  const most = size(total.kept);
  const rotating = plan.deletes === 'first' || !kinds.some(isRotated) ? 0 : rotationPeak(total, bytes.checkpoint ?? 0, lastBytes);
  // One that was saved by the clock is there until the next is complete.
  const temporary = temporaryOf(plan);
  const between = timesOrNull((plan.savesByClock === true ? 1 : 0) + temporary.most, bytes.checkpoint);
  const beside = plan.endFolderAtEachSave === true ? (endBytes ?? 0) : 0;
  const renewed = added(most, timesOrNull(temporary.renewed, bytes.checkpoint));
  const peakBytes =
    most === null || between === null || renewed === null
      ? null
      : safe(Math.max(Math.max(most, rotating + beside) + between, renewed));
  const left = plan.deletes === 'at-end' ? 0 : total.kept;
  const temporaryBytes = temporary.most === 0 ? null : timesOrNull(temporary.left, bytes.checkpoint);
  const again = againBytes(endBytes, total.saves, plan);
  const writtenBytes = added(added(size(total.saves), timesOrNull(temporary.saves, bytes.checkpoint)), again);
  const room = { bytes: added(size(left), temporaryBytes ?? 0), peakBytes, writtenBytes };
  return { steps, saves: total.saves, kept: left, ...room, lastBytes, endBytes, temporaryBytes };
}

type Room = Pick<RunSize, 'saves' | 'kept' | 'bytes' | 'peakBytes' | 'writtenBytes'>;

/**
 * Each save writes one checkpoint of the interval and, once older ones of these are gone, the newest one again, before the newest one of before goes (Lightning's
 * _save_last_checkpoint). When training ends the newest alone may be written. Null where the length of the run is not known.
 */
function twiceSaved(bytes: SavedBytes, plan: TrainingPlan): Room | null {
  const { lastSave, ...regular } = plan;
  const whole = savesOf(regular, plan);
  const all = lastSave === undefined ? whole : savesOf(plan, plan);
  if (whole === null || all === null) return null;
  const saves = Math.max(1, all);
  const ofInterval = Math.min(whole, (plan.keep ?? Number.POSITIVE_INFINITY) - 1);
  const end = { plan, lastBytes: null, endBytes: endBytesOf(bytes, plan) };
  const size = (count: number) => bytesOf(count, bytes.checkpoint, end);
  const beside = plan.endFolderAtEachSave === true ? (end.endBytes ?? 0) : 0;
  const most = added(timesOrNull(ofInterval + Math.min(saves, 2), bytes.checkpoint), beside);
  const kept = ofInterval + 1;
  const left = size(kept);
  return {
    saves,
    kept,
    bytes: left,
    peakBytes: most === null || left === null ? null : Math.max(most, left),
    writtenBytes: added(size(whole + saves), againBytes(end.endBytes, whole + saves, plan)),
  };
}

/** What is written with each save, and once more when training ends. */
function againBytes(endBytes: number | null, saves: number | null, { endFolderAtEachSave }: TrainingPlan): number | null {
  return endFolderAtEachSave === true ? timesOrNull(saves, endBytes) : 0;
}

interface Temporary {
  saves: number | null;
  /** At once while one of the interval is saved, while one more of these is after the last of the interval, and when training ends. */
  most: number;
  renewed: number;
  left: number;
}

/** Checkpoints between those of the interval. A step that is of both is one of the interval. */
function temporaryOf(plan: TrainingPlan): Temporary {
  const { temporarySave, saveIntervalSteps: interval } = plan;
  const steps = plan.steps === undefined ? undefined : lastStepOf(plan.steps, plan);
  if (temporarySave === undefined) return { saves: 0, most: 0, renewed: 0, left: 0 };
  const { saveIntervalSteps: between, keep, untilNext } = temporarySave;
  if (interval !== undefined && between % interval === 0) return { saves: 0, most: 0, renewed: 0, left: 0 };
  if (steps === undefined) return { saves: null, most: keep, renewed: 0, left: untilNext === true ? 0 : keep };
  const both = interval === undefined ? null : leastCommonMultiple(between, interval);
  const saves = Math.floor(steps / between) - (both === null ? 0 : Math.floor(steps / both));
  const most = Math.min(keep, saves);
  const after = afterTheLast(between, interval, steps);
  const renewed = Math.min(keep + 1, untilNext === true ? after : saves);
  const isRenewed = temporarySave.overlaps === true && after > 0 && !savesAtEnd(plan);
  return { saves, most, renewed: isRenewed ? renewed : 0, left: untilNext === true && after === 0 ? 0 : most };
}

/** With one more checkpoint at the end, there were not more before it. */
function savesAtEnd({ lastSave, secondSave, endFolder, endFolderAtEachSave }: TrainingPlan): boolean {
  return (
    lastSave !== undefined || secondSave?.lastSave !== undefined || (endFolder !== undefined && endFolderAtEachSave !== true)
  );
}

/** How many are saved after the last checkpoint of the interval. */
function afterTheLast(between: number, interval: number | undefined, steps: number): number {
  const last = interval === undefined ? 0 : Math.floor(steps / interval) * interval;
  return Math.floor(steps / between) - Math.floor(last / between);
}

function timesOrNull(count: number | null, bytes: number | null): number | null {
  if (count === 0) return 0;
  return count === null || bytes === null ? null : safe(count * bytes);
}

function added(left: number | null, right: number | null): number | null {
  return left === null || right === null ? null : safe(left + right);
}

/** Whether an older one goes once the last is written: not where what leaves the newest ones stays for ever. */
function deletesAtLast(saving: Saving, saves: number | null): boolean {
  if (saves === null || saves === 0) return saves === null;
  const [before, after] = [keptAfter(saves - 1, saving), keptAfter(saves, saving)];
  return before === null || after === null || before + 1 > after;
}

/** With one more than stay; 0 where none is deleted. The last one may be smaller. A run of unknown length deletes. */
function rotationPeak(
  { saves, kept }: Pick<RunSize, 'saves' | 'kept'>,
  checkpointBytes: number,
  lastBytes: number | null,
): number {
  if (kept === null || (saves !== null && saves <= kept)) return 0;
  const next = saves === kept + 1 ? (lastBytes ?? checkpointBytes) : checkpointBytes;
  return kept * checkpointBytes + next;
}

/** Of these, where the run does not come to its end. */
const ends: readonly PlanNote[] = ['trains-if-asked', 'interval-refused'];
const nothingSaved: readonly PlanNote[] = ['saves-never', 'saves-model-at-end', 'trains-nothing', ...ends];

/** No checkpoints; what is written when training ends may be all. */
export function savesNothing({ notes = [] }: TrainingPlan): boolean {
  return nothingSaved.some((note) => notes.includes(note));
}

function endOf(bytes: SavedBytes, plan: TrainingPlan): Pick<RunSize, 'bytes' | 'peakBytes' | 'writtenBytes' | 'endBytes'> {
  const endBytes = endBytesOf(bytes, plan);
  const whole = plan.endFolder === undefined || hasNoEnd(plan.notes) ? 0 : endBytes;
  return { bytes: whole, peakBytes: whole, writtenBytes: whole, endBytes };
}

function hasNoEnd(notes: readonly PlanNote[] = []): boolean {
  return ends.some((note) => notes.includes(note));
}

function endBytesOf(bytes: SavedBytes, { endFolder, notes = [] }: TrainingPlan): number | null {
  if (endFolder === undefined || hasNoEnd(notes)) return null;
  return endFolder === 'all' ? bytes.checkpoint : bytes.weights;
}

/** Checkpoints of a run that are there after so many saves, the oldest deleted. Never falls as saves go on. */
export function keptAfter(saves: number, { keep, keepEverySteps, saveIntervalSteps }: Rotation): number | null {
  if (keep === undefined || keep === null || saves <= keep) return saves;
  if (keepEverySteps === undefined || keepEverySteps <= 0) return keep;
  if (saveIntervalSteps === undefined) return null;
  // Milestones that are among the newest stay anyway.
  const apart = leastCommonMultiple(saveIntervalSteps, keepEverySteps);
  if (apart === null) return keepEverySteps <= saveIntervalSteps ? saves : keep;
  return safe(keep + Math.floor(((saves - keep) * saveIntervalSteps) / apart));
}

/** Checkpoints of one kind: how often they are saved, and how many stay. */
type Saving = Rotation & Pick<TrainingPlan, 'saveIntervalEpochs' | 'lastSave' | 'extraSaveSteps'>;

function savesOf(saving: Saving, plan: TrainingPlan): number | null {
  const { extraSaveSteps: extra = [] } = saving;
  if (extra.length === 0) return regularSaves(saving, plan);
  if (plan.steps === undefined) return null;
  const { saveIntervalSteps: interval, saveIntervalEpochs, lastSave } = saving;
  const last = lastStepOf(plan.steps, plan);
  const isAlone = interval === undefined && saveIntervalEpochs === undefined;
  const regular = isAlone ? (lastSave === undefined ? 0 : 1) : regularSaves(saving, plan);
  return added(regular, stepsBeside(extra, last, saving));
}

/** The number of the last step of so many. */
export function lastStepOf(steps: number, { stepsFromZero }: TrainingPlan): number {
  return stepsFromZero === true ? steps - 1 : steps;
}

/** How many of these steps of a run save nothing otherwise. */
function stepsBeside(extra: readonly number[], last: number, { saveIntervalSteps: interval, lastSave }: Saving): number {
  const isRegular = (step: number): boolean =>
    step > 0 && ((interval !== undefined && step % interval === 0) || (lastSave !== undefined && step === last));
  return [...new Set(extra)].filter((step) => step >= 0 && step <= last && !isRegular(step)).length;
}

function regularSaves({ saveIntervalSteps, saveIntervalEpochs, lastSave }: Saving, plan: TrainingPlan): number | null {
  const { epochs, steps, notes = [] } = plan;
  if (notes.includes('interval-required')) return null;
  // What is saved at the last step counts where the interval does not fall on it.
  const round = lastSave === undefined ? Math.floor : Math.ceil;
  if (saveIntervalSteps !== undefined)
    return steps === undefined || saveIntervalSteps === 0 ? null : safe(round(lastStepOf(steps, plan) / saveIntervalSteps));
  if (saveIntervalEpochs !== undefined && saveIntervalEpochs > 0 && epochs !== undefined)
    return safe(round(epochs / saveIntervalEpochs));
  const isAtEnd = saveIntervalEpochs === undefined && notes.includes('saves-at-end');
  return isAtEnd ? (lastSave === undefined ? 0 : 1) : null;
}

/** Without the length of the run as many as are kept at most, where milestones do not add to them. */
function keptOf(saving: Saving, saves: number | null, { notes = [] }: TrainingPlan): number | null {
  if (notes.includes('keep-open')) return saves === 0 ? 0 : null;
  if (saves !== null) return keptAfter(saves, saving);
  return saving.keep === undefined || saving.keepEverySteps !== undefined ? null : saving.keep;
}

interface Ends {
  plan: TrainingPlan;
  lastBytes: number | null;
  endBytes: number | null;
}

function bytesOf(count: number | null, checkpointBytes: number | null, { plan, lastBytes, endBytes }: Ends): number | null {
  if (count === null || checkpointBytes === null || (plan.lastSave === 'weights' && lastBytes === null && count > 0)) return null;
  const smaller = lastBytes === null || count === 0 ? 0 : checkpointBytes - lastBytes;
  if (plan.endFolder !== undefined && endBytes === null) return null;
  return safe(count * checkpointBytes - smaller + (endBytes ?? 0));
}

function sumOf(counts: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const count of counts) {
    if (count === null) return null;
    sum += count;
  }
  return sum;
}

function safe(value: number): number | null {
  return Number.isSafeInteger(value) ? value : null;
}
