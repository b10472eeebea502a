/** Compares the bytes of tensors that names say are copies: some of them, at a few places. */
import { FormatError, throwIfCancelled } from '../bytes/formatError.js';
import { limits } from '../bytes/limits.js';
import { sameBytes } from '../bytes/sampledBytes.js';
import { withFile, type OpenContext } from '../files/openFiles.js';
import { CopyCandidates, seriesOf, setOf, type CopyPair } from './copies.js';
import { sampleCopies, type SampledCopy } from './copySample.js';
import type { Parts } from './parts.js';
import { nameTensors, type NamedTensors } from './tensorScopes.js';

/** What looking at the bytes of a pair showed. `compared` and `differing` count tensors. */
export interface ComparedPair extends CopyPair {
  compared: number;
  differing: number;
  /** Of hard links: nothing was read, and nothing is stored twice. */
  isSameFile: boolean;
}

/** Whether nothing that was compared differs: of arrays outside of a model some has to be. */
export function areCopies({ what, compared, differing, isSameFile }: ComparedPair): boolean {
  return differing === 0 && (what === 'weights' || compared > 0 || isSameFile);
}

/** Copies with what is known of their bytes, and the names that follow: what differs is no copy. */
export interface ComparedCopies extends NamedTensors {
  pairs: ComparedPair[];
}

/**
 * Reads at most `limits.copyBytes` of the two files of each pair, and `limits.allCopiesBytes` in all. Files that cannot be read stay
 * as their names say.
 * @throws FormatError `cancelled`
 */
export async function compareCopies(context: OpenContext, parts: Parts): Promise<ComparedCopies> {
  const named = nameTensors(parts);
  const pairs = await new Comparison(context, parts).compare(new CopyCandidates(parts, named.names));
  if (pairs.every(areCopies)) return { ...named, pairs };
  return { ...nameTensors(parts, groupsOf(pairs)), pairs };
}

/** Compares each set with one of each group of equal ones before it, and puts it to the first that it equals. */
class Comparison {
  private left: number = limits.allCopiesBytes;

  constructor(
    private readonly context: OpenContext,
    private readonly parts: Parts,
  ) {}

  async compare(candidates: CopyCandidates): Promise<ComparedPair[]> {
    const pairs: ComparedPair[] = [];
    const groups = new Groups();
    for (const set of candidates.sets) {
      let isCopy = false;
      for (const group of groups.besides(set)) {
        throwIfCancelled(this.context.signal);
        const pair = candidates.pairOf(group, set);
        if (pair === undefined) continue;
        const compared = { ...pair, ...(await this.comparePair(pair)) };
        pairs.push(compared);
        isCopy = areCopies(compared);
        if (isCopy) break;
      }
      if (!isCopy) groups.add(set);
    }
    return pairs;
  }

  private async comparePair(pair: CopyPair): Promise<Pick<ComparedPair, 'compared' | 'differing' | 'isSameFile'>> {
    if (isSameFile(this.parts, pair)) return { compared: 0, differing: 0, isSameFile: true };
    if (this.left < limits.copyBytes) return { compared: 0, differing: 0, isSameFile: false };
    this.left -= limits.copyBytes;
    return { ...(await comparePair(this.context, this.parts, pair)), isSameFile: false };
  }
}

/** Sets that others are compared with: saves of one series are no copies of each other, however many there are. */
class Groups {
  private readonly bySeries = new Map<string, string[]>();

  add(set: string): void {
    const series = seriesOf(set);
    const known = this.bySeries.get(series);
    if (known === undefined) this.bySeries.set(series, [set]);
    else known.push(set);
  }

  /** Those of other series, the first `limits.comparedGroups`. */
  *besides(set: string): Generator<string> {
    const own = seriesOf(set);
    let left: number = limits.comparedGroups;
    for (const [series, sets] of this.bySeries) {
      if (series === own) continue;
      for (const other of sets) {
        if (left-- === 0) return;
        yield other;
      }
    }
  }
}

/** Whether the tensors are in files that are one on the disk under two names. */
function isSameFile({ tensors, files }: Parts, { rows }: CopyPair): boolean {
  const fileOf = (row: number): string | undefined => files[tensors.pieceFile(tensors.firstPieceOf(row))]?.fileId;
  return rows.every(([row, copy]) => fileOf(row) !== undefined && fileOf(row) === fileOf(copy));
}

async function comparePair(
  context: OpenContext,
  parts: Parts,
  pair: CopyPair,
): Promise<Pick<ComparedPair, 'compared' | 'differing'>> {
  let compared = 0;
  let differing = 0;
  for (const sample of sampleCopies(pair.rows, (row) => parts.tensors.pieceSize(parts.tensors.firstPieceOf(row)))) {
    const equal = await areEqual(context, parts, sample);
    if (equal === null) continue;
    compared += 1;
    if (!equal) differing += 1;
  }
  return { compared, differing };
}

/** Null where they cannot be compared: in several pieces, compressed, or in a file that cannot be read. */
async function areEqual(context: OpenContext, parts: Parts, sample: SampledCopy): Promise<boolean | null> {
  const [row, copy] = sample.rows;
  const [first, second] = [placeOf(parts, row), placeOf(parts, copy)];
  if (first === null || second === null || first.bytes !== second.bytes) return null;
  try {
    return await withFile(context, first.path, (a) =>
      withFile(context, second.path, (b) => sameBytes([a, first.offset], [b, second.offset], sample, context.signal)),
    );
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    return null;
  }
}

interface Place {
  path: string;
  offset: number;
  bytes: number;
}

function placeOf({ tensors, files }: Parts, row: number): Place | null {
  const piece = tensors.firstPieceOf(row);
  const path = files[tensors.pieceFile(piece)]?.path;
  if (path === undefined || tensors.endPieceOf(row) !== piece + 1) return null;
  const bytes = tensors.pieceSize(piece);
  return tensors.pieceLogicalSize(piece) === bytes && bytes > 0 ? { path, offset: tensors.pieceOffset(piece), bytes } : null;
}

/** Sets of files by what they are copies of: those whose bytes differ are in groups of their own. */
function groupsOf(pairs: readonly ComparedPair[]): (path: string) => string {
  const parents = new Map<string, string>();
  const rootOf = (set: string): string => {
    let root = set;
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent;
    return root;
  };
  for (const pair of pairs) {
    if (!areCopies(pair)) continue;
    const [a, b] = [rootOf(pair.sets[0]), rootOf(pair.sets[1])];
    if (a !== b) parents.set(b, a);
  }
  const apart = new Set(pairs.flatMap((pair) => (areCopies(pair) ? [] : pair.sets.map(rootOf))));
  return (path) => {
    const root = rootOf(setOf(path));
    return apart.has(root) ? root : '';
  };
}
