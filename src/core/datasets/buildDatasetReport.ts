/** From what layouts found to the report: sums over shards, the byte account, the verdict on dtypes and columns. */
import type { ReadCounter } from '../bytes/countingSource.js';
import {
  byteKinds,
  type ByteKind,
  type DatasetColumn,
  type DatasetFile,
  type DatasetReport,
  type DatasetShard,
} from './datasetReport.js';
import { listImports, neededCode } from '../formats/pickle/imports/importList.js';
import { pluralOf } from '../text/plural.js';
import { describeFindings } from '../findings/describeFindings.js';
import { bytesOfElements } from '../tensors/dtype.js';
import { assessDataset } from './assessDataset.js';
import type { DatasetFilePart, DatasetParts, Shard } from './datasetParts.js';
import { withoutConsequences } from './consequences.js';
import { exactly, plus } from './counts.js';
import { findMixedShards } from './mixedShards.js';
import { sumSplits } from './sumSplits.js';
import { Totals } from './totals.js';

/** Adds everything up. `io.elapsedMs` is left to the caller. */
export function buildDatasetReport(parts: DatasetParts, path: string, counter: ReadCounter): DatasetReport {
  const totals = new Totals(parts);
  const text = parts.text === null ? null : totals.ofText(parts.text);
  const files = parts.files.map(accountFor);
  const sizes = new Map(files.map((file) => [file.path, file.bytes]));
  const columns = sumColumns(parts.shards);
  const shards = parts.shards.map((shard) => toShard(shard, sizes));
  const tokenDtype = tokenDtypeOf(parts.shards);
  const samples = totals.samples() ?? text?.samples ?? null;
  const isEmpty = samples?.count === 0 && samples.exact;
  const noTokens = isEmpty ? exactly(0, `there are no ${pluralOf(parts.sampleUnit)}`, samples.basis) : null;
  const tokens = totals.tokens() ?? text?.tokens ?? noTokens;
  const report: DatasetReport = {
    schemaVersion: 2,
    kind: 'dataset',
    path,
    layout: parts.layout,
    framework: parts.framework,
    totalBytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    samples: samples?.count ?? null,
    sampleCount: samples,
    sampleUnit: parts.sampleUnit,
    tokens,
    tokenDtype,
    bytesPerToken: bytesPerTokenOf(parts.shards, tokenDtype),
    vocabulary: parts.vocabulary,
    bytes: sumKinds(files),
    columns,
    splits: sumSplits({
      sure: shards.filter(({ path }) => totals.isSure(path)),
      damaged: shards.filter(({ path }) => !totals.isSure(path)),
      uncounted: parts.uncounted.map((each) => ({ path: each, bytes: sizes.get(each) ?? 0 })),
      empty: parts.emptySplits,
    }),
    shards,
    lengths: parts.lengths,
    lengthsOnRequest: parts.lengthsOnRequest,
    padding: parts.padding,
    text: text?.text ?? null,
    files,
    facts: parts.facts,
    findings: [],
    ...(parts.imports.size === 0 ? {} : { pickleImports: listImports(parts.imports) }),
    checks: { done: parts.done, notDone: parts.notDone },
    io: { ...counter, elapsedMs: 0 },
  };
  const findings = [
    ...withoutConsequences(parts.findings),
    ...findMixedShards(parts),
    ...neededCode(parts),
    ...assessDataset(report),
  ];
  return { ...report, findings: describeFindings(findings) };
}

/** Every byte of a file to a kind: what nothing named is of the file's own kind. Kinds that claim too much are cut, in their order. */
function accountFor({ path, sizeBytes, format, role, kinds, restKind }: DatasetFilePart): DatasetFile {
  const account: DatasetFile['kinds'] = {};
  let left = sizeBytes;
  for (const kind of byteKinds) {
    const bytes = Math.min(kinds[kind] ?? 0, left);
    if (bytes > 0) account[kind] = bytes;
    left -= bytes;
  }
  if (left > 0) account[restKind] = (account[restKind] ?? 0) + left;
  return { path, bytes: sizeBytes, format, role, kinds: account };
}

function sumKinds(files: readonly DatasetFile[]): Partial<Record<ByteKind, number>> {
  const sums: Partial<Record<ByteKind, number>> = {};
  for (const kind of byteKinds) {
    const bytes = files.reduce((sum, file) => sum + (file.kinds[kind] ?? 0), 0);
    if (bytes > 0) sums[kind] = bytes;
  }
  return sums;
}

/** Copies and sources add the bytes that they take, but no values where the dataset itself has the column: those are there once. */
function sumColumns(shards: readonly Shard[]): DatasetColumn[] {
  const columns = new Map<string, DatasetColumn>();
  const ownFirst = [...shards.filter(({ use }) => use === undefined), ...shards.filter(({ use }) => use !== undefined)];
  const own = new Set<string>();
  for (const shard of ownFirst) {
    for (const column of shard.columns) {
      const key = `${column.name}\n${column.type}`;
      const known = columns.get(key);
      if (shard.use === undefined) own.add(key);
      if (known === undefined) columns.set(key, { ...column });
      else {
        if (shard.use === undefined || !own.has(key)) known.values = plus(known.values, column.values);
        known.bytes = plus(known.bytes, column.bytes);
        known.logicalBytes = plus(known.logicalBytes, column.logicalBytes);
      }
    }
  }
  return [...columns.values()];
}

function toShard(shard: Shard, sizes: ReadonlyMap<string, number>): DatasetShard {
  return {
    path: shard.path,
    bytes: sizes.get(shard.path) ?? 0,
    logicalBytes: shard.logicalBytes ?? null,
    samples: shard.samples,
    tokens: shard.tokens,
    split: shard.split ?? null,
  };
}

function tokenDtypeOf(shards: readonly Shard[]): string | null {
  const dtypes = new Set(tokenColumns(shards).map(({ dtype }) => dtype));
  if (dtypes.size === 0) return null;
  const [only] = dtypes;
  return dtypes.size === 1 ? (only ?? null) : 'mixed';
}

/** What a token takes in the token columns, uncompressed; of mixed widths the mean. */
function bytesPerTokenOf(shards: readonly Shard[], dtype: string | null): number | null {
  if (dtype === null) return null;
  if (dtype !== 'mixed') return bytesOfElements(dtype, 1) ?? null;
  let values = 0;
  let bytes = 0;
  for (const column of tokenColumns(shards)) {
    values += column.values ?? 0;
    bytes += bytesOfElements(column.dtype ?? '', column.values ?? 0) ?? 0;
  }
  return values === 0 ? null : bytes / values;
}

function tokenColumns(shards: readonly Shard[]): Shard['columns'] {
  return shards.flatMap(({ use, columns }) => (use === undefined ? columns.filter(({ role }) => role === 'tokens') : []));
}
