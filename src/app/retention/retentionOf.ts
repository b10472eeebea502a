import { FormatError } from '../../core/bytes/formatError.js';
import { throwIfCancelled } from '../../core/bytes/formatError.js';
import { runOrdered } from '../../core/files/orderedPool.js';
import { limits } from '../../core/bytes/limits.js';
import type { FileTree } from '../../core/files/fileTree.js';
import { placeName } from '../../core/files/paths.js';
import { retentionPage } from '../../core/pages/retention/retentionPage.js';
import { adapterBases, type AdapterBases } from '../../core/retention/adapterBases.js';
import { readCopyManifest } from '../../core/retention/copyManifest.js';
import { linksBelow, type LinkElsewhere } from '../../core/retention/linksElsewhere.js';
import { readMetricTable } from '../../core/retention/metricValues.js';
import { planRetention, type PlannedRetention } from '../../core/retention/planRetention.js';
import type { RunPlace } from '../../core/retention/pointersBeside.js';
import { policyPath, readRetentionPolicy, type RetentionPolicy } from '../../core/retention/retentionPolicy.js';
import type { RetentionReport } from '../../core/retention/retentionReport.js';
import { moveScript } from '../../core/retention/script/moveScript.js';
import { purgeScript } from '../../core/retention/script/purgeScript.js';
import { scriptPlan, type HoldsFile } from '../../core/retention/script/scriptPlan.js';
import { SmallFiles } from '../../core/retention/smallFile.js';
import type { Answer } from '../answer.js';
import { comparisonAnswer } from '../comparisonAnswer.js';
import { ofPath } from '../ofPath.js';
import type { Hooks, Platform } from '../platform.js';
import { PathError } from '../useCaseError.js';
import type { RetentionInput } from '../useCaseInputs.js';
import { readRunHolds } from './runHolds.js';

/** The report, and the scripts that carry it out. */
export interface RetentionAnswer extends Answer<RetentionReport> {
  /**
   * For POSIX shells: the one moves what is dropped to the trash of the run, the other removes it from there.
   * @throws PathError where a file has no time that could be compared
   */
  scripts(): { move: string; purge: string };
}

/** What is needed of the machine that a run is on. */
export type RetentionPlatform = Pick<
  Platform,
  'folderOf' | 'pathIn' | 'stat' | 'readText' | 'openTree' | 'openFolders' | 'userName'
>;

/**
 * What a policy lets go of the checkpoints of a run. Nothing is written or removed.
 * @throws PathError where the run, the policy, its files or the holds cannot be read or have an error: nothing is proposed then
 */
export async function retentionOf(
  platform: RetentionPlatform,
  input: RetentionInput,
  { signal }: Hooks = {},
): Promise<RetentionAnswer> {
  const { path, policy: named = platform.pathIn(path, policyPath) } = input;
  const policy = await policyAt(platform, named);
  const beside = (name: string): string =>
    isAbsolute(name)
      ? platform.pathIn(platform.folderOf(name), placeName(name))
      : platform.pathIn(platform.folderOf(named), name);
  const manifestFiles = [...new Set((policy.copies?.manifests ?? []).map(beside))];
  if (manifestFiles.length < (policy.copies?.wanted ?? 0))
    throw new PathError(named, 'is no retention policy: copies names one manifest twice, and each is of one copy');
  const manifests = await Promise.all(
    manifestFiles.map((file) =>
      parsedFile(platform, file, limits.copyManifestBytes, 'is no manifest of a copy', readCopyManifest),
    ),
  );
  const csv = policy.keepBest?.csv ?? null;
  const metrics =
    csv === null
      ? null
      : await parsedFile(platform, beside(csv), limits.copyManifestBytes, 'is no table of a metric', readMetricTable);
  const { planned, location, files } = await readable(path, async () => {
    const tree = await platform.openTree(path);
    await refuseLink(platform, path, tree);
    const { holds, files: holdsFiles } = await readRunHolds(platform, tree, path, signal);
    const { adapters, links } = await workspaceUse(platform, input.workspace, signal);
    const listAgain = async () => (await platform.openTree(path)).list(signal);
    const place = placeOf(platform, path, tree);
    const nowMs = Date.now();
    const user = platform.userName();
    const plan = await planRetention({
      path,
      tree,
      policy,
      holds,
      manifests,
      metrics,
      adapters,
      links,
      listAgain,
      place,
      nowMs,
      user,
      signal,
    });
    return { planned: plan, location: tree.location ?? path, files: holdsFiles };
  });
  const { report } = planned;
  return {
    ...comparisonAnswer(report, retentionPage(report)),
    scripts: () => scriptsOf(path, planned, location, files),
  };
}

/** @throws PathError */
export function policyAt(platform: RetentionPlatform, file: string): Promise<RetentionPolicy> {
  return parsedFile(platform, file, limits.retentionCharacters, 'is no retention policy', readRetentionPolicy);
}

/** @throws PathError */
function scriptsOf(
  path: string,
  planned: PlannedRetention,
  location: string,
  holds: HoldsFile[],
): { move: string; purge: string } {
  try {
    const plan = scriptPlan(planned, location, holds);
    return { move: moveScript(plan), purge: purgeScript(plan) };
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    throw new PathError(path, `gives no script: ${error.detail}`, { cause: error });
  }
}

/**
 * Holds and pointers are beside the directory itself, not beside a link to it.
 * @throws PathError where the run is named by a link
 */
async function refuseLink(platform: RetentionPlatform, path: string, tree: FileTree): Promise<void> {
  const { location, realLocation } = tree;
  const around = location === undefined ? path : platform.folderOf(location);
  if (location === undefined || realLocation === undefined || around === location) return;
  const { realLocation: realFolder } = await platform.openTree(around);
  if (realFolder === undefined || platform.pathIn(realFolder, tree.rootName) === realLocation) return;
  throw new PathError(path, `is a link: name the directory that it leads to, ${realLocation}`);
}

/** Undefined where no directory is around it. */
function placeOf(
  platform: RetentionPlatform,
  path: string,
  { location, realLocation, rootName }: FileTree,
): RunPlace | undefined {
  const whole = location ?? path;
  const around = platform.folderOf(whole);
  if (around === whole) return undefined;
  return {
    open: () => platform.openFolders(around, null),
    name: rootName,
    paths: [...new Set([whole, path, realLocation ?? whole])],
  };
}

/** Of any system: `/a`, `\\server\a`, `C:\a`. */
function isAbsolute(path: string): boolean {
  return /^(?:[\\/]|[A-Za-z]:[\\/])/.test(path);
}

/** @throws PathError */
async function parsedFile<Parsed>(
  platform: RetentionPlatform,
  path: string,
  mostBytes: number,
  problem: string,
  parse: (text: string) => Parsed | Promise<Parsed>,
): Promise<Parsed> {
  const text = await readable(path, () => platform.readText(path, mostBytes));
  return ofPath(path, problem, () => parse(text));
}

/** @throws PathError, FormatError `cancelled` */
function readable<Result>(path: string, read: () => Promise<Result>): Promise<Result> {
  return ofPath(path, 'cannot be judged', read);
}

/** What the workspace needs of a run: bases of its adapters, and what its links lead to. */
async function workspaceUse(
  platform: RetentionPlatform,
  workspace: string | undefined,
  signal: AbortSignal | undefined,
): Promise<{ adapters: AdapterBases; links: LinkElsewhere[] }> {
  if (workspace === undefined) return { adapters: { bases: [], unread: [] }, links: [] };
  const tree = await readable(workspace, () => platform.openTree(workspace));
  const { entries, errors, truncated } = await tree.list(signal);
  const found = await adapterBases(entries, new SmallFiles(tree, signal));
  const texts = linksBelow(entries, tree.location ?? workspace);
  const isCut = truncated || texts.length > limits.workspaceLinks;
  const unseen = [...errors.map(({ path }) => platform.pathIn(workspace, path)), ...(isCut ? [workspace] : [])];
  return {
    adapters: { bases: found.bases, unread: [...found.unread, ...unseen] },
    links: await linksOf(platform, texts.slice(0, limits.workspaceLinks), signal),
  };
}

/**
 * Links by their texts, and where they end: a link may lead to another one, or to a directory with links into the run.
 * @throws FormatError `cancelled`
 */
async function linksOf(
  platform: RetentionPlatform,
  links: readonly LinkElsewhere[],
  signal: AbortSignal | undefined,
): Promise<LinkElsewhere[]> {
  const ends: LinkElsewhere[][] = [];
  await runOrdered(links, limits.concurrentFolders, async (link, index) => {
    throwIfCancelled(signal);
    ends[index] = await endsOf(platform, link, signal);
  });
  return [...links, ...ends.flat()];
}

async function endsOf(
  platform: RetentionPlatform,
  { path, target }: LinkElsewhere,
  signal: AbortSignal | undefined,
): Promise<LinkElsewhere[]> {
  try {
    const { realLocation } = await platform.openTree(path);
    const own = realLocation === undefined ? [] : [{ path, target: realLocation }];
    if ((await platform.stat(path)).kind !== 'folder') return own;
    const { entries } = await (await platform.openFolders(path, null)).list('', () => false, signal);
    const within = linksBelow(entries, realLocation ?? target).map((link) => ({ ...link, path }));
    return [...own, ...within];
  } catch (error) {
    // What leads nowhere leads into no run.
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    return [];
  }
}
