import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { limits } from '../../../src/core/bytes/limits.js';
import { parseSnapshotManifest } from '../../../src/core/formats/torch/snapshotManifest.js';
import { listTensors } from '../../../src/core/inspection/reportJson.js';
import { patternBytes, utf8 } from '../../builders/byteWriter.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { buildTorchZip, stateDict } from '../../builders/torchZipBuilder.js';
import { inspectHostile } from '../../hostile/accountable.js';

const tensor = (location: string, shape: readonly number[], extra: object = {}): object => ({
  type: 'Tensor',
  location,
  serializer: 'buffer_protocol',
  dtype: 'torch.float32',
  shape,
  replicated: false,
  byte_range: null,
  ...extra,
});
const shard = (location: string, row: number): object => ({ offsets: [row, 0], sizes: [2, 4], tensor: tensor(location, [2, 4]) });

const manifest = {
  version: '0.1.0',
  world_size: 2,
  manifest: {
    '0/app': { type: 'dict', keys: ['model'] },
    '0/app/model/a%2Fb': tensor('replicated/app/model/a%2Fb', [4], { replicated: true }),
    '1/app/model/a%2Fb': tensor('replicated/app/model/a%2Fb', [4], { replicated: true }),
    '0/app/model/table': { type: 'ShardedTensor', shards: [shard('sharded/app/model/table_0_0', 0)] },
    '1/app/model/table': { type: 'ShardedTensor', shards: [shard('sharded/app/model/table_2_0', 2)] },
    '0/optimizer/exp_avg': tensor('batched/slab', [4], { byte_range: [0, 16] }),
    '1/optimizer/exp_avg': tensor('batched/slab', [4], { byte_range: [16, 32] }),
    '0/rng_state': { type: 'object', location: '0/rng_state', serializer: 'torch_save', obj_type: 'Tensor', replicated: false },
    '0/progress/steps': { type: 'int', serialized_value: '70', replicated: false, readable: null },
    '0/progress/lr': { type: 'float', serialized_value: 'mpmZmZmZuT8=', replicated: false, readable: '0.1' },
  },
};
const files = {
  'replicated/app/model/a%2Fb': patternBytes(16),
  'sharded/app/model/table_0_0': patternBytes(32),
  'sharded/app/model/table_2_0': patternBytes(32),
  'batched/slab': patternBytes(32),
  '0/rng_state': buildTorchZip(stateDict({ x: ['u8', [16]] })),
};
const json = utf8(JSON.stringify(manifest));

async function codesOf(bytes: Uint8Array, others: Record<string, Uint8Array> = files): Promise<string[]> {
  const report = await inspectHostile(memoryTree('snapshot', { '.snapshot_metadata': bytes, ...others }));
  return report.findings.map(({ code }) => code);
}

describe('snapshots', () => {
  it('match files under other spellings of their names, with a finding each', async () => {
    const { 'batched/slab': slab, '0/rng_state': rng, ...others } = files;
    expect(await codesOf(json, { ...others, 'Batched/slab': slab, '0/RNG_state': rng })).toEqual([
      'index-shard-spelled-otherwise',
      'index-shard-spelled-otherwise',
    ]);
  });

  it.each([
    ['JSON', json],
    ['YAML', utf8(stringify(manifest))],
  ])('with a manifest in %s', async (_, bytes) => {
    const { report, tensors } = await inspectCheckpoint(memoryTree('snapshot', { '.snapshot_metadata': bytes, ...files }), {
      path: 's',
    });
    expect(report.findings).toEqual([]);
    expect(report).toMatchObject({
      layout: 'torchsnapshot',
      step: 70,
      topology: { worldSize: 2 },
      framework: { version: '0.1.0' },
    });
    expect(listTensors(tensors, report.files)).toMatchObject([
      { name: 'app.model.a/b', shape: [4], bytes: 16, component: 'weights' },
      { name: 'app.model.table', shape: [4, 4], bytes: 64, component: 'weights' },
      { name: '0.optimizer.exp_avg', bytes: 16, component: 'optimizer' },
      { name: '1.optimizer.exp_avg', bytes: 16, component: 'optimizer' },
    ]);
    expect(report.components.rng?.otherBytes).toBe(files['0/rng_state'].byteLength);
    expect(report.resume.present).toEqual(expect.arrayContaining(['weights', 'optimizer', 'rng']));
  });
});

describe('a manifest in YAML that is read piece by piece', () => {
  const name = (index: number): string => `0/model/${index % 3 === 0 ? 'long_'.repeat(30) : ''}layer_${index}`;
  const entries = Object.fromEntries(
    Array.from({ length: 4000 }, (_, index) => [name(index), tensor(`0/model/layer_${index}`, [4, index])]),
  );
  /** As PyYAML writes it: a key of more than 128 characters has a line of its own. */
  const pyYaml = (before: string, after: string): string =>
    before + stringify({ manifest: entries }).replaceAll(/^ {2}(\S{128,}):\n {4}/gm, '  ? $1\n  : ') + after;

  it.each([
    ['first', pyYaml('', 'version: 0.1.0\nworld_size: 2\n')],
    ['last', pyYaml('version: 0.1.0\nworld_size: 2\n', '')],
  ])('is the one that it is whole, with its entries %s', async (_, text) => {
    expect(text.length).toBeGreaterThan(3 * limits.yamlPieceBytes);
    const found = await parseSnapshotManifest(utf8(text));
    expect(found).toMatchObject({ version: '0.1.0', worldSize: 2 });
    expect(found.tensors.map(({ keyPath, shape }) => [keyPath.join('/'), shape[1]])).toEqual(
      Array.from({ length: 4000 }, (_entry, index) => [name(index).slice(2), index]),
    );
  });

  it('is refused where one entry is longer than a piece', async () => {
    const long = `manifest:\n  0/a:\n${'    - a\n'.repeat(limits.yamlPieceBytes / 4)}`;
    await expect(parseSnapshotManifest(utf8(long))).rejects.toMatchObject({ code: 'limit-exceeded' });
  });
});

describe('damage', () => {
  it('of files', async () => {
    expect(await codesOf(json, { ...files, 'batched/slab': patternBytes(20) })).toContain('file-truncated');
    expect(await codesOf(json, { ...files, 'batched/slab': patternBytes(40) })).toContain('file-too-long');
    const { 'batched/slab': _, ...rest } = files;
    expect(await codesOf(json, rest)).toContain('index-shard-missing');
  });

  it.each<[string, string, Uint8Array]>([
    ['no manifest', 'header-corrupt', utf8('{}')],
    ['no YAML', 'header-corrupt', utf8('a: [b')],
    [
      'aliases that multiply',
      'header-corrupt',
      utf8(
        `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\nmanifest: *d\n`,
      ),
    ],
    [
      'a path that leads out',
      'index-path-unsafe',
      utf8(JSON.stringify({ manifest: { '0/a': tensor('../../etc/passwd', [4]) } })),
    ],
    [
      'a size unlike its shape',
      'tensor-size-mismatch',
      utf8(JSON.stringify({ manifest: { '0/a': tensor('batched/slab', [4], { byte_range: [0, 8] }) } })),
    ],
  ])('%s', async (_, code, bytes) => {
    expect(await codesOf(bytes)).toContain(code);
  });

  it('of a manifest, wherever it is cut', async () => {
    for (let length = 0; length < json.byteLength; length += 7) await codesOf(json.subarray(0, length));
  });
});
