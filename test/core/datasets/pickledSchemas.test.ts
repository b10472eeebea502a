/** Pickles in the metadata of Arrow and Parquet: pyarrow before 14.0.1 loads that of an extension type when it opens the schema. */
import { describe, expect, it } from 'vitest';
import { pickledSchemas } from '../../builders/pickledSchemas.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { limits } from '../../../src/core/bytes/limits.js';
import { PickledMetadata } from '../../../src/core/formats/arrow/pickledMetadata.js';
import { inspectAnyHostile } from '../../hostile/accountable.js';

async function findingsOf(name: string, base64: string) {
  const report = await inspectAnyHostile(memoryTree('m', { [name]: new Uint8Array(Buffer.from(base64, 'base64')) }));
  return report.findings.filter(({ severity }) => severity === 'error').map(({ code, message }) => [code, message]);
}

describe('a pickle in the metadata', () => {
  it.each([
    ['of a field of Parquet', 'a.parquet', pickledSchemas.parquet],
    ['of a Parquet file, as that of petastorm', 'a.parquet', pickledSchemas.petastorm],
    ['of a field of an Arrow file', 'a.arrow', pickledSchemas.file],
    ['of a field of an Arrow stream', 'a.arrow', pickledSchemas.stream],
    ['of a field within a struct', 'a.arrow', pickledSchemas.nested],
    ['of a field of Feather', 'a.feather', pickledSchemas.feather],
    ['of a schema of Arrow', 'a.arrow', pickledSchemas.schema],
  ])('%s', async (_what, name, base64) => {
    expect(await findingsOf(name, base64)).toEqual([
      ['pickle-calls-unexpected', 'Unexpected call in a pickle: os.system("id").'],
    ]);
  });

  it('of another extension type is none', async () => {
    expect(await findingsOf('a.arrow', pickledSchemas.harmless)).toEqual([]);
  });
});

it.each([
  ['a.parquet', pickledSchemas.parquet],
  ['a.arrow', pickledSchemas.file],
])('its imports are among those that the report of %s lists', async (name, base64) => {
  const report = await inspectAnyHostile(memoryTree('m', { [name]: new Uint8Array(Buffer.from(base64, 'base64')) }));
  if (report.kind !== 'dataset') throw new Error(`this is a ${report.kind}`);
  expect(report.pickleImports?.map(({ name: global }) => global)).toContain('os.system');
});

it('no more of them are kept than the limit, and the others are counted', () => {
  const pickled = new PickledMetadata();
  for (let count = 0; count < limits.pickledMetadata + 3; count++)
    pickled.add({ key: 'a', bytes: new Uint8Array(7), offset: undefined });
  expect(pickled.values).toHaveLength(limits.pickledMetadata);
  expect(pickled.leftOutBytes).toBe(21);
});
