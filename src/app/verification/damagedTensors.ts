import { FormatError } from '../../core/bytes/formatError.js';
import type { FileTree } from '../../core/files/fileTree.js';
import { inspect } from '../../core/inspection/inspect.js';
import { tensorsAt, type FileExtent } from '../../core/tensors/tensorsAt.js';
import type { Damage, VerificationReport } from '../../core/verification/verification.js';

/** Damaged places whose tensors are looked for: a page shows fewer. */
const mostPlaces = 200;

/**
 * The report with the tensors that damaged places are in, as far as the headers of the checkpoint can still be read.
 * @throws FormatError `cancelled`
 */
export async function withDamagedTensors(
  report: VerificationReport,
  tree: FileTree,
  signal: AbortSignal | undefined,
): Promise<VerificationReport> {
  const places = report.files.flatMap(({ path, damage }) => damage.map((one) => ({ path, one }))).slice(0, mostPlaces);
  if (places.length === 0) return report;
  const named = await namesOf(places, tree, signal);
  const files = report.files.map((file) => ({ ...file, damage: file.damage.map((one) => named.get(one) ?? one) }));
  return { ...report, files };
}

/** Damage with its tensors; what has none is left out. */
async function namesOf(
  places: readonly { path: string; one: Damage }[],
  tree: FileTree,
  signal: AbortSignal | undefined,
): Promise<Map<Damage, Damage>> {
  const named = new Map<Damage, Damage>();
  try {
    const { report, tensors } = await inspect(tree, { path: tree.rootName, ...(signal && { signal }) });
    if (report.kind !== 'checkpoint') return named;
    const numbers = new Map(report.files.map(({ path }, index) => [path, index]));
    const known = places.filter(({ path }) => numbers.has(path));
    const extents = known.map(({ path, one }): FileExtent => ({ ...one, file: numbers.get(path) ?? -1 }));
    for (const [index, { names, more }] of tensorsAt(tensors, extents).entries()) {
      const one = known[index]?.one;
      if (one !== undefined && names.length > 0) named.set(one, { ...one, tensors: { names, more } });
    }
  } catch (error) {
    // Of files that can no longer be read places are all that is known.
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
  }
  return named;
}
