/** The rank in adapter_config.json against the shapes of a LoRA adapter beside it: PEFT makes the modules by the config and loads into these. */
import { baseName, joinPath, parentPath } from '../files/paths.js';
import type { Finding } from '../findings/finding.js';
import { findingTable } from '../findings/findingTable.js';
import { memberOf } from '../formats/text/jsonMember.js';
import type { Parts } from './parts.js';

/** Rows of the first matrix are the rank, of a linear module, a convolution and an embedding alike (peft/tuners/lora/layer.py). */
const firstMatrix = /\.lora_(?:embedding_)?A(?:\.[^.]+)*$/;

export interface AdapterComparison {
  findings: Finding[];
  /** Paths of configs that were compared. */
  compared: string[];
}

/** Damaged files, and adapters of other kinds, are not compared. @param json JSON files of the checkpoint by their paths */
export function compareAdapters(parts: Parts, json: ReadonlyMap<string, unknown>): AdapterComparison {
  const comparison: AdapterComparison = { findings: [], compared: [] };
  const ranks = ranksByDirectory(parts, json);
  for (const [directory, stored] of ranks) {
    const path = directory === '' ? 'adapter_config.json' : joinPath(directory, 'adapter_config.json');
    const stated = statedRanks(json.get(path));
    if (stated.size === 0) continue;
    comparison.compared.push(path);
    const other = [...stored].find((rank) => !stated.has(rank));
    const [rank = 0] = stated;
    if (other !== undefined)
      comparison.findings.push({ code: 'config-sizes-differ', path, facts: { what: 'LoRA rank', config: rank, stored: other } });
  }
  return comparison;
}

/** `r`, and what `rank_pattern` has for single modules. */
function statedRanks(config: unknown): ReadonlySet<number> {
  const kind = memberOf(config, 'peft_type');
  const rank = memberOf(config, 'r');
  if ((kind !== undefined && kind !== 'LORA') || typeof rank !== 'number') return new Set();
  const pattern = memberOf(config, 'rank_pattern');
  const others = typeof pattern === 'object' && pattern !== null ? (Object.values(pattern) as unknown[]) : [];
  return new Set([rank, ...others.filter((value): value is number => typeof value === 'number')]);
}

function ranksByDirectory(parts: Parts, json: ReadonlyMap<string, unknown>): Map<string, Set<number>> {
  const { tensors, files, findings } = parts;
  const ranks = new Map<string, Set<number>>();
  const directories = new Set([...json.keys()].filter((path) => baseName(path) === 'adapter_config.json').map(parentPath));
  if (directories.size === 0) return ranks;
  const damaged = new Set(findings.flatMap(({ code, path }) => (findingTable[code].severity === 'error' ? [path] : [])));
  for (let row = 0; row < tensors.size; row++) {
    const path = files[tensors.pieceFile(tensors.firstPieceOf(row))]?.path ?? '/';
    const directory = parentPath(path);
    if (!directories.has(directory) || damaged.has(path) || tensors.elementsOf(row) === 0) continue;
    if (!baseName(path).startsWith('adapter_model.') || !firstMatrix.test(tensors.nameOf(row))) continue;
    const [rank] = tensors.shapeOf(row);
    if (rank !== undefined) ranks.set(directory, (ranks.get(directory) ?? new Set()).add(rank));
  }
  return ranks;
}
