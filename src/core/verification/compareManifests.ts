import type { Manifest, ManifestFile } from './expected.js';
import type { FileStatus, VerificationReport, VerifiedFile } from './verification.js';
import { blockDamage } from './verifyFile.js';
import { isFailure } from './verification.js';
import { compareNatural } from '../files/naturalOrder.js';

/** Compares two manifests. No file is read: what is reported is what they say. */
export function compareManifests(path: string, own: Manifest, other: Manifest, otherPath: string): VerificationReport {
  const paths = [...new Set([...other.files.keys(), ...own.files.keys()])].sort(compareNatural);
  const isSameBlocks = own.blockBytes === other.blockBytes;
  const files = paths.map((each) =>
    compared(each, own.files.get(each), other.files.get(each), isSameBlocks ? own.blockBytes : null),
  );
  return {
    kind: 'verification',
    schemaVersion: 2,
    path,
    manifest: otherPath,
    created: false,
    files,
    failed: files.filter(({ status }) => isFailure(status)).length,
    unverifiable: 0,
    bytesHashed: 0,
    bytesPerSecond: null,
    notes: ['Two manifests were compared: no file was read.'],
  };
}

function compared(
  path: string,
  own: ManifestFile | undefined,
  other: ManifestFile | undefined,
  blockBytes: number | null,
): VerifiedFile {
  const bytes = (own ?? other)?.bytes ?? 0;
  const file = (status: FileStatus, reason: string | null): VerifiedFile => {
    const isCompared = own !== undefined && other !== undefined;
    return {
      path,
      bytes,
      status,
      by: isCompared ? ['sha256'] : [],
      coverage: { bytes: isCompared ? bytes : 0, of: bytes },
      damage: [],
      reason,
    };
  };
  if (own === undefined) return file('missing', 'the other manifest lists it, and this one does not');
  if (other === undefined) return file('extra', 'the other manifest does not list it');
  if (own.sha256 === other.sha256 && own.bytes === other.bytes) return file('same', null);
  const result = { digests: { sha256: own.sha256 }, blocks: own.crc32c };
  const damage =
    blockBytes === null
      ? [{ offset: 0, length: own.bytes, what: 'SHA-256 is not the one of the manifest' }]
      : blockDamage(other, result, own.bytes, blockBytes);
  return { ...file('changed', null), damage };
}
