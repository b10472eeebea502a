/**
 * Clocks that were set back between two saves. A later step then has an earlier time, as after a rewind; but after a rewind training is never faster than it is,
 * and by times of two clocks it seems to be.
 */
import { medianOrNull } from '../bytes/median.js';
import { pairsOf, secondsOfStep, type Timed } from './gaps.js';

/** Between two saves. */
export interface ClockJump {
  afterStep: number;
  beforeStep: number;
  /** By which it was set back, where the steps between the two took as long as those of others do. */
  seconds: number;
}

/** Of the time that steps take: no evaluation or storage that is spared makes training so much faster. */
const leastShare = 0.5;
/** Later steps with earlier times, each before one with a later time: training that went back does so once or twice. */
const leastAlternations = 3;

/** @param saves in the order of their times */
export function clockJumps(saves: readonly Timed[]): ClockJump[] {
  const inSteps = pairsOf([...saves].sort((a, b) => a.step - b.step || a.finishedMs - b.finishedMs));
  const pairs = pairsOf(saves);
  const isBack = (index: number): boolean => pairs[index] !== undefined && stepsOf(pairs[index]) < 0;
  const isForward = (pair: Pair): boolean => stepsOf(pair) > 0;
  const isSuspect = (_pair: Pair, index: number): boolean => isBack(index - 1) || isBack(index + 1);
  const trusted = pairs.filter((pair, index) => !isSuspect(pair, index) && isForward(pair));
  // Times of two clocks that alternate leave none: their steps do.
  const isAlternating = pairs.filter((_pair, index) => isBack(index)).length >= leastAlternations;
  const perStep = medianOrNull((trusted.length > 0 || !isAlternating ? trusted : inSteps.filter(isForward)).map(secondsOfStep));
  const isTooFast = (pair: Pair): boolean => isForward(pair) && secondsOfStep(pair) < leastShare * (perStep ?? 0);
  if (perStep === null || !pairs.filter(isSuspect).some(isTooFast)) return [];
  return inSteps
    .filter((pair) => secondsOf(pair) < 0)
    .map((pair) => ({ afterStep: pair[0].step, beforeStep: pair[1].step, seconds: stepsOf(pair) * perStep - secondsOf(pair) }));
}

type Pair = [before: Timed, after: Timed];

function stepsOf([before, after]: Pair): number {
  return after.step - before.step;
}

function secondsOf([before, after]: Pair): number {
  return (after.finishedMs - before.finishedMs) / 1000;
}
