import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { inspect } from '../../../../src/core/inspection/inspect.js';
import { patternBytes, utf8 } from '../../../builders/byteWriter.js';
import { filesBelow } from '../../../builders/diskTree.js';
import { memoryTree, type ReadLog } from '../../../builders/memoryTree.js';
import { zarray } from '../../../builders/ocdbtBuilder.js';
import { inspectHostile } from '../../../hostile/accountable.js';

const fixtures = path.resolve('test/fixtures/frameworks/orbax');
const twoProcesses = filesBelow(path.join(fixtures, 'multiprocess-2/data/ckpts/4'));
const item = filesBelow(path.join(fixtures, 'pytree-mixed-leaves/data/ckpt'));

type Files = Record<string, Uint8Array>;

const without = (files: Files, pattern: RegExp): Files =>
  Object.fromEntries(Object.entries(files).filter(([name]) => !pattern.test(name)));

const findingsOf = async (files: Files, rootName = '4'): Promise<string[]> =>
  (await inspectHostile(memoryTree(rootName, files))).findings.map(({ code }) => code);

describe('a checkpoint of two processes', () => {
  it('says what each wrote, and that any mesh can load it', async () => {
    const report = await inspectHostile(memoryTree('4', twoProcesses));
    expect(report).toMatchObject({ layout: 'orbax', step: 4, framework: { name: 'orbax' }, topology: { worldSize: 2 } });
    expect(report.ranks?.map(({ rank, files }) => [rank, files])).toEqual([
      ['0', 7],
      ['1', 3],
    ]);
    expect(report.resume.reshard?.can).toBe('any');
    expect(report.findings).toEqual([]);
  });

  it('reads manifest and nodes, and nothing of the arrays', async () => {
    const log: ReadLog = { reads: [] };
    await inspect(memoryTree('4', twoProcesses, log), { path: '4' });
    // The first bytes of each file may be those of a pickle: 64 of them, once, and no others.
    const isFirst = ({ offset, length }: ReadLog['reads'][number]): boolean => offset === 0 && length === 64;
    const first = log.reads.filter(isFirst).map(({ path: file }) => file);
    expect(new Set(first).size).toBe(first.length);
    const reads = log.reads.filter((read) => !isFirst(read));
    const data = reads.filter(({ path: file }) => file.includes('/d/'));
    expect(data.map(({ path: file }) => file)).toEqual(['state/d/12a2d91dee18a8d457cdd82e0921eabe']);
    expect(reads.some(({ path: file }) => file.includes('ocdbt.process_'))).toBe(false);
  });

  it('misses the database of a process that is gone', async () => {
    const report = await inspectHostile(memoryTree('4', without(twoProcesses, /ocdbt\.process_1/)));
    expect(report.topology.worldSize).toBe(2);
    expect(report.findings.map(({ code }) => code)).toEqual(['database-file-missing']);
    expect(report.resume.verdict).toBe('broken');
  });

  it('that was not merged lists what the processes wrote', async () => {
    const whole = await inspectHostile(memoryTree('4', twoProcesses));
    const report = await inspectHostile(memoryTree('4', without(twoProcesses, /^state\/(manifest|d\/)/)));
    expect(report.findings.map(({ code }) => code)).toEqual(['database-manifest-missing']);
    expect(report.components.weights?.logicalBytes).toBe(whole.components.weights?.logicalBytes);
    expect(report.parameters).toEqual(whole.parameters);
  });

  it('that was not merged, and of which one manifest is damaged, lists the others', async () => {
    const files = { ...without(twoProcesses, /^state\/(manifest|d\/)/), 'state/ocdbt.process_1/manifest.ocdbt': utf8('nothing') };
    const report = await inspectHostile(memoryTree('4', files));
    expect(report.findings.map(({ code }) => code)).toContain('database-node-damaged');
    expect(report.components.weights?.tensors).toBeGreaterThan(0);
  });

  it('of which a data loader is gone', async () => {
    const files = { ...twoProcesses, 'iter/process_0-of-3.json': utf8('{}'), 'iter/process_2-of-3.json': utf8('{}') };
    const report = await inspectHostile(memoryTree('4', files));
    expect(report.findings.map(({ code }) => code)).toEqual(['rank-file-missing']);
    expect(report.findings[0]?.message).toContain('iter/process_1-of-3.json');
    expect(report.topology.worldSize).toBe(3);
    expect(report.resume.present).toContain('dataLoader');
  });
});

describe('an unfinished save', () => {
  const named = (metadata: string): Files => ({ ...twoProcesses, _CHECKPOINT_METADATA: utf8(metadata) });

  it('is known by its name, its items, its time and its mark', async () => {
    expect(await findingsOf(twoProcesses, '4.orbax-checkpoint-tmp')).toEqual(['save-unfinished']);
    expect(await findingsOf(twoProcesses, '4.orbax-checkpoint-tmp-1795228')).toEqual(['save-unfinished']);
    expect(await findingsOf(without(twoProcesses, /^commit_success/))).toEqual(['save-unfinished']);
    expect(await findingsOf(named('{"commit_timestamp_nsecs":null}'))).toContain('save-unfinished');
    const temporary = Object.fromEntries(
      Object.entries(twoProcesses).map(([name, bytes]) => [name.replace(/^state\//, 'state.orbax-checkpoint-tmp/'), bytes]),
    );
    expect(await findingsOf(temporary)).toContain('save-unfinished');
  });

  it('has its step all the same, and cannot be resumed from', async () => {
    const timed = await inspectHostile(memoryTree('4.orbax-checkpoint-tmp-1795228', twoProcesses));
    expect(timed.step).toBe(4);
    const report = await inspectHostile(memoryTree('step_00000020.orbax-checkpoint-tmp', twoProcesses));
    expect(report.step).toBe(20);
    expect(report.resume.verdict).toBe('broken');
  });
});

describe('a tree', () => {
  it('is damaged where a chunk that was stored is gone', async () => {
    const files = filesBelow(path.join(fixtures, 'prng-keys/data/run/3'));
    expect(await findingsOf(without(files, /^raw_rng\/checkpoint\/0$/), '3')).toEqual(['chunks-missing']);
    expect(await findingsOf(without(files, /^rng\/jax_random_key\/checkpoint/), '3')).toEqual(['item-without-data']);
  });

  it('is damaged where its metadata list an array that is gone', async () => {
    const tree = (value: object): Uint8Array =>
      utf8(
        JSON.stringify({
          tree_metadata: Object.fromEntries(
            ['kernel', 'bias'].map((key) => [
              `('params', '${key}')`,
              { key_metadata: [{ key: 'params' }, { key }], value_metadata: { ...value, skip_deserialize: false } },
            ]),
          ),
        }),
      );
    const files = {
      '5/commit_success.txt': utf8(''),
      '5/_sharding': utf8('{}'),
      '5/_METADATA': tree({ value_type: 'jax.Array', write_shape: [3] }),
      '5/array_metadatas/process_0': utf8('{}'),
      '5/params.kernel/.zarray': zarray([3]),
      '5/params.kernel/0': patternBytes(12),
    };
    const report = await inspectHostile(memoryTree('5', files));
    expect(report.findings.filter(({ code }) => code === 'arrays-missing')).toMatchObject([
      {
        message: '1 array missing although _METADATA names it: params.bias.',
        effect: 'Restoring fails. Totals do not include 3 elements of these arrays.',
      },
    ]);
    expect(report.resume).toMatchObject({ verdict: 'broken', coverage: { counted: 1, of: 2 } });
    const whole = { ...files, '5/params.bias/.zarray': zarray([3]), '5/params.bias/0': patternBytes(12) };
    expect(await findingsOf(whole, '5')).not.toContain('arrays-missing');
    const texts = { ...files, '5/_METADATA': tree({ value_type: 'string' }) };
    expect(await findingsOf(texts, '5')).not.toContain('arrays-missing');
  });

  it('in a database is damaged where its metadata list an array that is gone', async () => {
    const metadata = new TextDecoder().decode(twoProcesses['state/_METADATA']);
    const files = { ...twoProcesses, 'state/_METADATA': utf8(metadata.replaceAll('"decoder_norm"', '"lost_norm"')) };
    expect(await findingsOf(files)).toEqual(['arrays-missing']);
  });

  it('without metadata of a checkpoint around it lacks none', async () => {
    expect(await findingsOf(without(item, /_CHECKPOINT_METADATA/), 'ckpt')).toEqual([]);
  });

  it('survives metadata of any shape', async () => {
    for (const text of [
      'null',
      '[]',
      '7',
      '{"tree_metadata":null}',
      '{"tree_metadata":[1,null]}',
      '{"item_handlers":[1]}',
      '{"item_handlers":{"a":"b"}}',
    ])
      for (const name of ['_METADATA', '_CHECKPOINT_METADATA']) await findingsOf({ ...item, [name]: utf8(text) });
  });
});

const published = path.resolve('../shared/fixtures/public/orbax/v1_checkpoints/composite_checkpoint');

/** What Orbax's own compatibility checkpoints should give, by the name of their directory. */
const expected: Record<string, { codes: string[]; verdict: string }> = {
  'checkpoint_metadata_missing/pytree_checkpointable_has_metadata': {
    codes: ['checkpoint-metadata-missing'],
    verdict: 'weights-only',
  },
  'checkpoint_metadata_missing/pytree_checkpointable_missing_metadata': {
    codes: ['tree-metadata-missing', 'checkpoint-metadata-missing'],
    verdict: 'broken',
  },
  'checkpoint_metadata_present/pytree_checkpointable_has_metadata': { codes: [], verdict: 'weights-only' },
  'checkpoint_metadata_present/pytree_checkpointable_missing_metadata': { codes: ['tree-metadata-missing'], verdict: 'broken' },
  'critical_general_alterations/dummy_checkpointable_added': {
    codes: ['header-corrupt', 'item-without-data'],
    verdict: 'broken',
  },
  'critical_metadata_alterations/missing_pytree_data_dir_d': { codes: ['database-file-missing'], verdict: 'broken' },
  'critical_metadata_alterations/missing_pytree_data_file_manifest.ocdbt': {
    codes: ['database-manifest-missing'],
    verdict: 'broken',
  },
  'non_critical_general_alterations/deleted_checkpointable': {
    codes: ['weights-missing', 'item-missing'],
    verdict: 'broken',
  },
  'non_critical_metadata_alterations/missing_pytree_data_dir_array_metadatas': {
    codes: ['array-metadatas-missing'],
    verdict: 'weights-only',
  },
  'non_critical_metadata_alterations/missing_pytree_data_file__sharding': {
    codes: ['shardings-missing'],
    verdict: 'weights-only',
  },
  ...Object.fromEntries(
    ['commit_timestamp_nsecs', 'custom_metadata', 'init_timestamp_nsecs', 'item_handlers', 'metrics', 'performance_metrics'].map(
      (key) => [
        `non_critical_metadata_alterations/missing_${key}_metadata`,
        { codes: ['checkpoint-metadata-incomplete'], verdict: 'weights-only' },
      ],
    ),
  ),
};

// Not defined rather than skipped where the data are not there: the runner counts a skipped test as a failure.
if (existsSync(published)) describe('Orbax’s own damaged checkpoints', checkPublished);
else console.warn('Orbax’s own damaged checkpoints are not beside this checkout: they are not tested.');

function checkPublished(): void {
  const cases = readdirSync(published).flatMap((group) =>
    readdirSync(path.join(published, group)).map((name) => `${group}/${name}`),
  );

  it.each(cases)('%s', async (name) => {
    const report = await inspectHostile(memoryTree(path.basename(name), filesBelow(path.join(published, name))));
    expect({ codes: report.findings.map(({ code }) => code), verdict: report.resume.verdict }).toEqual(expected[name]);
    // Orbax loads what is left of a checkpoint whose weights were deleted; there is nothing to resume from.
    const isCritical = /^critical|missing_metadata$|deleted/.test(name);
    expect(report.findings.some(({ severity }) => severity === 'error')).toBe(isCritical);
    // Damage to the top of a database does not hide what lies below.
    if (!name.includes('deleted')) expect(report.components.weights?.tensors).toBeGreaterThan(0);
  });

  it('are all known', () => expect(cases.sort()).toEqual(Object.keys(expected).sort()));
}
