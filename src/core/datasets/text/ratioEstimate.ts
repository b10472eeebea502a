/**
 * The total of something of which a sample was seen, by the ratio to something whose total is known (W. G. Cochran, Sampling Techniques,
 * 3rd edition, chapter 6): total = X * sum(y) / sum(x), with the standard error of its linear form.
 */

export interface RatioSample {
  /** What was counted in the window. */
  y: number;
  /** The known quantity in the same window. */
  x: number;
}

export interface RatioEstimate {
  count: number;
  low: number;
  high: number;
}

/**
 * @param total sum of x over everything
 * @param share of the true totals that are to lie inside of the interval
 * @returns null without a sample
 */
export function estimateRatio(samples: readonly RatioSample[], total: number, confidence: number): RatioEstimate | null {
  const n = samples.length;
  let sumX = 0;
  let sumY = 0;
  for (const { x, y } of samples) {
    sumX += x;
    sumY += y;
  }
  if (n === 0 || sumX <= 0) return null;
  const ratio = sumY / sumX;
  const count = ratio * total;
  // From one window nothing can be said about others: half and twice.
  if (n === 1) return { count, low: count / 2, high: count * 2 };
  let squares = 0;
  for (const { x, y } of samples) squares += (y - ratio * x) ** 2;
  // Windows may overlap, so that what was seen never makes the error smaller by itself.
  const variance = squares / (n - 1) / n;
  const error = (Math.sqrt(variance) / (sumX / n)) * total;
  // Of few windows with long documents among them the spread is too small more often than not (Cochran, 6.8): a fifth of the risk makes
  // up for it, as tests over many seeds show. Windows that all look alike prove less than their spread says.
  const margin = error * studentQuantile(n - 1, 1 - (1 - confidence) / 5) + count * 0.002;
  return { count, low: Math.max(0, count - margin), high: count + margin };
}

/** Two-sided quantile of Student's t, by Hill's expansion (Communications of the ACM 13, algorithm 396). */
export function studentQuantile(degrees: number, confidence: number): number {
  const p = 1 - confidence;
  if (degrees === 1) return Math.cos((p * Math.PI) / 2) / Math.sin((p * Math.PI) / 2);
  if (degrees === 2) return Math.sqrt(2 / (p * (2 - p)) - 2);
  const a = 1 / (degrees - 0.5);
  const b = 48 / (a * a);
  let c = ((20700 * a) / b - 98) * a - 16;
  c = c * a + 96.36;
  const d = ((94.5 / (b + c) - 3) / b + 1) * Math.sqrt((a * Math.PI) / 2) * degrees;
  let y = (d * p) ** (2 / degrees);
  if (y > 0.05 + a) {
    const x = normalQuantile(p / 2);
    y = x * x;
    if (degrees < 5) c += 0.3 * (degrees - 4.5) * (x + 0.6);
    c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c;
    y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x;
    y = a * y * y;
    y = y > 0.002 ? Math.exp(y) - 1 : 0.5 * y * y + y;
  } else {
    y =
      ((1 / (((degrees + 6) / (degrees * y) - 0.089 * d - 0.822) * (degrees + 2) * 3) + 0.5 / (degrees + 4)) * y - 1) *
        ((degrees + 1) / (degrees + 2)) +
      1 / y;
  }
  return Math.sqrt(degrees * y);
}

/** Upper quantile of the normal distribution, absolute error below 4.5e-4 (Abramowitz and Stegun, 26.2.23); negative, as Hill's x is. */
function normalQuantile(p: number): number {
  const t = Math.sqrt(-2 * Math.log(p));
  return -(t - (2.515517 + 0.802853 * t + 0.010328 * t * t) / (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t ** 3));
}
