/** What the fast scan calls plain is what the full scan finds nothing in: on usual pickles, and on each with damage. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ImportCollector } from '../../../src/core/formats/pickle/imports/importCollector.js';
import { scanInFull, scanPickles } from '../../../src/core/formats/pickle/imports/pickleScan.js';
import { scanPlainPickles } from '../../../src/core/formats/pickle/imports/plainScan.js';
import { concat } from '../../builders/byteWriter.js';
import * as p from '../../builders/pickleBuilder.js';
import { runs } from '../../builders/seed.js';

const pickles = ['corpus', 'harmless'].flatMap((name) =>
  readFileSync(`test/fixtures/pickle-imports/${name}.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => new Uint8Array(Buffer.from((JSON.parse(line) as { pickle: string }).pickle, 'base64'))),
);
const { op } = p;
const usual = [
  p.pickle(p.dict([p.str('a'), p.torchTensor({ storageType: 'FloatStorage', key: '0', shape: [2, 3] })], [p.str('b'), p.int(3)])),
  p.pickle(p.reduce(p.global('collections', 'OrderedDict'), op.emptyTuple())),
  p.pickle(p.reduce(p.global('torch', 'Size'), p.tuple(p.tuple(p.int(2), p.int(3))))),
];

const isPlain = (bytes: Uint8Array): boolean => scanPlainPickles(bytes, 0, bytes.byteLength, false) !== undefined;

/** Expects that both scans say the same where the fast one answers. */
function expectSame(bytes: Uint8Array): void {
  if (!isPlain(bytes)) return;
  const [fast, full] = [new ImportCollector(), new ImportCollector()];
  const results = [scanPickles(bytes, fast), scanInFull(bytes, full)];
  expect(results[0]).toEqual(results[1]);
  expect(fast.imports()).toEqual(full.imports());
  expect([full.calls, full.nested, full.moreCalls]).toEqual([[], [], 0]);
}

it('usual pickles are plain, and the full scan finds nothing in them', () => {
  for (const bytes of usual) {
    expect(isPlain(bytes)).toBe(true);
    expectSame(bytes);
  }
  for (const bytes of pickles) expectSame(bytes);
  expect(pickles.filter(isPlain).length).toBeGreaterThan(10);
});

it('so it is with any damage, and with several pickles one behind the other', () => {
  const plain = [...usual, ...pickles.filter(isPlain)];
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    bytes: fc.uint8Array({ maxLength: 3 }),
    drop: fc.nat(3),
  });
  fc.assert(
    fc.property(
      fc.constantFrom(...plain),
      fc.array(edit, { maxLength: 3 }),
      fc.constantFrom(...plain),
      (first, edits, second) => {
        let bytes = Buffer.from(first);
        for (const { at, bytes: inserted, drop } of edits) {
          const place = Math.floor(at * bytes.byteLength);
          bytes = Buffer.concat([bytes.subarray(0, place), inserted, bytes.subarray(place + drop)]);
        }
        expectSame(new Uint8Array(bytes));
        expectSame(new Uint8Array(Buffer.concat([bytes, second])));
      },
    ),
    runs(3000, 300_000),
  );
});

describe('none of these is plain', () => {
  const size = p.global('torch', 'Size');
  it.each<[string, Uint8Array]>([
    ['a call of an unexpected name', p.pickle(p.reduce(p.global('os', 'system'), p.tuple(p.str('true'))))],
    ['an unexpected name', p.pickle(p.global('os', 'system'))],
    ['a call of what a call made', p.pickle(p.reduce(p.reduce(size, p.tuple(p.int(1))), op.emptyTuple()))],
    ['a state of a class', p.pickle(concat(size, op.emptyDict(), op.build()))],
    ['an entry of a class', p.pickle(concat(size, p.str('a'), p.int(1), op.setitem()))],
    ['a method among the entries of a state', p.pickle(p.dict([p.str('__setstate__'), size]))],
    ['bytes for a loader', p.pickle(p.reduce(p.global('torch.storage', '_load_from_bytes'), p.tuple(p.str('x'))))],
    ['a pickle without an end', p.pickle(p.int(1)).subarray(0, -1)],
    ['bytes behind the end', new Uint8Array([...p.pickle(p.int(1)), 0])],
    [
      'the class of a module of torch before 1.6',
      p.pickle(concat(p.tuple(p.str('module'), size, p.str('f'), p.str('s')), op.binpersid())),
    ],
  ])('%s', (_, bytes) => expect(isPlain(bytes)).toBe(false));
});
