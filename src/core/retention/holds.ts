/** Checkpoints that somebody holds: `.stowage/holds.yaml` of the run. A file with an error gives no holds, and nothing may be proposed then. */
import { limits } from '../bytes/limits.js';
import type { ConfigNode } from '../configs/document/configNode.js';
import { StrictDocument } from './strictDocument.js';

export const holdsPath = '.stowage/holds.yaml';

export interface Hold {
  /** Relative to the run: a checkpoint, something in it, or a folder of several. */
  path: string;
  reason: string;
  /** When it ends, milliseconds since 1970; null for never. */
  untilMs: number | null;
}

/** A day ends last twelve hours west of Greenwich. */
const dayEndsMs = 36 * 3_600_000;
const day = /^\d{4}-\d{2}-\d{2}$/;
const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** @throws FormatError `corrupt` with the line and a sentence */
export async function readHolds(text: string): Promise<Hold[]> {
  const document: StrictDocument = await StrictDocument.parse(text);
  const { holds } = document.members(document.root, 'a file of holds', ['holds']);
  if (holds === undefined) document.refuse({ start: 0 }, 'the key holds is missing; an empty list is written as holds: []');
  return document.items(holds, 'holds', limits.retentionItems).map((item) => holdOf(document, item));
}

function holdOf(document: StrictDocument, node: ConfigNode): Hold {
  const { path, reason, until } = document.members(node, 'a hold', ['path', 'reason', 'until']);
  if (path === undefined || reason === undefined) document.refuse(node.span, 'a hold needs path and reason');
  const written = document.line(path, 'path');
  const parts = written.split('/').filter((part) => part !== '' && part !== '.');
  if (written.startsWith('/') || parts.includes('..'))
    document.refuse(path.span, 'path must be relative to the run, and inside of it');
  return {
    path: parts.join('/'),
    reason: document.line(reason, 'reason'),
    untilMs: until === undefined || document.isNull(until) ? null : endOf(document, until),
  };
}

function endOf(document: StrictDocument, node: ConfigNode): number {
  const text = document.line(node, 'until');
  const ms = day.test(text) || time.test(text) ? Date.parse(text) : NaN;
  // Date.parse takes 31 February for a day in March.
  const isReal = !Number.isNaN(ms) && (!day.test(text) || new Date(ms).toISOString().startsWith(text));
  if (!isReal) document.refuse(node.span, 'until must be a day (2026-12-31), a time with its zone (2026-12-31T12:00Z) or null');
  return day.test(text) ? ms + dayEndsMs : ms;
}

/** Those that have not ended. @param nowMs milliseconds since 1970 */
export function activeHolds(holds: readonly Hold[], nowMs: number): Hold[] {
  return holds.filter(({ untilMs }) => untilMs === null || untilMs > nowMs);
}

/** Whether a hold is of a checkpoint: it, something in it, or a folder that it is in. */
export function isHeldBy({ path }: Hold, root: string): boolean {
  return path === '' || path === root || root.startsWith(`${path}/`) || path.startsWith(`${root}/`);
}

/**
 * A hold of a file beside the run that is of nothing there: its first name is neither of a directory beside the run nor of something in it.
 * @param beside names in the folder that the run is in
 */
export function holdOfNothing(
  holds: readonly Hold[],
  name: string,
  { beside, paths }: { beside: ReadonlySet<string>; paths: readonly string[] },
): Hold | undefined {
  return holds.find((hold) => {
    const [first = ''] = hold.path.split('/');
    return first !== '' && first !== name && !beside.has(first) && !paths.some((path) => isHeldBy(hold, path));
  });
}

/**
 * The holds of a file beside the run, whose paths are relative to the folder that the run is in, or to the run: those of this run, relative to it.
 * Others are of runs beside it.
 * @param name of the run's directory
 * @param paths of all that is in the run
 */
export function holdsOfRun(holds: readonly Hold[], name: string, paths: readonly string[]): Hold[] {
  return holds.flatMap((hold) => {
    if (hold.path === name || hold.path === '') return [{ ...hold, path: '' }];
    if (hold.path.startsWith(`${name}/`)) return [{ ...hold, path: hold.path.slice(name.length + 1) }];
    return paths.some((path) => isHeldBy(hold, path)) ? [hold] : [];
  });
}
