/** What reading a checkpoint checked, and what headers cannot say. */
import { appendAll } from '../bytes/appendAll.js';
import { limits } from '../bytes/limits.js';
import { codeFindings } from '../findings/codeFindings.js';
import { counted } from '../text/quantities.js';
import { formatCount } from '../text/units.js';
import type { CheckpointReport } from './checkpointReport.js';
import type { Loading } from './loadReport.js';
import type { ComparedPair } from './compareCopies.js';
import { isModelDirectory } from './ownWeights.js';
import type { FilePart, Parts } from './parts.js';

/** What was compared beyond single files. */
export interface ComparedModel {
  /** Sizes of the config, in words. */
  sizes: readonly string[];
  /** Tensors of the layers among each other, as a clause; undefined where they were not. */
  layers: string | undefined;
  /** What loading would put together. */
  loading: Loading;
}

/** The checks of a report, each with how many of its files it covers where that is not all. */
export function checksOf(parts: Parts, pairs: readonly ComparedPair[], compared: ComparedModel): CheckpointReport['checks'] {
  return { done: checksDone(parts, pairs, compared), notDone: checksNotDone(parts, compared) };
}

function checksDone(
  { files, imports }: Parts,
  pairs: readonly ComparedPair[],
  { sizes, layers, loading }: ComparedModel,
): string[] {
  const done = ['every byte of every file is counted once'];
  for (const [checks, own] of byChecks(files)) {
    const read = own.filter(isRead).length;
    if (read === own.length) done.push(checks);
    else if (read > 0) done.push(`${checks} (${formatCount(read)} of ${counted(own.length, 'file')})`);
  }
  if (files.some((file) => file.role === 'shard-index' && isRead(file)))
    done.push('index: shards and tensors in both directions, total size');
  const compared = pairs.reduce((sum, pair) => sum + pair.compared, 0);
  if (compared > 0) done.push(`copies: bytes of ${counted(compared, 'tensor')} with the same names, at up to three places each`);
  if (layers !== undefined) done.push(layers);
  appendAll(done, loading.done);
  if (sizes.length > 0) done.push(`config.json: ${sizes.join(', ')} against the shapes of the tensors`);
  if (imports.size > 0) done.push('pickles: imports listed, nothing executed');
  return done;
}

/** Files by what their readers compare. */
function byChecks(files: readonly FilePart[]): Map<string, FilePart[]> {
  const groups = new Map<string, FilePart[]>();
  for (const file of files) {
    if (file.checks === undefined || file.checks === '') continue;
    const group = groups.get(file.checks);
    if (group === undefined) groups.set(file.checks, [file]);
    else group.push(file);
  }
  return groups;
}

/** What is said of files that could not be read. */
export function unreadNotDone(files: number): string {
  return `the contents of ${counted(files, 'file')} that could not be read`;
}

/** What is said of sizes in configs: of all, or of those beside the ones that were compared. */
export function sizesNotCompared(which: '' | 'other '): string {
  return `the ${which}sizes in configs against the shapes of the tensors`;
}

function checksNotDone(
  { layout, files, tensors, imports, findings, leftClosed }: Parts,
  { sizes, loading }: ComparedModel,
): string[] {
  const notDone: string[] = [];
  const unread = files.filter(({ isUnreadable }) => isUnreadable === true).length;
  if (unread > 0) notDone.push(unreadNotDone(unread));
  if (tensors.size > 0) notDone.push('the values of tensors (NaN, zeros, checksums): only headers are read');
  const isChecked = loading.report?.checked.includes('config') === true;
  if (
    !isChecked &&
    tensors.size > 0 &&
    files.some(({ component, path }) => component === 'config' && path.endsWith('config.json'))
  )
    notDone.push(sizesNotCompared(sizes.length === 0 ? '' : 'other '));
  if (!isChecked && isModelDirectory({ layout, files }))
    notDone.push('whether all tensors of the architecture are there: they are compared among layers alone');
  for (const { what, detail } of loading.report?.notChecked ?? []) notDone.push(`${what}: ${detail}`);
  if (tensors.size > 0 && files.length > 1) notDone.push('whether the files are all from the same save');
  if (imports.size > 0) notDone.push('what the imported code does: only its names are read');
  if (findings.some(({ code }) => Object.hasOwn(codeFindings, code)))
    notDone.push('what the code does that loaders run: only its place is read');
  if (leftClosed > 0)
    notDone.push(
      `the first bytes of ${counted(leftClosed, 'file')} that names do not tell: ${formatCount(limits.sniffedFiles)} were looked at: names of pickles, the smallest and the largest`,
    );
  return notDone;
}

/** True where a reader understood the file: what is said of it comes from its content. */
export function isRead({ checks, isUnreadable }: FilePart): boolean {
  return checks !== undefined && isUnreadable !== true;
}
