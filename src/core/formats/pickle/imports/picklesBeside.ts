/** Pickles beside what a reader claims: a program that knows them unpickles them, so what they call is said as well. */
import { appendAll } from '../../../bytes/appendAll.js';
import { FormatError } from '../../../bytes/formatError.js';
import { limits } from '../../../bytes/limits.js';
import type { FileEntry } from '../../../files/fileTree.js';
import { withFile, type OpenContext } from '../../../files/openFiles.js';
import { isRepositoryInternal } from '../../../files/repositoryInternals.js';
import type { Finding, FindingCode } from '../../../findings/finding.js';
import { counted } from '../../../text/quantities.js';
import { formatCount } from '../../../text/units.js';
import { runOrdered } from '../../../files/orderedPool.js';
import { isZip } from '../../zip.js';
import { isPickle, mayBeOldPickle } from '../pickleHead.js';
import { isPathConfigurationName, readPathConfiguration } from '../../loaderCode/pathConfiguration.js';
import { FileImports, isPlainName, likelyPicklesFirst } from './fileImports.js';
import { reportImports, type NoteImport } from './importFindings.js';

/** What `scanPicklesInstead` found, and files of which it found out that they cannot be read. */
export interface PicklesInstead {
  findings: Finding[];
  unreadable: { path: string; error: FormatError }[];
}

export interface PicklesBeside {
  findings: Finding[];
  /** Pickles by their name beyond those that are looked at. */
  left: number;
}

/**
 * What files import and call that are pickles by their first bytes, whatever they are called: unexpected calls and names, and what was not scanned. Files that cannot
 * be opened are left out: who lists them says so.
 * @param entries those that no reader claims
 * @param note gets every name that is imported
 * @throws FormatError `cancelled`
 */
export async function scanPicklesBeside(
  context: OpenContext,
  entries: readonly FileEntry[],
  note?: NoteImport,
): Promise<PicklesBeside> {
  const readable = entries.filter(
    ({ path, sizeBytes, error, link }) =>
      sizeBytes > 0 && error === undefined && link === undefined && !isRepositoryInternal(path),
  );
  const named = readable.filter(({ path }) => !isPlainName(path));
  const plain = readable.filter(({ path }) => isPlainName(path));
  // The number is limited.
  named.sort(likelyPicklesFirst);
  const findings: Finding[] = [];
  for (const { path } of [...named.slice(0, limits.picklesBeside), ...plain.slice(0, limits.plainNamesSniffed)])
    appendAll(findings, await findingsOf(context, path, undefined, note));
  return { findings, left: Math.max(0, named.length - limits.picklesBeside) };
}

/** A check that was not done. @param left pickles that were not looked at */
export function picklesLeft(left: number): string {
  return `the imports of ${counted(left, 'other pickle')}: the first ${formatCount(limits.picklesBeside)} were looked at`;
}

async function findingsOf(
  context: OpenContext,
  path: string,
  onFailure: (error: FormatError) => void = () => undefined,
  note?: NoteImport,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const imports = new FileImports(context);
  try {
    await withFile(context, path, async (source) => {
      await imports.scanPart(source, path, 0);
      if (!isPathConfigurationName(path)) return;
      const configuration = await readPathConfiguration(source, context.signal);
      for (const finding of configuration?.findings ?? []) findings.push({ ...finding, path });
    });
    await reportImports(imports, path, { finding: (finding) => findings.push(finding), ...(note && { pickleImport: note }) });
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    onFailure(error);
  }
  return findings;
}

/**
 * What a file imports and calls that could not be read as the format of its name; nothing for one that is no pickle, or one that calls nothing unexpected.
 * @throws FormatError `cancelled`
 */
export async function scanPickleInstead(
  context: OpenContext,
  path: string,
  onFailure?: (error: FormatError) => void,
): Promise<Finding[]> {
  const telling = (await findingsOf(context, path, onFailure)).filter(({ code }) => tellingCodes.has(code));
  if (telling.length === 0) return [];
  const promised = path.slice(path.lastIndexOf('.') + 1);
  return [...telling, { code: 'pickle-under-another-name', path, offset: 0, facts: { promised, found: 'pickle' } }];
}

/**
 * The same of files whose readers expect something else in them, or could not read them: the likeliest, as their number is limited.
 * @param most files that are looked at
 * @param isRaw true where only a pickle that begins with the file counts: archives and compressed data are what the files should hold
 * @throws FormatError `cancelled`
 */
export async function scanPicklesInstead(
  context: OpenContext,
  entries: readonly FileEntry[],
  { isRaw, most = limits.picklesInstead }: { isRaw: boolean; most?: number },
): Promise<PicklesInstead> {
  const readable = entries.filter(({ sizeBytes, error, link }) => sizeBytes > 0 && error === undefined && link === undefined);
  const chosen = readable.sort(likelyPicklesFirst).slice(0, most);
  const result: PicklesInstead = { findings: [], unreadable: [] };
  await runOrdered(chosen, limits.concurrentReads, async ({ path }, _, turn) => {
    const failures: FormatError[] = [];
    const onFailure = (error: FormatError): void => void failures.push(error);
    const isLooked = !isRaw || (await beginsAsPickle(context, path, onFailure));
    const found = isLooked ? await scanPickleInstead(context, path, onFailure) : [];
    await turn();
    appendAll(result.findings, found);
    for (const error of failures) if (error.code === 'io') result.unreadable.push({ path, error });
  });
  return result;
}

/** Whether the first bytes of a file may be those of a pickle; false for one that cannot be read. */
async function beginsAsPickle(context: OpenContext, path: string, onFailure: (error: FormatError) => void): Promise<boolean> {
  try {
    return await withFile(context, path, async (source) => {
      const head = await source.read(0, Math.min(HEAD_BYTES, source.sizeBytes), context.signal);
      // The first letter of an archive is an opcode, too.
      return isPickle(head) || (mayBeOldPickle(head) && !isZip(head));
    });
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    onFailure(error);
    return false;
  }
}

const HEAD_BYTES = 64;

const tellingCodes = new Set<FindingCode>([
  'pickle-calls-unexpected',
  'pickle-calls-cut',
  'pickle-import-unexpected',
  'pickle-embeds-code',
]);
