import { UnpackBudget } from '../../../src/core/bytes/unpackBudget.js';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { emptyParts, type FilePart } from '../../../src/core/checkpoints/parts.js';
import { PartsSink, type SharedParts } from '../../../src/core/checkpoints/partsSink.js';
import type { FileRole } from '../../../src/core/checkpoints/roles/fileRule.js';
import { ShardedTensors } from '../../../src/core/checkpoints/shardedTensors.js';
import { PickleDict, PickleList } from '../../../src/core/formats/pickle/pickleValue.js';
import type { FoundTensor } from '../../../src/core/formats/sink/fileSink.js';
import { sinkWith } from '../../../src/core/formats/sink/sinkWith.js';

const role: FileRole = {
  role: 'tensor-data',
  component: 'weights',
  reader: 'torch',
  tensors: () => ({ component: 'weights', part: 'whole' }),
  format: 'torch',
};

function sharedParts(): SharedParts {
  return {
    parts: emptyParts(),
    sharded: new ShardedTensors(),
    rankObjects: new Map(),
    signal: undefined,
    unpackBudget: new UnpackBudget({ bytesRead: 0 }),
  };
}

function partOf(path: string): FilePart {
  return {
    path,
    sizeBytes: 100,
    modifiedMs: null,
    format: 'torch',
    role: 'tensor-data',
    component: 'weights',
    claims: [],
    unexplained: [],
  };
}

function sinkOf(shared: SharedParts, path: string, change: Partial<FileRole> = {}, isOfSet = false): PartsSink {
  return new PartsSink(shared, {
    part: partOf(path),
    number: 3,
    role: { ...role, ...change },
    isOfSet,
    turn: () => Promise.resolve(),
  });
}

function tensor(keyPath: string[], shape = [2, 2]): FoundTensor {
  return { keyPath, shape, dtype: 'f32', bytes: 16, pieces: [{ offset: 8, bytes: 16 }] };
}

it.each<[dtype: string, shape: number[], key: string, component: string]>([
  ['u8', [5056], 'any', 'rng'],
  ['u8', [16], 'cuda_state', 'rng'],
  ['u8', [16], 'any', 'weights'],
  ['u8', [5056, 1], 'any', 'weights'],
  ['f32', [5056], 'any', 'weights'],
])('%s %j under %s is %s', (dtype, shape, key, component) => {
  const shared = sharedParts();
  sinkOf(shared, 'a.pt').tensor({ ...tensor([key], shape), dtype });
  expect(shared.parts.tensors.componentOf(0)).toBe(component);
});

/** A dict whose values are dicts of one number. */
function stateDict(...keys: string[]): PickleDict {
  const dict = new PickleDict();
  for (const key of keys) {
    const value = new PickleDict();
    value.keys.push('a');
    value.values.push(1);
    dict.keys.push(key);
    dict.values.push(value);
  }
  return dict;
}

describe('PartsSink', () => {
  it('adds tensors by the names of their keys, with the file of the sink where a piece names no other', () => {
    const shared = sharedParts();
    const sink = sinkOf(shared, 'a.pt', { prefix: ['model'] });
    sink.tensor({
      ...tensor(['layer', 'weight']),
      pieces: [
        { offset: 8, bytes: 8 },
        { offset: 0, bytes: 8, file: 5 },
      ],
    });
    const { tensors } = shared.parts;
    expect(tensors.nameOf(0)).toBe('model.layer.weight');
    expect([tensors.pieceFile(0), tensors.pieceFile(1)]).toEqual([3, 5]);
    expect(tensors.pieceOffset(0)).toBe(8);
  });

  it.each([
    ['a file of a rank', 'weights_rank_1.pt', false, 0],
    ['a file of a rank in a set, which joins them itself', 'weights_rank_1.pt', true, 1],
    ['a file of all ranks', 'weights.pt', false, 1],
  ])('keeps tensors until all ranks are read: %s', (_, path, isOfSet, rows) => {
    const shared = sharedParts();
    sinkOf(shared, path, {}, isOfSet).tensor(tensor(['weight']));
    expect(shared.parts.tensors.size).toBe(rows);
    shared.sharded.addTo(shared.parts.tensors);
    expect(shared.parts.tensors.size).toBe(1);
  });

  it('takes single numbers beside training state for state of the trainer', () => {
    const shared = sharedParts();
    const sink = sinkOf(shared, 'a.pt');
    sink.tensor(tensor(['loss'], []));
    sink.object(stateDict('model', 'optimizer'));
    sink.tensor(tensor(['loss'], []));
    sink.tensor(tensor(['weight']));
    const { tensors } = shared.parts;
    expect([0, 1, 2].map((row) => tensors.componentOf(row))).toEqual(['weights', 'trainerState', 'weights']);
  });

  it('tells tensors by the object that they are in, where the role leaves it open', () => {
    const averaged = stateDict('state_dict', 'current_model_state', 'pytorch-lightning_version');
    const open = sinkOf(sharedParts(), 'a.ckpt');
    open.object(averaged);
    expect(typeof open.classify === 'string' ? open.classify : open.classify(['state_dict', 'a']).component).toBe('ema');
    const fixed = sinkOf(sharedParts(), 'a.ckpt', { tensors: 'optimizer' });
    fixed.object(averaged);
    expect(fixed.classify).toBe('optimizer');
  });

  it('keeps the first ranks’ objects whole, and the settings of the others', () => {
    const shared = sharedParts();
    const long = new PickleList();
    long.items.push(...Array.from({ length: 1000 }, (_, index) => index));
    for (let rank = 0; rank <= limits.wholeRankObjects; rank++) sinkOf(shared, `rng_rank_${rank}.pt`).object(long);
    sinkOf(shared, 'all.pt').object(long);
    const isWhole = shared.parts.objects.map(({ value }) => value.root === long);
    expect(isWhole.filter((whole) => !whole)).toHaveLength(1);
    expect(isWhole[limits.wholeRankObjects]).toBe(false);
  });

  it('notes findings, imports and texts with its path', () => {
    const shared = sharedParts();
    for (const path of ['a.pt', 'b.pt']) {
      const sink = sinkOf(shared, path);
      sink.finding({ code: 'file-empty' });
      sink.pickleImport({ fullName: 'torch.Size', kind: 'usual', isCalled: false });
      sink.metadata('format', 'pt');
      sink.json({ path });
    }
    const { findings, imports, metadata, objects } = shared.parts;
    expect(findings).toEqual([
      { code: 'file-empty', path: 'a.pt' },
      { code: 'file-empty', path: 'b.pt' },
    ]);
    expect(imports.get('torch.Size')).toEqual({ kind: 'usual', isCalled: false, paths: new Set(['a.pt', 'b.pt']) });
    expect(metadata.get('b.pt')?.get('format')).toBe('pt');
    expect(objects.map(({ path }) => path)).toEqual(['a.pt', 'b.pt']);
  });
});

describe('sinkWith', () => {
  it('hands on what is not replaced, also to a sink of a class', async () => {
    const shared = sharedParts();
    const own = partOf('a.pt');
    const sink = new PartsSink(shared, { part: own, number: 0, role, isOfSet: false, turn: () => Promise.resolve() });
    const claimed: number[] = [];
    const inner = sinkWith(sink, { claim: (offset) => void claimed.push(offset) });
    inner.claim(1, 2, 'weights');
    inner.unexplained(3, 4);
    inner.finding({ code: 'file-empty' });
    inner.tensor(tensor(['weight']));
    inner.object(1);
    inner.json(2);
    inner.pickleImport({ fullName: 'torch.Size', kind: 'usual', isCalled: false });
    inner.metadata('a', 'b');
    await inner.turn();
    expect(claimed).toEqual([1]);
    expect(own).toMatchObject({ claims: [], unexplained: [{ offset: 3, bytes: 4 }] });
    const { findings, tensors, objects, imports, metadata } = shared.parts;
    expect([findings.length, tensors.size, objects.length, imports.size, metadata.size]).toEqual([1, 1, 2, 1, 1]);
    expect([inner.file, inner.path, inner.classify, inner.isPadded]).toEqual([0, 'a.pt', role.tensors, false]);
  });
});

describe('findings', () => {
  it('are withdrawn for one that explains them, those of other files stay', () => {
    const shared = sharedParts();
    sinkOf(shared, 'a.pt').finding({ code: 'file-empty' });
    const sink = sinkOf(shared, 'b.pt');
    for (const detail of ['one', 'two']) sink.finding({ code: 'header-corrupt', facts: { detail } });
    sink.withdrawFindings();
    expect(shared.parts.findings).toEqual([{ code: 'file-empty', path: 'a.pt' }]);
  });
});

it('keeps so many findings of a code and counts the others', () => {
  const shared = sharedParts();
  const sink = sinkOf(shared, 'a.pt');
  const add = (): void => sink.finding({ code: 'header-corrupt', facts: { detail: 'a detail' } });
  for (let index = 0; index < limits.fileFindings; index++) add();
  expect(shared.parts.findings.some(({ more }) => more !== undefined)).toBe(false);
  add();
  add();
  expect(shared.parts.findings.length).toBe(limits.fileFindings);
  expect(shared.parts.findings.at(-1)?.more).toBe(2);
  sink.finding({ code: 'file-truncated', facts: { expectedBytes: 2, bytes: 1 } });
  expect(shared.parts.findings.length).toBe(limits.fileFindings + 1);
});
