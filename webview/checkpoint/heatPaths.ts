/** Cells of one level as SVG path data, in units of a cell. */
export interface HeatPath {
  level: number;
  path: string;
}

/** One path for each level but 0, so that a picture of 16,384 cells is a few elements; cells beside each other are one rectangle. */
export function heatPaths(levels: readonly number[], columns: number): HeatPath[] {
  const paths = new Map<number, string[]>();
  for (let at = 0; at < levels.length;) {
    const level = levels[at] as number;
    const rowEnd = at - (at % columns) + columns;
    let end = at + 1;
    while (end < rowEnd && levels[end] === level) end += 1;
    if (level !== 0) {
      const parts = paths.get(level) ?? [];
      paths.set(level, parts);
      const width = end - at;
      parts.push(`M${at % columns} ${Math.floor(at / columns)}h${width}v1h-${width}z`);
    }
    at = end;
  }
  return [...paths].sort(([a], [b]) => a - b).map(([level, parts]) => ({ level, path: parts.join('') }));
}
