/** Opens the files of a listing through their formats and gathers what they hold. One damaged file is a finding, no more. */
import { throwIfCancelled } from '../bytes/formatError.js';
import { limits } from '../bytes/limits.js';
import type { Listing } from '../files/listing.js';
import { runOrdered } from '../files/orderedPool.js';
import type { Parts } from './parts.js';
import { leftClosed, unitsOf } from './readUnits.js';
import { noteDownloads } from './reading/closedFiles.js';
import { FileReader } from './reading/fileReader.js';
import { HoleSearch } from './reading/holes.js';
import type { ReadContext, SideFiles } from './reading/readContext.js';
import { ReadState } from './reading/readState.js';
import { SetReader } from './reading/setReader.js';
import type { RolesOfPaths } from './roles/fileRule.js';
import { describeStates } from './statesByContent.js';
import { describeVocabularies } from './vocabularies.js';

export interface ReadResult {
  parts: Parts;
  side: SideFiles;
}

/**
 * Reads all entries into new parts: file sets through their format, every other file by its role. The caller fills in layout, step
 * and topology.
 */
export async function readFiles(
  context: ReadContext,
  listing: Listing,
  roles: RolesOfPaths = context.roles,
): Promise<ReadResult> {
  const units = unitsOf(listing, context.roles, roles);
  const left = leftClosed(units);
  const state = new ReadState(context, roles, left, listing.isSingleFile);
  const holes = new HoleSearch(state);
  const files = new FileReader(state, holes);
  const sets = new SetReader(state, files, holes);
  let done = 0;
  await runOrdered(units, limits.concurrentReads, async (unit, _, turn) => {
    throwIfCancelled(context.signal);
    const path = await (unit.kind === 'file' ? files.readEntry(unit, turn) : sets.readSet(unit.found, turn));
    done += unit.kind === 'file' ? 1 : unit.found.set.paths.length;
    context.onFile(path, done, context.entries.length);
  });
  return finish(state);
}

function finish(state: ReadState): ReadResult {
  state.parts.leftClosed = state.left.size;
  noteDownloads(state);
  state.shared.sharded.addTo(state.parts.tensors);
  describeVocabularies(state.parts);
  describeStates(state.parts);
  return { parts: state.parts, side: state.side };
}
