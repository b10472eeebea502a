import type { CheckpointReport } from '../../src/core/checkpoints/checkpointReport.js';
import type { ComponentId } from '../../src/core/tensors/component.js';
import { visibleText } from '../../src/core/text/visibleText.js';

const titlePaths = 12;

/** Where a component lies: its largest file and how many more, and the first dozen for a title. Safe to show. */
export function filesOfComponent(report: CheckpointReport, component: ComponentId): { where: string; everywhere: string } {
  const files = report.files
    .map(({ path, components }) => ({ path: visibleText(path), bytes: components[component] ?? 0 }))
    .filter(({ bytes }) => bytes > 0)
    .sort((a, b) => b.bytes - a.bytes);
  const [largest] = files;
  if (largest === undefined) return { where: '', everywhere: '' };
  const hidden = files.length - titlePaths;
  return {
    where: commonName(files.map(({ path }) => path)) ?? `${largest.path} and ${files.length - 1} more`,
    everywhere: [...files.slice(0, titlePaths).map(({ path }) => path), ...(hidden > 0 ? [`and ${hidden} more`] : [])].join('\n'),
  };
}

/** `rng_state_?.pth` for names that differ in digits only; null for all others. */
function commonName(paths: string[]): string | null {
  const [first = ''] = paths;
  const characters = first.split('');
  for (const path of paths) {
    if (path.length !== first.length || path.replace(/\d/g, '0') !== first.replace(/\d/g, '0')) return null;
    for (let index = 0; index < path.length; index += 1) {
      if (path[index] !== first[index]) characters[index] = '?';
    }
  }
  return characters.join('');
}
