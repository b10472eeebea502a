/** From the files of a run, a policy and its holds to the report. */
import { FormatError } from '../bytes/formatError.js';
import { limits } from '../bytes/limits.js';
import type { FileListing } from '../files/fileTree.js';
import { buildRetentionReport } from './buildRetentionReport.js';
import { candidatesOf } from './candidates.js';
import { decide, type Decision } from './decide.js';
import { holdsPath } from './holds.js';
import type { PointerFile } from './pointers.js';
import { retentionFacts, type RetentionInput } from './retentionFacts.js';
import { logPath, trashedCheckpoints } from './retentionLog.js';
import { holdWithoutTarget } from './retentionNotes.js';
import type { RetentionReport } from './retentionReport.js';
import { runMembers, withoutOwnFolder, type RunMembers } from './runMembers.js';
import { SmallFiles } from './smallFile.js';

/** The report, and what a script needs to make sure of before it moves anything. */
export interface PlannedRetention {
  report: RetentionReport;
  run: RunMembers | null;
  pointers: PointerFile[];
  /** Names of what lies beside the run and has its name in it. */
  near: string[];
}

/**
 * Opens pointers, states and arguments of the Trainer, configs of adapters and the log of scripts, nothing else.
 * @throws FormatError `unsupported` where the directory has several runs, `corrupt` where a hold leads to nothing, `cancelled`
 */
export async function planRetention(input: RetentionInput): Promise<PlannedRetention> {
  const { tree, signal } = input;
  const all = await tree.list(signal);
  const listing = withoutOwnFolder(all);
  const files = new SmallFiles(tree, signal);
  const hasLog = all.entries.some((entry) => entry.path === logPath);
  const log = hasLog ? await files.text(logPath, limits.retentionCharacters) : null;
  const trash = trashedCheckpoints(
    log ?? '',
    all.entries.map(({ path }) => path),
  );
  const run = runMembers(tree.rootName, listing.entries);
  const known = { listing, opened: files.opened, trash };
  if (run === undefined)
    return { report: buildRetentionReport(input, { ...known, facts: null }, nothingDecided), run: null, pointers: [], near: [] };
  refuseEmptyHolds(input, listing);
  const facts = await retentionFacts(input, listing, run, files);
  const areTimesLost = facts.training.timesLost !== null;
  const decision = decide(candidatesOf(input, facts), input.policy, { nowMs: input.nowMs, areTimesLost });
  const report = buildRetentionReport(input, { ...known, facts }, decision);
  return { report, run, pointers: facts.pointers, near: facts.near };
}

/** A name with a mistake in it would leave what it is meant for without its hold. */
function refuseEmptyHolds({ holds, nowMs }: RetentionInput, { entries, errors }: FileListing): void {
  const paths = [...entries, ...errors].map(({ path }) => path);
  const hold = holdWithoutTarget(holds, paths, nowMs);
  if (hold === undefined) return;
  throw new FormatError('corrupt', `${holdsPath} holds ${hold.path}, which is not here: correct its path, or remove the hold`);
}

const nothingDecided: Decision = { keep: [], drop: [], undecided: [] };
