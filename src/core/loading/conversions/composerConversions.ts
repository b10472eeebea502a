import type { Conversion } from '../../checkpoints/loadReport.js';
import { baseName, parentPath } from '../../files/paths.js';
import { at, commandOf, type Place } from './conversionPlace.js';
import { halfBytes } from './directoryBytes.js';

/** Converts a single-file checkpoint of Composer. */
export function composer(place: Place): Conversion[] {
  const { parts, bytes } = place;
  const single = parts.files.filter(({ path }) => /^ep\d+-ba\d+-rank0\.pt$/.test(baseName(path)));
  if (parts.layout !== 'composer' || parts.files.some(({ path }) => /-rank[1-9]\d*\.pt$/.test(path))) return [];
  return single.slice(0, 1).map(({ path, sizeBytes }): Conversion => {
    const file = at(place, path);
    return {
      to: 'Hugging Face model',
      command: commandOf([
        'python scripts/inference/convert_composer_to_hf.py --composer_path',
        { path: file },
        '--hf_output_path',
        { path: `${file.replace(/\.pt$/, '')}-hf` },
        '--output_precision bf16',
      ]),
      memoryBytes: sizeBytes,
      diskBytes: (bytes().get(parentPath(path))?.weightElements ?? 0) * halfBytes,
      source: 'scripts/inference/convert_composer_to_hf.py of LLM Foundry: the whole file is in memory.',
    };
  });
}
