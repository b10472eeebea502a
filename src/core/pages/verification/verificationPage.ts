/** What a verification found, in words: what failed first, then how much of each file was compared with what. */
import { counted, listed } from '../../text/quantities.js';
import { formatBytes, formatCount } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';
import type { Damage, FileStatus, SumKind, VerificationReport, VerifiedFile } from '../../verification/verification.js';
import { isFailure } from '../../verification/verification.js';
import { coveredShare, logOutcomeWords } from './loggedChecks.js';
import type { ComparisonPage } from '../plan/planComparison.js';
import type { PageTable } from '../table.js';

export function verificationPage(report: VerificationReport): ComparisonPage {
  return {
    decision: headline(report),
    reasons: [...whatWasRead(report), ...logOutcomeWords(report.log), ...report.notes],
    table: table(report),
    details: details(report),
  };
}

function headline(report: VerificationReport): string {
  const { files, failed, created } = report;
  if (files.length === 0) return failed > 0 ? failedWords(report) : 'No files are here.';
  if (created) return createdHeadline(report);
  const left = leftWords(files);
  if (failed > 0) return `${failedWords(report)}${left}`;
  const compared = files.filter(({ by }) => by.length > 0).length;
  if (compared === 0)
    return `No checksum covers any of ${counted(files.length, 'file')}: nothing was compared.${extraWords(files)}`;
  return `${counted(compared, 'file')} compared, none failed: ${coverageWords(files)}.${left}`;
}

/** Files that nothing was compared of. */
function leftWords(files: readonly VerifiedFile[]): string {
  const left = files.filter(({ status, by }) => !isFailure(status) && by.length === 0).length;
  return `${left === 0 ? '' : ` No checksum covers ${counted(left, 'file')}.`}${extraWords(files)}`;
}

function extraWords(files: readonly VerifiedFile[]): string {
  const extra = files.filter(({ status }) => status === 'extra').length;
  return extra === 0 ? '' : ` The manifest does not list ${counted(extra, 'file')}.`;
}

/** What could not be listed fails without being a file. */
function failedWords({ files, failed }: VerificationReport): string {
  const ofFiles = files.filter(({ status }) => isFailure(status)).length;
  const unlisted = failed > ofFiles ? 'Not all files could be listed.' : '';
  if (ofFiles === 0) return unlisted;
  const ofAll = `${formatCount(ofFiles)} of ${counted(files.length, 'file')} failed: ${words(files)}.`;
  return unlisted === '' ? ofAll : `${ofAll} ${unlisted}`;
}

function createdHeadline(report: VerificationReport): string {
  const { files, failed } = report;
  const hashed = files.filter(({ status }) => status !== 'missing' && status !== 'unreadable');
  const bytes = hashed.reduce((sum, file) => sum + file.bytes, 0);
  const wrote = `The manifest has the sums of ${counted(hashed.length, 'file')}, ${formatBytes(bytes)}`;
  return failed === 0 ? `${wrote}.` : `${wrote}. ${failedWords(report)}`;
}

function words(files: readonly VerifiedFile[]): string {
  const statuses = ['changed', 'missing', 'unreadable'] as const;
  const counts = statuses.map((status) => ({ status, count: files.filter((file) => file.status === status).length }));
  return listed(counts.filter(({ count }) => count > 0).map(({ status, count }) => `${count} ${status}`));
}

function coverageWords(files: readonly VerifiedFile[]): string {
  const covered = files.reduce((sum, { coverage }) => sum + coverage.bytes, 0);
  const all = files.reduce((sum, { bytes }) => sum + bytes, 0);
  return `checksums cover ${formatBytes(covered)} of ${formatBytes(all)}`;
}

/** Of fewer bytes the time is that of opening files. */
const leastTimedBytes = 100_000_000;

function whatWasRead({ bytesHashed, bytesPerSecond, manifest }: VerificationReport): string[] {
  const rate = bytesPerSecond === null || bytesHashed < leastTimedBytes ? '' : `, ${formatBytes(bytesPerSecond)} a second`;
  return [
    ...(bytesHashed === 0 ? [] : [`Read ${formatBytes(bytesHashed)}${rate}.`]),
    ...(manifest === null ? [] : [`Manifest: ${visibleText(manifest)}.`]),
  ];
}

/** What failed stands first. */
const order: Record<FileStatus, number> = { changed: 0, missing: 1, unreadable: 2, extra: 3, unverifiable: 4, same: 5 };
/** Rows, unless more files failed: the first line summarises a checkpoint of 10,000 files. */
const mostRows = 200;
/** Damaged places that a row lists. */
const mostPlaces = 3;

function table({ files }: VerificationReport): PageTable {
  const sorted = [...files].sort((a, b) => order[a.status] - order[b.status]);
  const failures = sorted.filter(({ status }) => isFailure(status)).length;
  const shown = sorted.slice(0, Math.max(mostRows, failures));
  return {
    id: 'verification',
    caption: 'Files',
    columns: [
      { label: 'file', isNumber: false },
      { label: 'size', isNumber: true },
      { label: '', isNumber: false },
      { label: 'covered', isNumber: true },
      { label: 'by', isNumber: false },
      { label: '', isNumber: false },
    ],
    rows: shown.map((file) => [
      visibleText(file.path),
      formatBytes(file.bytes),
      file.status,
      coverageText(file),
      sumsText(file),
      [...placesOf(file), ...(file.reason === null ? [] : [visibleText(file.reason)])].join('; '),
    ]),
    note: shown.length < sorted.length ? `${counted(sorted.length - shown.length, 'more file')} in the JSON.` : '',
  };
}

/** 100 % only where no byte is left out. */
export function coverageText({ coverage: { bytes, of } }: VerifiedFile): string {
  return of === 0 ? '–' : coveredShare(bytes, of);
}

/** What it was compared with. */
export function sumsText({ by }: VerifiedFile): string {
  return by.map((kind) => sumNames[kind]).join(', ');
}

/** Where it is damaged, the first places. */
export function placesOf({ damage }: VerifiedFile, most = mostPlaces): string[] {
  const places = damage
    .slice(0, most)
    .map(
      ({ offset, length, what, tensors }) =>
        `${visibleText(what)}${tensorWords(tensors)} (bytes ${formatCount(offset)} to ${formatCount(offset + length)})`,
    );
  return damage.length > most ? [...places, `${formatCount(damage.length - most)} more places`] : places;
}

/** Failed files of which all is said, and places of each. */
const mostDetailed = 100;
const mostDetailedPlaces = 20;

/** What failed, whole: a line for each place and reason. */
function details({ files }: VerificationReport): string[] {
  const failures = files.filter(({ status }) => isFailure(status));
  const lines = failures.slice(0, mostDetailed).flatMap((file) => {
    const found = [...placesOf(file, mostDetailedPlaces), ...(file.reason === null ? [] : [visibleText(file.reason)])];
    return found.map((text) => `${visibleText(file.path)}: ${text}`);
  });
  const rest = failures.length - mostDetailed;
  return rest > 0 ? [...lines, `${counted(rest, 'more file')} in the JSON.`] : lines;
}

function tensorWords(tensors: Damage['tensors']): string {
  if (tensors === undefined) return '';
  const { names, more } = tensors;
  return `, in ${listed([...names.map(visibleText), ...(more === 0 ? [] : [counted(more, 'more tensor')])])}`;
}

const sumNames: Record<SumKind, string> = {
  'zip-crc32': 'CRC-32 of the archive',
  'gzip-crc32': 'CRC-32 of gzip',
  'zlib-adler32': 'Adler-32 of zlib',
  'zstd-xxh64': 'XXH64 of Zstandard',
  'snappy-crc32c': 'CRC-32C of Snappy',
  'tfrecord-crc32c': 'CRC-32C of records',
  'tensor-bundle-crc32c': 'CRC-32C of the bundle',
  'ocdbt-crc32c': 'CRC-32C of OCDBT',
  'zarr-crc32c': 'CRC-32C of zarr',
  'hdf5-fletcher32': 'Fletcher-32 of HDF5',
  'hdf5-lookup3': 'checksums of HDF5',
  'parquet-crc32': 'CRC-32 of pages',
  'array-record-hash': 'hashes of chunks',
  'tar-sum': 'sums of headers',
  'mds-hash': 'hashes of the index',
  md5: 'MD5',
  sha1: 'SHA-1',
  sha256: 'SHA-256',
  sha512: 'SHA-512',
  'git-blob': 'Git',
  xxh64: 'XXH64',
  'block-crc32c': 'CRC-32C of blocks',
  size: 'size',
};
