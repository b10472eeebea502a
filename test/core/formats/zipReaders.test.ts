/** Archives that two programs read in two ways, and records in compressions that few programs write. What any of them loads is scanned. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { concat, u16, u32, utf8 } from '../../builders/byteWriter.js';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { buildNpy } from '../../builders/npyBuilder.js';
import {
  bzip2Base64,
  lzmaBase64,
  numbersBzip2Base64,
  numbersZipLzmaBase64,
  objectsBzip2Base64,
  xzBase64,
} from '../../builders/packedPickles.js';
import * as p from '../../builders/pickleBuilder.js';
import { buildTorchZip, buildZip, stateDict, type ZipOptions, type ZipRecord } from '../../builders/torchZipBuilder.js';
import { inspectAnyHostile } from '../../hostile/accountable.js';

const fromBase64 = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'));
const attack = p.pickle(p.reduce(p.global('os', 'system'), p.tuple(p.str('id'))));
/** As long as the attack, so that archives of either have equal offsets. */
const harmless = concat(p.pickle(p.dict()), new Uint8Array(attack.byteLength - p.pickle(p.dict()).byteLength));
const objects = (pickle: Uint8Array): Uint8Array => buildNpy({ descr: '|O', shape: [1], data: pickle });
const plain: ZipOptions = { prefix: '', alignment: 1, dataDescriptors: false, zip64End: false };
const offsetOf = (file: Uint8Array, signature: number): number => Buffer.from(file).lastIndexOf(Buffer.from(u32(signature)));

async function codesOf(name: string, file: Uint8Array): Promise<string[]> {
  const report = await inspectAnyHostile(memoryTree('m', { [name]: file }));
  return report.findings.map(({ code }) => code);
}

/** The record that zipfile.ZIP_LZMA writes: version, bytes of properties, properties, data. */
const alone = fromBase64(lzmaBase64);
const zipLzma = concat(u16(0x0409), u16(5), alone.subarray(0, 5), alone.subarray(13));
const packedAttacks: [what: string, packed: NonNullable<ZipRecord['packed']>][] = [
  ['bzip2', { method: 12, bytes: fromBase64(bzip2Base64) }],
  ['LZMA', { method: 14, bytes: zipLzma }],
  ['xz', { method: 95, bytes: fromBase64(xzBase64) }],
];

describe('records in other compressions', () => {
  it.each(packedAttacks)('a pickle in %s is scanned', async (_, packed) => {
    const data = new Uint8Array(27);
    expect(await codesOf('a.zip', buildZip([{ name: 'm.pkl', data, packed }]))).toContain('pickle-calls-unexpected');
    expect(await codesOf('a.pt', buildZip([{ name: 'data.pkl', data, packed }]))).toEqual(
      expect.arrayContaining(['pickle-calls-unexpected', 'unsupported-version']),
    );
  });

  it.each<[what: string, packed: NonNullable<ZipRecord['packed']>]>([
    ['bzip2', { method: 12, bytes: fromBase64(numbersBzip2Base64) }],
    ['LZMA', { method: 14, bytes: fromBase64(numbersZipLzmaBase64) }],
  ])('arrays in %s are listed', async (_, packed) => {
    const file = buildZip([{ name: 'w.npy', data: new Uint8Array(144), packed }], plain);
    const { report, tensors } = await inspectCheckpoint(memoryTree('m', { 'a.npz': file }), { path: 'm' });
    expect(report.findings).toEqual([]);
    expect(tensors.size).toBe(1);
    expect(tensors.nameOf(0)).toBe('w');
    expect(report.components.weights?.logicalBytes).toBe(16);
  });

  it('an array of objects in bzip2 is scanned', async () => {
    const packed = { method: 12, bytes: fromBase64(objectsBzip2Base64) };
    const file = buildZip([{ name: 'x.npy', data: new Uint8Array(155), packed }], plain);
    expect(await codesOf('a.npz', file)).toEqual(['pickle-calls-unexpected']);
  });

  it('LZMA with tables of megabytes is refused, as liblzma does', async () => {
    const bytes = concat(u16(0x0409), u16(5), new Uint8Array([8 + 4 * 9, 0, 0, 128, 0]), new Uint8Array(20));
    const file = buildZip([{ name: 'm.pkl', data: new Uint8Array(27), packed: { method: 14, bytes } }]);
    expect(await codesOf('a.zip', file)).toContain('pickle-not-scanned');
  });

  it('hundreds of records are within the budget', async () => {
    const records = Array.from({ length: 300 }, (_, at) => ({ name: `${at}.npy`, data: new Uint8Array(144) }));
    const packed = { method: 12, bytes: fromBase64(numbersBzip2Base64) };
    const file = buildZip(
      records.map((record) => ({ ...record, packed })),
      plain,
    );
    expect(await codesOf('a.npz', file)).toEqual([]);
  });
});

describe('what a zip archive may cost', () => {
  const notScanned = async (file: Uint8Array): Promise<string[]> => {
    const report = await inspectAnyHostile(memoryTree('m', { 'a.zip': file }));
    return report.findings.filter(({ code }) => code === 'pickle-not-scanned').map(({ message }) => message);
  };

  it('records that share one block of a compression are looked at up to limits.pickleUnpackedBytes', async () => {
    const blockBytes = 1024 * 1024;
    // What is unpacked of each counts, too.
    const records = limits.pickleUnpackedBytes / blockBytes - 2;
    const block = concat(zipLzma, new Uint8Array(blockBytes));
    const file = (count: number): Uint8Array =>
      buildZip(
        Array.from({ length: count }, (_, at) => ({
          name: at === 0 ? 'same.txt' : 'same.bin',
          data: new Uint8Array(at === 0 ? 5 : 0),
          ...(at === 0 && { packed: { method: 14, bytes: block } }),
          central: { localOffset: 0, method: 14, compressedSize: block.byteLength, uncompressedSize: 5 },
        })),
        plain,
      );
    expect(await notScanned(file(records))).toEqual([]);
    expect((await notScanned(file(records + 3))).join()).toContain('it is larger than what is read');
  });

  it.each(['nestedPickles', 'pickleNesting'] as const)(
    'limits.%s bounds what is scanned, and what is left out is said',
    async (limit) => {
      const archiveOf = (count: number): Uint8Array => {
        if (limit === 'nestedPickles')
          return buildZip(
            Array.from({ length: count }, (_, at) => ({ name: `${at}.pkl`, data: harmless })),
            plain,
          );
        let file = buildZip([{ name: 'm.pkl', data: harmless }], plain);
        for (let depth = 1; depth < count; depth++) file = buildZip([{ name: 'a.zip', data: file }], plain);
        return file;
      };
      expect(await notScanned(archiveOf(limits[limit]))).toEqual([]);
      expect((await notScanned(archiveOf(limits[limit] + 1))).join()).toMatch(/too many nested|nested too deeply/);
    },
  );
});

describe('a flag that says encrypted', () => {
  it.each(['a.pt', 'a.zip', 'a.npz', 'a.keras'])('does not hide a pickle of %s', async (name) => {
    const record: ZipRecord = name === 'a.npz' ? { name: 'x.npy', data: objects(attack) } : { name: 'data.pkl', data: attack };
    const file = buildZip([{ ...record, central: { flags: 0x0809 } }], name === 'a.npz' ? { prefix: '' } : {});
    const codes = await codesOf(name, file);
    expect(codes).toContain('pickle-calls-unexpected');
    expect(codes).toContain('pickle-not-scanned');
  });
});

describe('archives with two readings', () => {
  const ofArrays = (pickle: Uint8Array, options = plain): Uint8Array =>
    buildZip([{ name: 'x.npy', data: objects(pickle) }], options);
  const good = ofArrays(harmless);
  const bad = ofArrays(attack);

  it('one archive behind the other: what zipfile reads is scanned', async () => {
    expect(await codesOf('a.npz', concat(good, bad))).toContain('pickle-calls-unexpected');
  });

  it('one archive behind the other: what is in front is scanned too', async () => {
    expect(await codesOf('a.npz', concat(bad, good))).toContain('pickle-calls-unexpected');
    expect(await codesOf('a.zip', concat(bad, good))).toContain('pickle-calls-unexpected');
  });

  it('bytes in front that are a pickle are scanned', async () => {
    expect(await codesOf('a.npz', concat(attack, good))).toContain('pickle-calls-unexpected');
    expect(await codesOf('a.keras', concat(attack, buildZip([{ name: 'config.json', data: utf8('{}') }], plain)))).toContain(
      'pickle-calls-unexpected',
    );
  });

  it('arrays behind other bytes are listed', async () => {
    const array = buildZip([{ name: 'w.npy', data: buildNpy({ shape: [4], data: new Uint8Array(16) }) }], plain);
    const tree = memoryTree('m', { 'a.npz': concat(new Uint8Array(100), array) });
    const { tensors, report } = await inspectCheckpoint(tree, { path: 'm' });
    expect(tensors.size).toBe(1);
    expect(tensors.nameOf(0)).toBe('w');
    expect(report.findings).toEqual([]);
  });

  it.each(['a.npz', 'a.pt'])('%s with two directories: both are scanned, and it is said', async (name) => {
    // miniz goes where the end declares, zipfile to the bytes in front of the end.
    const [first, second] =
      name === 'a.npz' ? [good, bad] : [harmless, attack].map((data) => buildZip([{ name: 'data.pkl', data }], plain));
    const both = concat(first as Uint8Array, second as Uint8Array);
    const directory = offsetOf(first as Uint8Array, 0x02014b50);
    both.set(u32(directory), offsetOf(both, 0x06054b50) + 16);
    const codes = await codesOf(name, both);
    expect(codes).toContain('pickle-calls-unexpected');
    expect(codes).toContain('zip-readers-differ');
  });

  it('an end record in the comment of another one is what readers take', async () => {
    const comment = bad;
    const file = ofArrays(harmless, { ...plain, comment });
    expect(await codesOf('a.npz', file)).toContain('pickle-calls-unexpected');
  });

  it('bytes behind the end do not hide the archive', async () => {
    expect(await codesOf('a.npz', concat(bad, new Uint8Array(100)))).toContain('pickle-calls-unexpected');
    const torch = buildTorchZip({ pickle: attack, storages: {} });
    expect(await codesOf('a.pt', concat(torch, new Uint8Array(100)))).toContain('pickle-calls-unexpected');
  });

  it.each(['a.npz', 'a.zip', 'a.keras'])('two archives with bytes behind them are damage in %s, and scanned', async (name) => {
    const codes = await codesOf(name, concat(good, bad, new Uint8Array(100)));
    expect(codes).toContain('pickle-calls-unexpected');
  });

  it('the zip64 end counts although the short fields are not full', async () => {
    const file = buildTorchZip({ ...stateDict({ a: ['f32', [4]] }) });
    file.set(u16(1), offsetOf(file, 0x06054b50) + 10);
    expect(await codesOf('a.pt', file)).toEqual([]);
  });

  it('a count that differs from the directory is said', async () => {
    const file = buildZip(
      [
        { name: 'w.npy', data: objects(harmless) },
        { name: 'x.npy', data: objects(attack) },
      ],
      plain,
    );
    file.set(u16(1), offsetOf(file, 0x06054b50) + 10);
    const codes = await codesOf('a.npz', file);
    expect(codes).toContain('pickle-calls-unexpected');
    expect(codes).toContain('zip-readers-differ');
  });

  it.each(['a.pt', 'a.zip'])('records of one name in %s are scanned each, and it is said', async (name) => {
    const records = [harmless, attack].map((data) => ({ name: 'data.pkl', data }));
    for (const order of [records, [...records].reverse()]) {
      const codes = await codesOf(name, buildZip(order));
      expect(codes).toContain('pickle-calls-unexpected');
      expect(codes.filter((code) => code === 'zip-readers-differ')).toHaveLength(1);
    }
  });
});

describe('local headers that contradict the directory', () => {
  const decoy = concat(attack, new Uint8Array(64 - attack.byteLength));
  const benign = concat(harmless, new Uint8Array(64 - harmless.byteLength));

  it.each([
    ['a.pt', 'extra.pkl'],
    ['a.zip', 'm.pkl'],
    ['a.keras', 'm.pkl'],
  ])('%s: content is where the local header ends, not where the next record begins', async (file, name) => {
    // The directory declares 64 bytes; a reader goes from the local header on, and what is behind is nobody's.
    const record = { name, data: concat(decoy, benign), central: { compressedSize: 64, uncompressedSize: 64 } };
    const zip = buildZip([{ name: 'data.pkl', data: harmless }, record], { alignment: 1, dataDescriptors: false });
    expect(await codesOf(file, zip)).toContain('pickle-calls-unexpected');
  });

  it('an array of objects is where its local header ends', async () => {
    const [bad, good] = [objects(attack), objects(harmless)];
    const size = { compressedSize: bad.byteLength, uncompressedSize: bad.byteLength };
    const file = buildZip([{ name: 'x.npy', data: concat(bad, good.subarray(0, bad.byteLength)), central: size }], plain);
    expect(await codesOf('a.npz', file)).toContain('pickle-calls-unexpected');
  });

  it.each<[what: string, record: Partial<ZipRecord>]>([
    ['name', { local: { name: 'archive/other' } }],
    ['method', { local: { method: 8 } }],
    ['encryption', { local: { flags: 1 } }],
    ['size', { central: { uncompressedSize: 1_000 } }],
  ])('another %s is said', async (_, change) => {
    const file = buildZip([{ name: 'm.pkl', data: attack, ...change }], { dataDescriptors: false });
    const codes = await codesOf('a.zip', file);
    expect(codes).toContain('zip-readers-differ');
    expect(codes).toContain('pickle-calls-unexpected');
  });

  it('a record within another one is scanned', async () => {
    const options = { ...plain, prefix: 'a' };
    const inner = buildZip([{ name: 'late.pkl', data: attack }], options);
    const localOffset = 30 + 'a/data.pkl'.length + harmless.byteLength + 30 + 'a/data/0'.length;
    const file = buildZip(
      [
        { name: 'data.pkl', data: harmless },
        { name: 'data/0', data: inner },
        { name: 'late.pkl', data: harmless, central: { localOffset } },
      ],
      options,
    );
    expect(await codesOf('a.pt', file)).toContain('pickle-calls-unexpected');
  });
});
