/**
 * How often to save. tau is the training time between two saves, d the time for which training stands still for one, M the job's mean
 * time between failures, R restart and restore. Failures are taken as independent (exponential), as in all of these models.
 */

export interface OptimalInterval {
  /** √(2 d M). Young, CACM 17(9), 1974. Too long where d comes near M. */
  young: number;
  /** Higher order. Daly, FGCS 22(3), 2006, doi 10.1016/j.future.2004.11.016; M itself from d = 2 M on. */
  daly: number;
  /** The minimum of Daly's cost model itself: M (1 + W₀(−e^(−d/M − 1))). */
  exact: number;
}

/** @param stallSeconds above 0 @param mtbfSeconds above 0 */
export function optimalInterval(stallSeconds: number, mtbfSeconds: number): OptimalInterval {
  return {
    young: Math.sqrt(2 * stallSeconds * mtbfSeconds),
    daly: daly(stallSeconds, mtbfSeconds),
    exact: exact(stallSeconds, mtbfSeconds),
  };
}

function daly(d: number, M: number): number {
  if (d >= 2 * M) return M;
  const x = d / (2 * M);
  return Math.sqrt(2 * d * M) * (1 + Math.sqrt(x) / 3 + x / 9) - d;
}

/**
 * The root of (1 − u) e^u = e^(−d/M) with u = tau / M, which is where the derivative of the cost vanishes: the Lambert form without its
 * loss of digits near the branch point. Newton on −log(1 − u) − u = d/M, which is convex; from above the root it never overshoots.
 */
function exact(d: number, M: number): number {
  const ratio = d / M;
  // 1 − u is then below what numbers hold.
  if (ratio > 30) return M;
  let u = Math.min(Math.sqrt(2 * ratio), 1 - Math.exp(-ratio - 1) / 2);
  for (let round = 0; round < 60; round += 1) {
    const value = -Math.log1p(-u) - u - ratio;
    const next = u - (value * (1 - u)) / u;
    if (!(next < u)) break;
    u = next;
  }
  return u * M;
}

export interface IntervalCosts {
  stallSeconds: number;
  mtbfSeconds: number;
  restartSeconds: number;
}

/**
 * Wall-clock time for each second of training, failures included: Daly's M e^(R/M) (e^((tau + d)/M) − 1) / tau.
 * Infinity where the exponent leaves what numbers hold: such a job never ends.
 */
export function expectedSlowdown(intervalSeconds: number, { stallSeconds, mtbfSeconds, restartSeconds }: IntervalCosts): number {
  const M = mtbfSeconds;
  return (M * Math.exp(restartSeconds / M) * Math.expm1((intervalSeconds + stallSeconds) / M)) / intervalSeconds;
}

/** Share of the wall-clock time that trains (ETTR, goodput): the inverse of the slowdown, between 0 and 1. */
export function goodput(intervalSeconds: number, costs: IntervalCosts): number {
  return 1 / expectedSlowdown(intervalSeconds, costs);
}

/** What is given up for fewer saves: a fifth of a point of the time, the least for which an interval is called better. */
export const frugalLossShare = 0.002;

/** The longest interval up to `mostSeconds` that trains at most `lossShare` less than the best, beyond which the share falls. By bisection. */
export function longestInterval(bestSeconds: number, mostSeconds: number, lossShare: number, costs: IntervalCosts): number {
  const wanted = goodput(bestSeconds, costs) - lossShare;
  if (wanted <= 0) return bestSeconds;
  let [good, poor] = [bestSeconds, mostSeconds];
  if (goodput(poor, costs) >= wanted) return poor;
  for (let round = 0; round < 40; round += 1) {
    const middle = Math.sqrt(good * poor);
    if (goodput(middle, costs) >= wanted) good = middle;
    else poor = middle;
  }
  return good;
}

/** What the rest of the time goes to; the three and `training` sum to 1. */
export interface TimeShares {
  training: number;
  stalled: number;
  /** Lost work that is done again. */
  repeated: number;
  restarting: number;
}

/** Splits the lost share: stalls and restarts by how often they happen, the rest is work that failures made void. */
export function timeShares(intervalSeconds: number, costs: IntervalCosts): TimeShares {
  const { stallSeconds, mtbfSeconds, restartSeconds } = costs;
  const training = goodput(intervalSeconds, costs);
  const withoutRestart = goodput(intervalSeconds, { ...costs, restartSeconds: 0 });
  const stalled = Math.min((training * stallSeconds) / intervalSeconds, 1 - training);
  const restarting = mtbfSeconds === 0 ? 0 : Math.max(0, withoutRestart - training);
  const bounded = Math.min(restarting, 1 - training - stalled);
  return { training, stalled, repeated: 1 - training - stalled - bounded, restarting: restartSeconds === 0 ? 0 : bounded };
}
