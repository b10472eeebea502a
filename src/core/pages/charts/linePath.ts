/** Paths of SVG through points in pixels. */

interface Pixels {
  x: number;
  y: number;
}

/** Finer than any screen shows, and short in a file. */
const decimals = 3;

/** A line through points; null is a gap. */
export function linePath(points: readonly (Pixels | null)[]): string {
  return runsOf(points)
    .map((run) => `${throughAll(run)}${run.length === 1 ? 'Z' : ''}`)
    .join('');
}

/** What is between such a line and `base`. */
export function areaPath(points: readonly (Pixels | null)[], base: number): string {
  return runsOf(points)
    .map((run) => `${throughAll([...run, ...run.toReversed().map(({ x }) => ({ x, y: base }))])}Z`)
    .join('');
}

/** The points of a line, and those between them, none further from the next than a text is high. */
export function pointsAlong(points: readonly Pixels[]): Pixels[] {
  return points.flatMap((point, index) => {
    const next = points[index + 1];
    if (next === undefined) return [point];
    const steps = Math.ceil(Math.hypot(next.x - point.x, next.y - point.y) / stepPixels);
    // Without a length there is nothing between them.
    if (!(steps > 1 && steps < Infinity)) return [point];
    const at = (share: number) => ({ x: point.x + (next.x - point.x) * share, y: point.y + (next.y - point.y) * share });
    return Array.from({ length: steps }, (_, step) => at(step / steps));
  });
}

/** Half the height of a line of text. */
const stepPixels = 8;

/** Points between gaps. */
function runsOf(points: readonly (Pixels | null)[]): Pixels[][] {
  const runs: Pixels[][] = [[]];
  for (const point of points) {
    if (point === null) runs.push([]);
    else runs.at(-1)?.push(point);
  }
  return runs.filter(({ length }) => length > 0);
}

function throughAll(points: readonly Pixels[]): string {
  return points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${rounded(x)},${rounded(y)}`).join('');
}

function rounded(pixels: number): number {
  return Math.round(pixels * 10 ** decimals) / 10 ** decimals;
}
