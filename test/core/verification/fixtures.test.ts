/** Every fixture is intact: nothing may fail, and each format that has sums is covered by them. */
import { describe, expect, it } from 'vitest';
import { compileSchemaFile, schemaErrors } from '../../builders/schemaErrors.js';
import { fileOf, verifyDirectory } from '../../builders/verification.js';
import { isFailure, type VerificationReport } from '../../../src/core/verification/verification.js';

const reports: [string, VerificationReport][] = await Promise.all(
  ['test/fixtures/frameworks', 'test/fixtures/verification'].map(async (path): Promise<[string, VerificationReport]> => [
    path,
    await verifyDirectory(path),
  ]),
);

describe.each(reports)('%s', (_, report) => {
  it('has no file that fails', () => {
    expect(report.files.filter(({ status }) => isFailure(status))).toEqual([]);
    expect(report.failed).toBe(0);
  });

  it('gives a report by its schema', () => {
    expect(schemaErrors(compileSchemaFile('docs/verification-report.schema.json'), report)).toEqual([]);
  });

  it('is the same only where a sum covers bytes, and says of everything else why nothing does', () => {
    for (const { path, status, by, coverage, reason } of report.files) {
      expect(coverage.bytes, path).toBeLessThanOrEqual(coverage.of);
      expect(status === 'same', path).toBe(by.length > 0 && coverage.bytes > 0);
      if (status !== 'same') expect(reason, path).not.toBeNull();
    }
  });
});

describe('sums', () => {
  const [, report] = reports[1] ?? [];

  /** Of files by the libraries that write them: `make_verification.py`. */
  it.each([
    ['deflated.zip', ['zip-crc32']],
    ['fletcher.h5', ['hdf5-fletcher32']],
    ['latest.h5', ['hdf5-lookup3', 'hdf5-fletcher32']],
    ['lines.jsonl.gz', ['gzip-crc32']],
    ['lines.jsonl.sz', ['snappy-crc32c']],
    ['lines.jsonl.zst', ['zstd-xxh64']],
    ['mds/shard.00000.mds', ['sha1', 'xxh64']],
    ['packed.zarr/c/0/0', ['zarr-crc32c']],
    ['plain.zarr/c/3/0', ['zarr-crc32c']],
    ['sharded.zarr/c/2/0', ['zarr-crc32c']],
    ['pages-v1.parquet', ['parquet-crc32']],
    ['pages-v2.parquet', ['parquet-crc32']],
  ])('of %s are found: %j', (path, by) => {
    expect(fileOf(report as VerificationReport, path)).toMatchObject({ status: 'same', by });
  });

  it.each([
    ['torch/no-crc32/data/nocrc.pt', 'was written without a CRC-32'],
    ['datasets/parquet-writers/data/plain.parquet', 'its pages were written without CRC-32'],
    ['misc/hdf5-plain/data/state.h5', 'it was written without checksums'],
    ['datasets/mds-bytes-zstd/data/data/shard.00000.mds.zstd', 'it was written without checksums'],
    ['hf/llama-sharded-bf16/data/model-00001-of-00003.safetensors', 'safetensors has no checksums: a manifest is needed'],
    ['gguf/alignment/data/a.gguf', 'GGUF has no checksums: a manifest is needed'],
    ['dcp/zstd-2r/data/.metadata', 'torch.distributed.checkpoint (.metadata) has no checksums'],
    ['datasets/arrow-awkward/data/dictionary.arrow', 'Arrow IPC has no checksums'],
  ])('are not there in %s, which says so', (path, reason) => {
    const [, frameworks] = reports[0] ?? [];
    const file = fileOf(frameworks as VerificationReport, path);
    expect(file).toMatchObject({ status: 'unverifiable', by: [] });
    expect(file.reason).toContain(reason);
  });
});
