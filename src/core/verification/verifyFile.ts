import { appendAll } from '../bytes/appendAll.js';
import type { ByteSource } from '../bytes/byteSource.js';
import { FormatError } from '../bytes/formatError.js';
import type { FileEntry } from '../files/fileTree.js';
import { isUnreachable } from '../files/reachableFiles.js';
import type { Evidence } from './attributeMismatches.js';
import { containerSums } from './containerSums.js';
import type { Expected, ManifestFile } from './expected.js';
import { overlaps, unionBytes, withinFile } from './extents.js';
import { holeSource } from './holeSource.js';
import type { FileDigestName } from './hashes/hash.js';
import type { OtherFilesOfOne } from './otherFiles.js';
import type { Passes } from './passes.js';
import type { PassResult, PassSpec } from './passSpec.js';
import { pieceBytes, readIntoPass, type ReadOutcome } from './readPass.js';
import { type ContainerSums, noSums } from './sums/sumFormat.js';
import type { Damage, Extent, FileStatus, SumKind, VerifiedFile } from './verification.js';

/** What verifying one file takes. */
export interface FileJob {
  entry: FileEntry;
  expected: Expected;
  /** Length of the manifest's blocks, to be compared or written; null without a manifest. */
  blockBytes: number | null;
  /** Whether its digests are wanted for a new manifest. */
  isListed: boolean;
  /** When it was written, where that is not the time that the manifest has; null where it is the same, or unknown. */
  rewrittenMs: number | null;
  passes: Passes;
  open(path: string): Promise<ByteSource>;
  others: OtherFilesOfOne;
  /** Size and time as they are now; null where that is not known. */
  look(path: string): Promise<Pick<FileEntry, 'sizeBytes' | 'modifiedMs'> | null>;
  onBytes(bytes: number): void;
  signal: AbortSignal | undefined;
}

export interface FileOutcome {
  file: VerifiedFile;
  hashedBytes: number;
  /** True for a file that is one hole, which was not read. */
  isHole?: boolean;
  /** What sums cover, which may overlap. */
  covered: Extent[];
  /** For a new manifest; null where that is not wanted, or where the file could not be hashed as a whole. */
  listed: ManifestFile | null;
  /** Absent for a file that nothing was compared of. */
  evidence?: Evidence;
}

/** Verifies one file by all sums that there are, in one pass. @throws FormatError `cancelled` */
export async function verifyFile(job: FileJob): Promise<FileOutcome> {
  const { entry } = job;
  if (entry.error !== undefined) return failedAs(entry, 'unreadable', entry.error);
  let source: ByteSource | undefined;
  try {
    source = await job.open(entry.path);
    const hole = await holeSource(entry, source, job.signal);
    if (hole === null) return await verifyOpened(job, source);
    const outcome = await verifyOpened(job, hole);
    return { ...outcome, hashedBytes: 0, isHole: true };
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    return failedAs(entry, 'unreadable', error.code === 'truncated' ? changedMeanwhile : error.detail);
  } finally {
    await source?.close();
  }
}

const changedMeanwhile = 'it changed while it was read';

const hashedOnly = 'it was hashed for the manifest: there was nothing to compare it with';

/** A file that nothing was compared of. */
export function failedAs(entry: Pick<FileEntry, 'path' | 'sizeBytes'>, status: FileStatus, reason: string): FileOutcome {
  const { path, sizeBytes } = entry;
  const file: VerifiedFile = {
    path,
    bytes: sizeBytes,
    status,
    by: [],
    coverage: { bytes: 0, of: sizeBytes },
    damage: [],
    reason,
  };
  return { file, hashedBytes: 0, covered: [], listed: null };
}

async function verifyOpened(job: FileJob, source: ByteSource): Promise<FileOutcome> {
  const { entry } = job;
  const { sums, unread } = await sumsOrDamage(job, source);
  const spec = specOf(job, source, sums);
  const isNeeded = spec.regions.length + spec.streams.length + spec.digests.length > 0 || spec.blockBytes !== null;
  const read = isNeeded ? await readAll(job, source, spec) : { result: nothing, outcome: { hashedBytes: 0, unreadable: [] } };
  // The pass has found the same place, where there was one.
  if (unread !== null && read.outcome.unreadable.length === 0) read.outcome.unreadable.push(unread);
  const now = await job.look(entry.path);
  const hasChanged = now !== null && (now.sizeBytes !== source.sizeBytes || now.modifiedMs !== entry.modifiedMs);
  if (hasChanged) return { ...failedAs(entry, 'unreadable', changedMeanwhile), hashedBytes: read.outcome.hashedBytes };
  return outcomeOf(job, source.sizeBytes, sums, read);
}

/** The rest is hashed where headers cannot be read. @throws FormatError `cancelled` */
async function sumsOrDamage(
  { entry, others, signal }: FileJob,
  source: ByteSource,
): Promise<{ sums: ContainerSums; unread: Damage | null }> {
  try {
    return { sums: await containerSums(source, { ...others, path: entry.path, signal }), unread: null };
  } catch (error) {
    if (!FormatError.is(error, 'io') || isUnreachable(error)) throw error;
    const offset = Math.min(error.offset ?? 0, source.sizeBytes);
    const length = Math.min(pieceBytes, source.sizeBytes - offset);
    return { sums: noSums(), unread: { offset, length, what: `cannot be read: ${error.detail}` } };
  }
}

const nothing: PassResult = { damage: [], covered: [], digests: {}, blocks: [] };

function specOf({ expected, blockBytes, isListed }: FileJob, { sizeBytes }: ByteSource, sums: ContainerSums): PassSpec {
  const { manifest } = expected;
  const names = new Set<FileDigestName>(expected.digests.map(({ algorithm }) => algorithm));
  if (isListed || manifest !== null) names.add('sha256');
  return {
    sizeBytes,
    regions: sums.regions.sort((a, b) => a.offset - b.offset),
    streams: sums.streams,
    digests: [...names],
    blockBytes: isListed || manifest !== null ? blockBytes : null,
  };
}

interface Read {
  result: PassResult;
  outcome: ReadOutcome;
}

async function readAll(job: FileJob, source: ByteSource, spec: PassSpec): Promise<Read> {
  const pass = await job.passes.begin(spec);
  try {
    const outcome = await readIntoPass(source, spec, pass, (bytes) => job.onBytes(bytes), job.signal);
    return { result: await pass.end(), outcome };
  } catch (error) {
    pass.abandon();
    throw error;
  }
}

function outcomeOf(job: FileJob, sizeBytes: number, sums: ContainerSums, { result, outcome }: Read): FileOutcome {
  const { entry, expected, blockBytes } = job;
  const { unreadable, hashedBytes } = outcome;
  const isRead = unreadable.length === 0;
  // Zeros stood in for what could not be read: what they are in is not known.
  const found = result.damage.filter((damage) => !unreadable.some((extent) => overlaps(damage, extent)));
  // A new manifest takes what was written since the earlier one as it is.
  const isOther = job.isListed && job.rewrittenMs !== null && result.digests.sha256 !== expected.manifest?.sha256;
  const compared = isOther ? { ...expected, manifest: null } : expected;
  const whole = isRead ? wholeFile(compared, result, sizeBytes, blockBytes) : nothingWhole;
  const damage = [...sums.damage, ...found, ...whole.damage, ...unreadable].map((each) => withinFile(each, sizeBytes));
  const by = [...sums.by, ...whole.by];
  const all: Extent = { offset: 0, length: sizeBytes };
  const covered = whole.by.length > 0 ? [all] : [...sums.checked, ...result.covered];
  const coveredBytes = unionBytes(covered, sizeBytes);
  const isCompared = by.length > 0 && (coveredBytes > 0 || sizeBytes === 0);
  const isWithout = !isCompared && damage.length === 0;
  const status = !isRead ? 'unreadable' : damage.length > 0 ? 'changed' : isCompared ? 'same' : 'unverifiable';
  const file: VerifiedFile = {
    path: entry.path,
    bytes: sizeBytes,
    status,
    by: isWithout ? [] : by,
    coverage: { bytes: coveredBytes, of: sizeBytes },
    damage,
    reason: isOther
      ? rewrittenReason(job.rewrittenMs)
      : whole.by.length > 0
        ? whole.isOfManifest && expected.manifest !== null
          ? sinceManifest(job.rewrittenMs, expected.manifest.bytes === sizeBytes)
          : null
        : isWithout && job.isListed
          ? hashedOnly
          : (sums.reason ?? (isWithout ? 'it was written without checksums' : null)),
  };
  const { sha256 } = result.digests;
  const isListed = job.isListed && isRead && sha256 !== undefined;
  return {
    file,
    hashedBytes,
    covered,
    evidence: {
      isConfirmed: whole.isConfirmed,
      mismatches: [...(sums.damage.length + found.length > 0 ? [job.others.opened()] : []), ...whole.mismatches],
    },
    listed: isListed ? { path: entry.path, bytes: sizeBytes, modifiedMs: entry.modifiedMs, sha256, crc32c: result.blocks } : null,
  };
}

/** What digests and blocks of the whole file say. */
interface WholeFile extends Evidence {
  by: SumKind[];
  damage: Damage[];
  /** True where the manifest is what does not match. */
  isOfManifest: boolean;
}

const nothingWhole: WholeFile = { by: [], damage: [], isConfirmed: false, mismatches: [], isOfManifest: false };

/** Of a file that is not as the manifest has it: whether somebody has written it. */
function sinceManifest(rewrittenMs: number | null, isSameSize: boolean): string | null {
  if (rewrittenMs !== null) return rewrittenReason(rewrittenMs);
  return isSameSize ? 'with the same size and time as in the manifest' : 'with the same time as in the manifest';
}

function rewrittenReason(rewrittenMs: number | null): string {
  return `written again since the manifest, on ${new Date(rewrittenMs ?? 0).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function wholeFile({ digests, manifest }: Expected, result: PassResult, sizeBytes: number, blockBytes: number | null): WholeFile {
  const by: SumKind[] = [];
  const damage: Damage[] = [];
  const mismatches: string[][] = [];
  let isConfirmed = false;
  let isOfManifest = false;
  for (const { algorithm, digest, source } of digests) {
    by.push(algorithm);
    if (result.digests[algorithm] === digest) {
      isConfirmed = true;
      continue;
    }
    damage.push({ offset: 0, length: sizeBytes, what: `${digestNames[algorithm]} is not the one that ${source} has` });
    mismatches.push([source]);
  }
  if (manifest !== null && blockBytes !== null) {
    by.push('sha256', 'block-crc32c');
    const blocks = blockDamage(manifest, result, sizeBytes, blockBytes);
    appendAll(damage, blocks);
    isOfManifest = blocks.length > 0;
    if (isOfManifest) mismatches.push([]);
    else isConfirmed = true;
  }
  return { by: [...new Set(by)], damage, isConfirmed, mismatches, isOfManifest };
}

const digestNames: Record<FileDigestName, string> = {
  md5: 'MD5',
  sha1: 'SHA-1',
  sha256: 'SHA-256',
  sha512: 'SHA-512',
  'git-blob': 'the id of the Git blob',
  xxh64: 'XXH64',
};

/** The blocks that are not those of a manifest; the whole file where all blocks match and its digest does not. */
export function blockDamage(
  manifest: ManifestFile,
  { digests, blocks }: Pick<PassResult, 'digests' | 'blocks'>,
  sizeBytes: number,
  blockBytes: number,
): Damage[] {
  const damage: Damage[] = [];
  if (manifest.bytes !== sizeBytes)
    damage.push({ offset: 0, length: sizeBytes, what: `it has ${sizeBytes} bytes, the manifest ${manifest.bytes}` });
  const common = Math.min(blocks.length, manifest.crc32c.length);
  for (let index = 0; index < common; index++) {
    const offset = index * blockBytes;
    const length = Math.min(blockBytes, sizeBytes - offset);
    // A last block of another length is of another file size, which is said already.
    if (blocks[index] === manifest.crc32c[index] || length !== Math.min(blockBytes, manifest.bytes - offset)) continue;
    const last = damage.at(-1);
    if (last !== undefined && last.what === blockWords && last.offset + last.length === offset) last.length += length;
    else damage.push({ offset, length, what: blockWords });
  }
  if (damage.length === 0 && digests.sha256 !== manifest.sha256)
    damage.push({ offset: 0, length: sizeBytes, what: 'SHA-256 is not the one of the manifest' });
  return damage;
}

const blockWords = 'CRC-32C is not the one of the manifest';
