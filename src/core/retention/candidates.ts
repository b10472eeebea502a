/** The checkpoints of a run as the rules see them: with what protects each, and its caveats. */
import { stepOfName } from '../checkpoints/runs/stepOfName.js';
import { baseName } from '../files/paths.js';
import { isPointerName } from '../inspection/runs/runPointers.js';
import type { RunMember } from '../inspection/runs/run.js';
import type { SavedCheckpoint } from '../runs/savedCheckpoint.js';
import type { Candidate } from './candidate.js';
import { isCopied } from './copyManifest.js';
import { countSteps, caveatsOf, hasWeights, usualQuietMs, type CaveatFacts } from './caveats.js';
import { metricReader } from './metricValues.js';
import { epochOfName, patternsOf } from './namedCheckpoint.js';
import { protectionsOf } from './protections.js';
import { reason, type CaveatCode, type Reason } from './reason.js';
import type { TrainerHistory } from './trainerStates.js';
import { activeHolds } from './holds.js';
import type { RetentionFacts, RetentionInput } from './retentionFacts.js';
import { comparedOf } from '../runs/savedCheckpoint.js';
import { shorterFile, usualFiles } from '../runs/usualFiles.js';
import { uncertainTimes } from '../runs/uncertainTimes.js';
import { namesOfTwoRuns } from '../runs/mixedRuns.js';
import { caveatsOfContents } from './runContents.js';
import { memberFinder, type RunMembers } from './runMembers.js';

export function candidatesOf(input: RetentionInput, facts: RetentionFacts): Candidate[] {
  const { policy, manifests, holds, nowMs } = input;
  const { listing, run, training, history } = facts;
  const saved = new Map(training.checkpoints.map((one) => [one.path, one]));
  const hasSteps = training.checkpoints.some(({ step }) => step !== null);
  const protections = protectionsOf(run, listing.entries, { ...facts, holds: activeHolds(holds, nowMs), best: policy.keepBest });
  const lastStep = history.read.reduce<number | null>((last, root) => {
    const step = saved.get(root)?.step ?? null;
    return step === null ? last : Math.max(last ?? 0, step);
  }, null);
  const usual = usualFiles(run.members.map((member) => ({ ...comparedOf(member), entries: member.listing.entries })));
  const shorterFiles = (member: RunMember): string | null => shorterFile(member.listing.entries, comparedOf(member), usual);
  const caveatFacts = { ...caveatFactsOf(input, facts), unreadState: unreadStateOf(history, lastStep) };
  const metricOf = policy.keepBest === null ? null : metricReader(policy.keepBest, { table: input.metrics, history }, lastStep);
  const orderOf = ({ step, path }: SavedCheckpoint): number | null => (hasSteps ? step : epochOfName(path));
  const orders = countSteps(training.checkpoints.map(orderOf));
  const uncertain = uncertainTimes(run.members, training.checkpoints);
  return run.members.map((member): Candidate => {
    const one = saved.get(member.root) as SavedCheckpoint;
    const order = orderOf(one);
    const components = Object.entries(one.components).flatMap(([id, bytes]) => (bytes > 0 ? [id] : []));
    return {
      path: one.path,
      step: one.step,
      order,
      bytes: one.bytes,
      finishedMs: one.finishedMs,
      components: new Set(components as (keyof typeof one.components)[]),
      protections: protections.get(one.path) ?? [],
      isTimeKnown: one.finishedMs !== null && !uncertain.has(one.path),
      caveats: caveatsOf(member, one, order, { ...caveatFacts, orders, shorter: shorterFiles(member) }),
      metric: metricOf === null ? null : metricOf(one),
      copies: manifests.filter((manifest) => isCopied(manifest, member)).length,
    };
  });
}

/** Directories of no checkpoint, by their names, that could not be listed: links in them may lead into one. */
function outsideOf({ members }: RunMembers, errors: readonly { path: string }[]): string[] {
  const memberOf = memberFinder(members);
  return errors
    .filter(({ path }) => path !== '' && memberOf(path) === undefined && stepOfName(baseName(path)) === null)
    .slice(0, 1)
    .map(({ path }) => path);
}

/** The best checkpoint of a later state is the one of an earlier state, or was saved after that. */
function unreadStateOf({ unread, isWhole }: TrainerHistory, lastStep: number | null): CaveatFacts['unreadState'] {
  const [path] = unread;
  return path === undefined || isWhole ? null : { path, afterStep: lastStep };
}

/** Clocks and caches of file systems differ by less. */
const leastQuietMs = 60_000;

/** No owner is called so: nothing is judged where files have several owners and who asks is not known. */
const noOwner = '';

function isOfOne(checkpoints: readonly SavedCheckpoint[]): boolean {
  return new Set(checkpoints.flatMap(({ owners }) => owners)).size <= 1;
}

function caveatFactsOf(
  { nowMs, user }: RetentionInput,
  { listing, run, training, pointers, unseenBeside, adapters, changed }: RetentionFacts,
): Omit<CaveatFacts, 'unreadState' | 'orders' | 'shorter'> {
  const { checkpoints } = training;
  const memberOf = memberFinder(run.members);
  const longestMs = checkpoints.reduce<number | null>(
    (longest, { startedMs, finishedMs, complete }) =>
      startedMs === null || finishedMs === null || !complete ? longest : Math.max(longest ?? 0, finishedMs - startedMs),
    null,
  );
  const pointerPaths = new Set(pointers.map(({ path }) => path));
  const twoRuns = namesOfTwoRuns(run.members);
  const ofAll: Reason<CaveatCode>[] = [
    ...(listing.truncated ? [reason('listing-cut' as const)] : []),
    ...pointers.filter(({ isUnderstood }) => !isUnderstood).map(({ path }) => reason('pointer-unreadable' as const, path)),
    ...changed
      .filter((path) => pointerPaths.has(path) || isPointerName(baseName(path)))
      .map((path) => reason('pointer-changed' as const, path)),
    ...(twoRuns === null ? [] : [reason('two-runs' as const, twoRuns)]),
    ...caveatsOfContents(run, training, pointers),
    ...outsideOf(run, listing.errors).map((path) => reason('unreadable' as const, path)),
    ...(unseenBeside === null ? [] : [reason('pointer-unreadable' as const, '..')]),
    ...adapters.unread.slice(0, 1).map((path) => reason('adapter-unreadable' as const, path)),
  ];
  return {
    nowMs,
    quietMs: Math.max(longestMs ?? usualQuietMs, leastQuietMs),
    owner: isOfOne(checkpoints) ? null : (user ?? noOwner),
    largestBytes: checkpoints.reduce((most, { bytes, complete }) => (complete ? Math.max(most, bytes) : most), 0),
    hasWeights: checkpoints.some(hasWeights),
    changed: new Set(changed.flatMap((path) => memberOf(path)?.root ?? [])),
    unlisted: listing.errors.map(({ path }) => path),
    patterns: patternsOf(run.members.map(({ root }) => root)),
    paths: new Set(run.rest.map(({ path }) => path)),
    ofAll,
  };
}
