/** Files of a save that are not there, as its findings name them: what a verdict would rest on as well. */
import { joinPath, parentPath } from '../files/paths.js';
import type { Finding } from '../findings/finding.js';

/** How many files of training state are missing by an index, by their numbers or by the number of ranks; a file of two findings counts once. */
export function countAbsentFiles(findings: readonly Finding[]): number {
  const named = new Set<string>();
  let count = 0;
  for (const finding of findings) {
    switch (finding.code) {
      case 'index-shard-missing':
        named.add(joinPath(parentPath(finding.path ?? ''), finding.facts.shard));
        break;
      case 'database-file-missing':
      case 'common-state-missing':
        named.add(finding.facts.file);
        break;
      case 'shard-missing':
        count += finding.facts.shards;
        break;
      case 'arrays-missing':
        count += finding.facts.missing;
        break;
      case 'rank-file-missing':
      case 'rng-rank-missing':
      case 'pipeline-layers-missing':
      case 'universal-files-missing':
      case 'universal-moments-missing':
      case 'zero-shards-missing':
      case 'zero-weights-missing':
      case 'distributed-optimizer-missing':
        count += finding.facts.files;
        break;
      default:
    }
  }
  return count + named.size;
}
