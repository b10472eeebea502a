/** Where the files and links lead by which trainers find their newest checkpoint, and what that means for the next start. */
import type { RunCheckpoint, RunPointer } from '../../checkpoints/checkpointReport.js';
import { followsPointers, isForResume, namesLatest } from '../../checkpoints/runs/pointerUse.js';
import { pointsAt } from '../../checkpoints/runs/pointsAt.js';
import { stepOfName } from '../../checkpoints/runs/stepOfName.js';
import { baseName } from '../../files/paths.js';
import type { Finding } from '../../findings/finding.js';
import type { RunMember } from './run.js';

/** A checkpoint of the run by its path. */
interface Placed {
  root: string;
  checkpoint: RunCheckpoint;
}

/** The pointer by which a job finds its latest checkpoint, and the one that it names; undefined where there is none that leads to one. */
export function pointerToLatest(
  pointers: readonly RunPointer[],
  members: readonly RunMember[],
): { path: string; root: string } | undefined {
  for (const { path, target, followed } of pointers) {
    if (!namesLatest(path) || followed === false) continue;
    const member = members.find(({ root }) => pointsAt(target, root));
    if (member !== undefined) return { path, root: member.root };
  }
  return undefined;
}

/** Whether jobs load this checkpoint, as a pointer names it, and the other one is of a later step. */
export function isOlderThan(pointed: Placed, newest: Placed): boolean {
  if (!followsPointers(pointed.checkpoint.layout) || !pointed.checkpoint.finished) return false;
  const [own, latest] = [stepIn(pointed), stepIn(newest)];
  return own !== null && latest !== null && own < latest;
}

/** The step that the name has, as pointers go by names, else that of its files. */
function stepIn({ root, checkpoint }: Placed): number | null {
  return stepOfName(baseName(root)) ?? checkpoint.step;
}

/** A pointer to what is not there, to a save that was interrupted, or to an older one is where the next start fails or goes back. */
export function pointerFindings(pointers: readonly RunPointer[], members: readonly Placed[], newest: Placed): Finding[] {
  const ignored = followsPointers(newest.checkpoint.layout) ? {} : { isIgnored: true };
  return pointers.flatMap(({ path, target, exists, followed }): Finding[] => {
    if (!exists) return [{ code: 'pointer-target-missing', path, facts: { target, ...ignored } }];
    if (followed === false) return isForResume(path) ? newerLink(path, target, newest) : [];
    const step = stepOfName(baseName(target));
    const named = members.find(
      (member) => baseName(member.root) === baseName(target) || (step !== null && stepIn(member) === step),
    );
    if (named?.checkpoint.finished === false) return [{ code: 'pointer-target-unfinished', path, facts: { target, ...ignored } }];
    if (named === undefined || !namesLatest(path) || !isOlderThan(named, newest)) return [];
    return [{ code: 'pointer-names-older', path, facts: { target: baseName(named.root), newer: baseName(newest.root) } }];
  });
}

/** What is behind a link that was not followed, where its name or that of its target is of a later step. */
function newerLink(path: string, target: string, { root, checkpoint }: Placed): Finding[] {
  const step = stepOfName(baseName(path)) ?? stepOfName(baseName(target.replace(/\/+$/, '')));
  if (step === null || checkpoint.step === null || step <= checkpoint.step) return [];
  return [{ code: 'newer-link-not-followed', path, facts: { target, step, newest: root === '' ? 'the model here' : root } }];
}
