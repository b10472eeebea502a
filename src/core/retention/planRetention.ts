/** From the files of a run, a policy and its holds to the report. */
import { FormatError, throwIfCancelled } from '../bytes/formatError.js';
import type { FileListing, FileTree } from '../files/fileTree.js';
import { joinPath } from '../files/paths.js';
import type { SavedCheckpoint } from '../runs/savedCheckpoint.js';
import { trainingRuns, type TrainingRun } from '../runs/trainingRun.js';
import { adapterBases, type AdapterBases } from './adapterBases.js';
import type { Candidate } from './candidate.js';
import { limits } from '../bytes/limits.js';
import { isCopied, type CopyManifest } from './copyManifest.js';
import { decide, type Decision } from './decide.js';
import { changedPaths, countSteps, doubtsOf, usualQuietMs, type DoubtFacts } from './doubts.js';
import { freedBytes } from './freedBytes.js';
import { holdsPath, type Hold } from './holds.js';
import { metricReader } from './metricValues.js';
import { epochOfName } from './namedCheckpoint.js';
import { readPointerFiles, type PointerFile } from './pointers.js';
import { protectionsOf } from './protections.js';
import { reason, type DoubtCode, type Reason } from './reason.js';
import { holdWithoutTarget, notesOf } from './retentionNotes.js';
import { logPath, trashedCheckpoints } from './retentionLog.js';
import type { RetentionReport } from './retentionReport.js';
import type { RetentionPolicy } from './retentionPolicy.js';
import { memberFinder, runMembers, withoutOwnFolder, type RunMembers } from './runMembers.js';
import { SmallFiles } from './smallFile.js';
import { unlistedCheckpoints } from './unlisted.js';
import { trainerHistory, type TrainerHistory } from './trainerStates.js';

export interface RetentionInput {
  path: string;
  tree: FileTree;
  policy: RetentionPolicy;
  /** All of the file, those that have ended too. */
  holds: readonly Hold[];
  manifests: readonly CopyManifest[];
  /** The policy's table of its metric; null without one. */
  metrics: ReadonlyMap<number, number> | null;
  /** What adapters elsewhere in the workspace are trained on. */
  adapters: AdapterBases;
  /** The run again, once its small files are read: what differs was written meanwhile. */
  listAgain: () => Promise<FileListing>;
  nowMs: number;
  /** Who asks, as the listing names owners; null where that is not known. */
  user: string | null;
  signal?: AbortSignal | undefined;
}

/** The report, and what a script needs to make sure of before it moves anything. */
export interface PlannedRetention {
  report: RetentionReport;
  run: RunMembers | null;
  pointers: PointerFile[];
}

/**
 * Opens pointers, states of the Trainer and configs of adapters, nothing else.
 * @throws FormatError `unsupported` where the directory has several runs, `corrupt` where a hold leads to nothing, `cancelled`
 */
export async function planRetention(input: RetentionInput): Promise<PlannedRetention> {
  const { tree, signal } = input;
  const all = await tree.list(signal);
  const listing = withoutOwnFolder(all);
  const files = new SmallFiles(tree, signal);
  const hasLog = all.entries.some((entry) => entry.path === logPath);
  const trash = trashedCheckpoints((hasLog ? await files.text(logPath, limits.retentionCharacters) : null) ?? '');
  const run = runMembers(tree.rootName, listing.entries);
  if (run === undefined)
    return {
      report: reportOf(input, { listing, facts: null, opened: files.opened, trash }, nothingDecided),
      run: null,
      pointers: [],
    };
  refuseEmptyHolds(input, listing);
  const training = trainingOf(run);
  const pointers = await readPointerFiles(run, files);
  const own = await adapterBases(listing.entries, files);
  const adapters = { bases: [...own.bases, ...input.adapters.bases], unread: [...own.unread, ...input.adapters.unread] };
  const history = await historyOf(run, training, files);
  throwIfCancelled(signal);
  const changed = changedPaths(listing, withoutOwnFolder(await input.listAgain()));
  const facts = { listing, run, training, pointers, adapters, history, changed };
  const decision = decide(candidatesOf(input, facts), input.policy, {
    nowMs: input.nowMs,
    areTimesLost: training.timesLost !== null,
  });
  return { report: reportOf(input, { listing, facts, opened: files.opened, trash }, decision), run, pointers };
}

/** A name with a mistake in it would leave what it is meant for without its hold. */
function refuseEmptyHolds({ holds, nowMs }: RetentionInput, { entries, errors }: FileListing): void {
  const paths = [...entries, ...errors].map(({ path }) => path);
  const hold = holdWithoutTarget(holds, paths, nowMs);
  if (hold === undefined) return;
  throw new FormatError('corrupt', `${holdsPath} holds ${hold.path}, which is not here: correct its path, or remove the hold`);
}

const nothingDecided: Decision = { keep: [], drop: [], undecided: [] };

interface Facts {
  listing: FileListing;
  run: RunMembers;
  training: TrainingRun;
  pointers: PointerFile[];
  adapters: AdapterBases;
  history: TrainerHistory;
  changed: readonly string[];
}

function trainingOf({ members }: RunMembers): TrainingRun {
  // A model in the run's directory itself is of the same run.
  return trainingRuns({ members, rest: [] })[0] as TrainingRun;
}

/** In the order of their steps. */
async function historyOf(
  { members, parent, rest }: RunMembers,
  training: TrainingRun,
  files: SmallFiles,
): Promise<TrainerHistory> {
  const byRoot = new Map(members.map((member) => [member.root, member]));
  const inOrder = training.checkpoints.flatMap(({ path }) => byRoot.get(path) ?? []);
  const own = joinPath(parent, 'trainer_state.json');
  return trainerHistory(
    inOrder,
    parent,
    rest.some(({ path }) => path === own),
    files,
  );
}

function candidatesOf(input: RetentionInput, facts: Facts): Candidate[] {
  const { policy, manifests, holds, nowMs } = input;
  const { listing, run, training, history } = facts;
  const saved = new Map(training.checkpoints.map((one) => [one.path, one]));
  const hasSteps = training.checkpoints.some(({ step }) => step !== null);
  const active = holds.filter(({ untilMs }) => untilMs === null || untilMs > nowMs);
  const protections = protectionsOf(run, listing.entries, { ...facts, holds: active, best: policy.keepBest });
  const doubtFacts = doubtFactsOf(input, facts);
  const lastStep = history.read.reduce<number | null>((last, root) => {
    const step = saved.get(root)?.step ?? null;
    return step === null ? last : Math.max(last ?? 0, step);
  }, null);
  const metricOf = policy.keepBest === null ? null : metricReader(policy.keepBest, { table: input.metrics, history }, lastStep);
  return run.members.map((member): Candidate => {
    const one = saved.get(member.root) as SavedCheckpoint;
    const order = hasSteps ? one.step : epochOfName(one.path);
    const components = Object.entries(one.components).flatMap(([id, bytes]) => (bytes > 0 ? [id] : []));
    return {
      path: one.path,
      step: one.step,
      order,
      bytes: one.bytes,
      finishedMs: one.finishedMs,
      components: new Set(components as (keyof typeof one.components)[]),
      protections: protections.get(one.path) ?? [],
      doubts: doubtsOf(member, one, order, doubtFacts),
      metric: metricOf === null ? null : metricOf(one),
      copies: manifests.filter((manifest) => isCopied(manifest, member)).length,
    };
  });
}

/** No owner is called so: nothing is judged where files have several owners and who asks is not known. */
const nobody = '';

function isOfOne(checkpoints: readonly SavedCheckpoint[]): boolean {
  return new Set(checkpoints.flatMap(({ owners }) => owners)).size <= 1;
}

function doubtFactsOf(
  { nowMs, user }: RetentionInput,
  { listing, run, training, pointers, adapters, changed }: Facts,
): DoubtFacts {
  const { checkpoints } = training;
  const memberOf = memberFinder(run.members);
  const longestMs = checkpoints.reduce<number | null>(
    (longest, { startedMs, finishedMs, complete }) =>
      startedMs === null || finishedMs === null || !complete ? longest : Math.max(longest ?? 0, finishedMs - startedMs),
    null,
  );
  const pointerPaths = new Set(pointers.map(({ path }) => path));
  const ofAll: Reason<DoubtCode>[] = [
    ...(listing.truncated ? [reason('listing-cut' as const)] : []),
    ...pointers.filter(({ isUnderstood }) => !isUnderstood).map(({ path }) => reason('pointer-unreadable' as const, path)),
    ...changed.filter((path) => pointerPaths.has(path)).map((path) => reason('pointer-changed' as const, path)),
    ...adapters.unread.slice(0, 1).map((path) => reason('adapter-unreadable' as const, path)),
  ];
  return {
    nowMs,
    quietMs: longestMs ?? usualQuietMs,
    owner: isOfOne(checkpoints) ? null : (user ?? nobody),
    steps: countSteps(checkpoints.map(({ step }) => step)),
    changed: new Set(changed.flatMap((path) => memberOf(path)?.root ?? [])),
    unlisted: listing.errors.map(({ path }) => path),
    paths: new Set(run.rest.map(({ path }) => path)),
    ofAll,
  };
}

/** What the report has besides the decision. */
interface Known {
  listing: FileListing;
  /** Null where there is no run. */
  facts: Facts | null;
  opened: string[];
  trash: RetentionReport['trash'];
}

function reportOf(
  { path, policy, holds, nowMs }: RetentionInput,
  { listing, facts, opened, trash }: Known,
  { keep, drop, undecided }: Decision,
): RetentionReport {
  const members = facts?.run.members ?? [];
  const dropped = new Set(drop.map(({ candidate }) => candidate.path));
  const freed = freedBytes(members.filter(({ root }) => dropped.has(root)));
  const named = ({ path: root, step, bytes }: Candidate) => ({ path: root, step, bytes });
  const unlisted = facts === null ? [] : unlistedCheckpoints(listing, facts.run);
  const others = (facts?.run.others ?? []).map(({ root, listing: { entries } }) => ({
    path: root,
    step: null,
    bytes: entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    why: [reason('other-run' as const)],
  }));
  return {
    kind: 'retention',
    schemaVersion: 2,
    path,
    run: facts?.run.parent ?? '',
    plannedAt: new Date(nowMs).toISOString(),
    policy,
    keep: keep.map(({ candidate, reasons }) => ({ ...named(candidate), reasons })),
    drop: drop.map(({ candidate, reasons }) => ({
      ...named(candidate),
      reasons,
      freedBytes: freed.byPath.get(candidate.path) ?? 0,
    })),
    undecided: [...undecided.map(({ candidate, why }) => ({ ...named(candidate), why })), ...others, ...unlisted],
    freedBytes: [...freed.byPath.values()].reduce((sum, bytes) => sum + bytes, 0),
    freedBasis: freed.basis,
    rotation: null,
    trash,
    notes: facts === null ? [] : notesOf(policy, holds, facts, nowMs),
    coverage: {
      checkpoints: members.length,
      files: listing.entries.length,
      isWhole: !listing.truncated && listing.errors.length === 0,
      unreadable: listing.errors.map((error) => error.path),
      opened,
    },
  };
}
