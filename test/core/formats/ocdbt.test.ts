import { describe, expect, it } from 'vitest';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { listTensors } from '../../../src/core/inspection/reportJson.js';
import { crc32c } from '../../../src/core/bytes/crc32c.js';
import { bytes, concat, overwrite, patternBytes, u32, u64, utf8 } from '../../builders/byteWriter.js';
import { memoryTree, type ReadLog } from '../../builders/memoryTree.js';
import {
  dataFiles,
  interior,
  leaf,
  manifest,
  numberedManifest,
  object,
  varint,
  zarray,
  type LeafEntry,
} from '../../builders/ocdbtBuilder.js';
import { inspectHostile, isNoticed } from '../../hostile/accountable.js';

const hex = (digit: string): string => digit.repeat(32);
const NODES = `d/${hex('a')}`;
const VALUES = `d/${hex('b')}`;
const files = [{ path: NODES }, { path: VALUES }];
const chunk = (offset: number, bytes: number) => ({ file: 1, offset, bytes });

function database(entries: readonly LeafEntry[], values = patternBytes(1000)): Record<string, Uint8Array> {
  const node = leaf(files, entries);
  return {
    'manifest.ocdbt': manifest(files, { file: 0, offset: 0, bytes: node.byteLength, height: 0 }),
    [NODES]: node,
    [VALUES]: values,
  };
}

async function tensorsOf(tree: Record<string, Uint8Array>, log?: ReadLog) {
  const { report, tensors } = await inspectCheckpoint(memoryTree('db', tree, log), { path: 'db' });
  return { report, tensors: listTensors(tensors, report.files), codes: report.findings.map(({ code }) => code) };
}

describe('arrays of a database', () => {
  it('have global shapes, and their chunks are counted where they lie', async () => {
    const { tensors, report, codes } = await tensorsOf(
      database([
        { key: 'params.w/.zarray', value: zarray([20, 2], [10, 2]) },
        { key: 'params.w/0.0', value: chunk(0, 80) },
        { key: 'params.w/1.0', value: chunk(80, 80) },
        { key: 'rng/.zarray', value: zarray([2]) },
        { key: 'rng/0', value: chunk(500, 8) },
      ]),
    );
    expect(tensors).toMatchObject([
      { name: 'params.w', dtype: 'f32', shape: [20, 2], bytes: 160, component: 'weights', files: [VALUES] },
      { name: 'rng', shape: [2], bytes: 8, component: 'rng' },
    ]);
    expect(report.components).toMatchObject({
      weights: { tensorBytes: 160, logicalBytes: 160, otherBytes: 0 },
      rng: { tensorBytes: 8, otherBytes: 0 },
    });
    expect(report.components.container?.otherBytes).toBe(report.totalBytes - 168);
    expect(report.layout).toBe('orbax');
    expect(codes).toEqual([]);
  });

  it('may have any name', async () => {
    const names = ['a', 'a/b', 'a/b.c', 'λ/0', 'x/c/1'];
    const entries = names.flatMap((name): LeafEntry[] => [
      { key: `${name}/.zarray`, value: zarray([2]) },
      { key: `${name}/0`, value: chunk(8 * names.indexOf(name), 8) },
    ]);
    entries.sort((a, b) => Buffer.compare(utf8(a.key), utf8(b.key)));
    const { tensors, codes } = await tensorsOf(database(entries));
    expect(tensors.map(({ name }) => name).sort()).toEqual([...names].sort());
    expect(tensors.every(({ files: [file] }) => file === VALUES)).toBe(true);
    expect(codes).toEqual([]);
  });

  it('of version 3 have their metadata behind their chunks', async () => {
    const metadata = (shape: number[], chunkShape: number[]): Uint8Array =>
      utf8(
        JSON.stringify({
          zarr_format: 3,
          node_type: 'array',
          shape,
          data_type: 'bfloat16',
          chunk_grid: { name: 'regular', configuration: { chunk_shape: chunkShape } },
          codecs: [{ name: 'bytes' }],
        }),
      );
    const { tensors, codes } = await tensorsOf(
      database([
        { key: 'a/c/0/0', value: chunk(0, 8) },
        { key: 'a/c/0/1', value: chunk(100, 8) },
        { key: 'a/zarr.json', value: metadata([2, 4], [2, 2]) },
        { key: 's/c', value: chunk(300, 2) },
        { key: 's/zarr.json', value: metadata([], []) },
      ]),
    );
    expect(tensors).toMatchObject([
      { name: 'a', dtype: 'bf16', shape: [2, 4], bytes: 16 },
      { name: 's', shape: [], bytes: 2 },
    ]);
    expect(codes).toEqual([]);
  });

  it('may lie inside of nodes, which are shared out among them', async () => {
    const { tensors, report } = await tensorsOf(
      database([
        { key: 'w/.zarray', value: zarray([3]) },
        { key: 'w/0', value: patternBytes(12) },
      ]),
    );
    expect(tensors).toMatchObject([{ name: 'w', bytes: 12, files: [NODES] }]);
    expect(report.components.weights).toMatchObject({ tensorBytes: 12, logicalBytes: 12 });
  });

  it('whose chunks are not all stored are said to be so', async () => {
    const { codes, report } = await tensorsOf(
      database([
        { key: 'w/.zarray', value: zarray([20], [10]) },
        { key: 'w/1', value: chunk(0, 40) },
      ]),
    );
    expect(codes).toEqual(['chunks-not-stored']);
    expect(report.components.weights).toMatchObject({ tensorBytes: 40, logicalBytes: 80 });
  });

  it('that do not have the size of their chunks are damaged', async () => {
    const { codes } = await tensorsOf(
      database([
        { key: 'w/.zarray', value: zarray([10]) },
        { key: 'w/0', value: chunk(0, 39) },
      ]),
    );
    expect(codes).toEqual(['tensor-size-mismatch']);
  });

  it('may have metadata that are not inline', async () => {
    const metadata = zarray([10]);
    const values = concat(metadata, patternBytes(40));
    const entries = [
      { key: 'w/.zarray', value: chunk(0, metadata.byteLength) },
      { key: 'w/0', value: chunk(metadata.byteLength, 40) },
    ];
    expect((await tensorsOf(database(entries, values))).tensors).toMatchObject([{ name: 'w', shape: [10] }]);
    const damaged = await tensorsOf(database(entries, overwrite(values, 0, utf8('['))));
    expect(damaged.codes).toEqual(['array-metadata-corrupt']);
    expect(damaged.report.resume.verdict).toBe('broken');
  });
});

describe('values that are no array', () => {
  it('stay unexplained', async () => {
    const { report } = await tensorsOf(
      database([
        { key: 'alone/0.0', value: chunk(10, 20) },
        { key: 'note', value: chunk(100, 7) },
      ]),
    );
    expect(report.components.unexplained?.otherBytes).toBe(27);
  });
});

describe('the tree', () => {
  const other = `ocdbt.process_1/d/${hex('c')}`;

  it('leads through interior nodes and into the databases of processes', async () => {
    const values = patternBytes(100);
    // Paths in a node of another database are relative to that one.
    const below = leaf(
      [{ path: `d/${hex('c')}` }],
      [
        { key: '/.zarray', value: zarray([2]) },
        { key: '/0', value: { file: 0, offset: 5, bytes: 8 } },
      ],
    );
    const table = [{ base: 'ocdbt.process_1/', path: `d/${hex('c')}` }];
    const root = interior(1, table, [{ key: 'params.w/.zarray', common: 8, file: 0, offset: 100, bytes: below.byteLength }]);
    const { tensors, report, codes } = await tensorsOf({
      'manifest.ocdbt': manifest([{ path: NODES }], { file: 0, offset: 0, bytes: root.byteLength, height: 1 }),
      [NODES]: root,
      [other]: concat(values, below),
    });
    expect(tensors).toMatchObject([{ name: 'params.w', bytes: 8, files: [other] }]);
    expect(report.files.find(({ path }) => path === other)?.components).toEqual({ weights: 8, container: 92 + below.byteLength });
    expect(report.topology.worldSize).toBe(2);
    expect(codes).toEqual([]);
  });

  it('may begin with the empty database, which lies in no file', async () => {
    const node = leaf(files, [{ key: 'w/.zarray', value: zarray([0]) }]);
    const { tensors, codes } = await tensorsOf({
      'manifest.ocdbt': manifest([{ path: '' }, { path: NODES }], { file: 1, offset: 0, bytes: node.byteLength, height: 0 }),
      [NODES]: node,
    });
    expect(tensors.map(({ name }) => name)).toEqual(['w']);
    expect(codes).toEqual([]);
    const empty = await tensorsOf({
      'manifest.ocdbt': manifest([{ path: '' }], { file: 0, offset: 2n ** 64n - 1n, bytes: 2n ** 64n - 1n, height: 0, keys: 0 }),
    });
    expect([empty.tensors, empty.codes]).toEqual([[], []]);
  });

  it('is that of the numbered manifest with the largest number', async () => {
    const [first, second] = ['a', 'b'].map((key) => leaf(files, [{ key: `${key}/.zarray`, value: zarray([0]) }])) as [
      Uint8Array,
      Uint8Array,
    ];
    const { tensors } = await tensorsOf({
      'manifest.ocdbt': manifest([], { file: 0, offset: 0, bytes: 0, height: 0 }, 1),
      'manifest.0000000000000009': numberedManifest(files, { file: 0, offset: 0, bytes: first.byteLength, height: 0 }),
      'manifest.000000000000000a': numberedManifest(files, { file: 1, offset: 0, bytes: second.byteLength, height: 0 }),
      [NODES]: first,
      [VALUES]: second,
    });
    expect(tensors.map(({ name }) => name)).toEqual(['b']);
  });

  it('may not lead back, nor have another height than it says', async () => {
    for (const height of [1, 2, 200]) {
      const node = interior(height, files, [
        { key: 'a', common: 1, file: 0, offset: 0, bytes: 150 },
        { key: 'b', common: 1, file: 0, offset: 0, bytes: 150 },
      ]);
      const sized = interior(height, files, [
        { key: 'a', common: 1, file: 0, offset: 0, bytes: node.byteLength },
        { key: 'b', common: 1, file: 0, offset: 0, bytes: node.byteLength },
      ]);
      const report = await inspectHostile(
        memoryTree('db', {
          'manifest.ocdbt': manifest(files, { file: 0, offset: 0, bytes: sized.byteLength, height }),
          [NODES]: sized,
          [VALUES]: patternBytes(10),
        }),
      );
      expect(report.findings.some(({ code }) => code === 'database-node-damaged')).toBe(true);
    }
  });
});

describe('a damaged database', () => {
  const entries = [
    { key: 'w/.zarray', value: zarray([10]) },
    { key: 'w/0', value: chunk(0, 40) },
  ];

  it.each([
    [
      'a byte of a node',
      { ...database(entries), [NODES]: overwrite(database(entries)[NODES] as Uint8Array, 40, utf8('!')) },
      'database-node-damaged',
    ],
    [
      'a byte of the manifest',
      { ...database(entries), 'manifest.ocdbt': overwrite(database(entries)['manifest.ocdbt'] as Uint8Array, 40, utf8('!')) },
      'header-corrupt',
    ],
    [
      'a cut manifest',
      { ...database(entries), 'manifest.ocdbt': (database(entries)['manifest.ocdbt'] as Uint8Array).subarray(0, 50) },
      'file-truncated',
    ],
    ['a cut data file', { ...database(entries), [VALUES]: patternBytes(39) }, 'file-truncated'],
    [
      'a newer version',
      { ...database(entries), 'manifest.ocdbt': object('manifest', new Uint8Array(20), { version: 1 }) },
      'unsupported-version',
    ],
    [
      'another compression',
      { ...database(entries), 'manifest.ocdbt': object('manifest', new Uint8Array(20), { compression: 2 }) },
      'unsupported-version',
    ],
    [
      'a path that leaves it',
      {
        ...database(entries),
        'manifest.ocdbt': manifest([{ path: '../../secret' }], { file: 0, offset: 0, bytes: 9, height: 0 }),
      },
      'header-corrupt',
    ],
    [
      'a file number that there is not',
      { ...database(entries), 'manifest.ocdbt': manifest(files, { file: 7, offset: 0, bytes: 9, height: 0 }) },
      'header-corrupt',
    ],
    [
      'a node behind the end',
      { ...database(entries), 'manifest.ocdbt': manifest(files, { file: 0, offset: 2n ** 62n, bytes: 2n ** 63n, height: 0 }) },
      'database-node-damaged',
    ],
  ] as const)('with %s is a finding', async (_, tree, code) => {
    const report = await inspectHostile(memoryTree('db', tree));
    expect(report.findings.map((finding) => finding.code)).toContain(code);
  });

  /** A database of this node, which the manifest says to have a height. */
  const withNode = (node: Uint8Array, height = 0): Record<string, Uint8Array> => ({
    'manifest.ocdbt': manifest(files, { file: 0, offset: 0, bytes: node.byteLength, height }),
    [NODES]: node,
    [VALUES]: patternBytes(1000),
  });
  /** An object that says another length, with a checksum that fits. */
  const saying = (length: number, whole: Uint8Array): Uint8Array => {
    const head = overwrite(whole.subarray(0, -4), 4, u64(length));
    return concat(head, u32(crc32c(head)));
  };
  const node = leaf(files, entries);
  const whole = { offset: 0, bytes: node.byteLength };
  /** A node with this table of files, and no entries. */
  const withTable = (table: Uint8Array): Uint8Array => object('node', concat(bytes(0), table, bytes(0)));
  /** Two keys without values, of which the other continues so many bytes of the one. */
  const continuing = (shared: number): Uint8Array =>
    object('node', concat(bytes(0), dataFiles(files), bytes(2, shared, 1, 1), utf8('ab'), bytes(0, 0, 0, 0)));
  const [path] = files.map((file) => utf8(file.path)) as [Uint8Array];

  it('is not mistaken for one whose nodes are unusual', async () => {
    for (const each of [node, continuing(1), withTable(concat(bytes(1), varint(path.byteLength), bytes(2), path))])
      expect(isNoticed(await inspectHostile(memoryTree('db', withNode(each))))).toBe(false);
  });

  it.each([
    ['says to be longer than it is', withNode(saying(node.byteLength + 1, node))],
    ['says to be shorter than it is', withNode(saying(node.byteLength - 1, node))],
    ['ends before its entries', withNode(object('node', bytes(0, 0)))],
    ['ends within a value', withNode(object('node', concat(bytes(0, 0, 1, 1), utf8('a'), bytes(9, 0, 1))))],
    ['has another height', withNode(node, 1)],
    ['continues more of a key than it has', withNode(continuing(2))],
    ['has a key that is longer than keys are', withNode(leaf(files, [{ key: 'k'.repeat(70_000), value: bytes(1) }]))],
    [
      'shares more than its first key',
      { ...withNode(interior(1, files, [{ key: 'a', common: 2, file: 1, ...whole }]), 1), [VALUES]: node },
    ],
    ['has a base that is longer than its path', withNode(withTable(concat(bytes(1, 1, 2), utf8('a'))))],
  ])('with a node that %s is a finding', async (_, tree) => {
    const report = await inspectHostile(memoryTree('db', tree));
    expect(report.findings.map(({ code }) => code)).toContain('database-node-damaged');
  });

  it('without one of its files names it', async () => {
    const { [VALUES]: _, ...rest } = database(entries);
    const { codes, report } = await tensorsOf(rest);
    expect(codes).toEqual(['database-file-missing']);
    expect(report.findings[0]?.message).toContain(VALUES);
    expect(report.resume.verdict).toBe('broken');
  });

  it('of counts that are larger than the node does not allocate them', async () => {
    const body = concat(Uint8Array.of(0), Uint8Array.of(0), Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f));
    const node = object('node', body);
    const report = await inspectHostile(
      memoryTree('db', {
        'manifest.ocdbt': manifest(files, { file: 0, offset: 0, bytes: node.byteLength, height: 0 }),
        [NODES]: node,
      }),
    );
    expect(isNoticed(report)).toBe(true);
  });
});
