/**
 * Pickles and torch archives in place of token files. Plain tokens have no header, so that any bytes pass for them: an index beside
 * `pytorch_model.bin` makes it a data set, and a loader of the model unpickles it all the same.
 */
import { appendAll } from '../bytes/appendAll.js';
import { FormatError } from '../bytes/formatError.js';
import { limits } from '../bytes/limits.js';
import { sliceSource } from '../bytes/sliceSource.js';
import { withFile, type OpenContext } from '../files/openFiles.js';
import type { Finding, FindingCode } from '../findings/finding.js';
import { FileImports } from '../formats/pickle/imports/fileImports.js';
import { reportImports } from '../formats/pickle/imports/importFindings.js';
import type { PicklesBeside } from '../formats/pickle/imports/picklesBeside.js';
import { isPickle } from '../formats/pickle/pickleHead.js';
import { isZip } from '../formats/zip.js';

/** What tokens never come out as by chance: a call has to be a whole pickle. That one was not scanned says nothing of tokens. */
const telling = new Set<FindingCode>(['pickle-calls-unexpected', 'pickle-import-unexpected', 'pickle-embeds-code']);

/**
 * What token files call and import that begin as a pickle of protocol 2 or later, or as an archive.
 * @throws FormatError `cancelled`
 */
export async function findPicklesAsTokens(context: OpenContext, paths: readonly string[]): Promise<PicklesBeside> {
  const findings: Finding[] = [];
  for (const path of paths.slice(0, limits.picklesBeside)) appendAll(findings, await findingsOf(context, path));
  return {
    findings: findings.filter(({ code }) => telling.has(code)),
    left: Math.max(0, paths.length - limits.picklesBeside),
  };
}

async function findingsOf(context: OpenContext, path: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  const imports = new FileImports(context);
  try {
    await withFile(context, path, async (source) => {
      const head = await source.read(0, Math.min(HEAD_BYTES, source.sizeBytes), context.signal);
      if (isZip(head)) return imports.scanPart(source, path, 0);
      if (!isPickle(head)) return;
      const sizeBytes = Math.min(source.sizeBytes, limits.tokenFileScanBytes);
      return imports.scanPart(sliceSource(source, 0, sizeBytes), path, 0);
    });
    await reportImports(imports, path, { finding: (finding) => findings.push(finding) });
  } catch (error) {
    // A file that cannot be read has a finding of its reader.
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
  }
  return findings;
}

const HEAD_BYTES = 4;
