/** ArrayRecord files, as Grain and MaxText read them: `<dataset>-<split>.array_record-00000-of-00008`. */
import { baseName } from '../../files/paths.js';
import { readArrayRecordFooter } from '../../formats/arrayRecord.js';
import type { DatasetAccess, DatasetLayout } from '../datasetLayout.js';
import { noteMissingShards } from '../shardNames.js';
import { splitOf } from '../splitName.js';
import { readTfdsInfo, type TfdsInfo } from '../tfdsInfo.js';

const shardName = /\.(array_record|arrayrecord|riegeli)(-\d{5,}-of-\d{5,})?$/;

export const arrayRecord: DatasetLayout = {
  id: 'array-record',
  framework: 'ArrayRecord',
  sampleUnit: 'record',
  names: [{ extensions: ['array_record', 'arrayrecord'], isNumbered: true, isOwn: true }],

  claim: (free) => free.filter(({ path }) => shardName.test(baseName(path))).map(({ path }) => path),

  async read(paths, access) {
    const info = await readTfdsInfo(paths, access);
    noteMissingShards(paths, access);
    await access.each(paths, (path, turn) => readShard(path, turn, info, access));
    access.done('the footer of each file was read: its records and chunks are counted there');
    access.notDone('what is in the records: their format is up to who wrote them');
  },
};

async function readShard(path: string, turn: () => Promise<void>, info: TfdsInfo, access: DatasetAccess): Promise<void> {
  access.describe(path, { role: 'records', restKind: 'values' });
  const footer = await access.withSource(path, (source) => readArrayRecordFooter(source, access.signal));
  await turn();
  // From the footer on: it, padding, and the block with the postscript.
  access.bytes(path, 'index', (access.entry(path)?.sizeBytes ?? footer.footerOffset) - footer.footerOffset);
  if (footer.options !== '') access.fact('writer options', footer.options, path);
  info.compare(path, footer.records, access);
  if (footer.records === 0) access.finding({ code: 'shard-empty', path, facts: { detail: 'its footer counts no records' } });
  access.shard({
    path,
    split: splitOf(path),
    samples: footer.records,
    tokens: null,
    logicalBytes: footer.logicalBytes,
    columns: [],
  });
}
