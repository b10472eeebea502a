/** Words for what a dataset report holds; the panel, the terminal, Markdown and hovers use the same. */
import type { ByteKind, ColumnRole, DatasetLayoutId, DatasetReport } from '../../datasets/datasetReport.js';
import { formatCount, formatShortCount } from '../../text/units.js';
import { unitsOf } from '../../text/plural.js';
import { revisionInWords } from '../../text/hubRevision.js';
import { visibleText } from '../../text/visibleText.js';

/** Layouts as their users call them. */
export const datasetLayoutNames: Record<DatasetLayoutId, string> = {
  'huggingface-dataset': 'Hugging Face dataset',
  parquet: 'Parquet',
  mds: 'MosaicML streaming (MDS)',
  litdata: 'LitData',
  'megatron-indexed': 'Megatron indexed dataset',
  webdataset: 'WebDataset',
  tfrecord: 'TFRecord',
  'array-record': 'ArrayRecord',
  datatrove: 'DataTrove tokens',
  'token-array': 'token array',
  jsonl: 'JSON lines',
  text: 'text',
};

/** What bytes are, lower case. */
export const byteKindLabels: Record<ByteKind, string> = {
  tokens: 'tokens',
  masks: 'masks and labels',
  text: 'raw text',
  values: 'other columns',
  index: 'index',
  metadata: 'metadata',
  tokenizer: 'tokenizer',
  framing: 'container overhead',
  unexplained: 'unexplained',
};

/** What a column is for, lower case. */
export const columnRoleLabels: Record<ColumnRole, string> = {
  tokens: 'tokens',
  mask: 'mask',
  labels: 'labels',
  positions: 'positions',
  text: 'raw text',
  value: 'other',
};

/** An exact number in full, an estimate in three digits: more would be a precision that it does not have. */
export function countInWords(count: number, exact: boolean): string {
  if (exact) return formatCount(count);
  return count < 10_000 ? formatCount(Number(count.toPrecision(3))) : formatShortCount(count);
}

/** `4.61`, `17,600,019`: a mean in two digits after the point, as long as those say something. */
export function numberInWords(value: number): string {
  return value < 1000 ? value.toFixed(2) : formatCount(value);
}

/** `MosaicML streaming (MDS) · streaming 0.13.0 · 12 shards`. */
export function datasetSubtitle({ layout, framework, shards, splits, revision }: DatasetReport): string {
  const parts = [datasetLayoutNames[layout]];
  if (revision !== undefined) parts.push(revisionInWords(revision));
  if (framework.version !== null) parts.push(visibleText(`${framework.name} ${framework.version}`));
  if (shards.length > 0) parts.push(unitsOf(shards.length, 'shard'));
  if (splits.length > 1) parts.push(unitsOf(splits.length, 'split'));
  return parts.join(' · ');
}
