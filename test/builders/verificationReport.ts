/** What came of verifying the sample of the panel: one file is damaged, one has no checksum, one is missing. */
import type { VerificationReport, VerifiedFile } from '../../src/core/verification/verification.js';

const file = (path: string, bytes: number, more: Partial<VerifiedFile>): VerifiedFile => ({
  path,
  bytes,
  status: 'same',
  by: [],
  coverage: { bytes, of: bytes },
  damage: [],
  reason: null,
  ...more,
});

/** @param changes of a file by its path: hostile texts */
export function verificationReport(path: string, changes: { path?: string; what?: string } = {}): VerificationReport {
  const files = [
    file('config.json', 812, { status: 'unverifiable', coverage: { bytes: 0, of: 812 }, reason: 'no checksum is known of it' }),
    file('model.safetensors', 3_087_467_144, { by: ['sha256'] }),
    file(changes.path ?? 'optimizer.pt', 6_174_970_062, {
      status: 'changed',
      by: ['zip-crc32'],
      coverage: { bytes: 6_174_900_000, of: 6_174_970_062 },
      damage: [
        {
          offset: 1_048_576,
          length: 9_437_184,
          what: changes.what ?? 'data/17 of the archive: CRC-32 does not match',
          tensors: { names: ['state.4.exp_avg', 'state.4.exp_avg_sq'], more: 0 },
        },
      ],
    }),
    file('rng_state.pth', 0, { status: 'missing', coverage: { bytes: 0, of: 0 }, reason: 'SHA256SUMS lists it' }),
  ];
  return {
    kind: 'verification',
    schemaVersion: 2,
    path,
    manifest: null,
    created: false,
    files,
    failed: 2,
    unverifiable: 1,
    bytesHashed: 9_262_438_018,
    bytesPerSecond: 1_520_000_000,
    notes: [],
  };
}
