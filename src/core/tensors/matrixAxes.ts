/** Axes whose indices are the rows and columns of a grid: the last two of a tensor, of one axis its only one, and none of a scalar. */
export function matrixAxes(axes: number): { rowAxis: number | null; columnAxis: number | null } {
  if (axes === 0) return { rowAxis: null, columnAxis: null };
  return axes === 1 ? { rowAxis: 0, columnAxis: null } : { rowAxis: axes - 2, columnAxis: axes - 1 };
}
