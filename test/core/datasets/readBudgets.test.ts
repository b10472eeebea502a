/** How little is read of large datasets: few reads, and bytes that do not grow with the data. */
import { Field, Int32, List, Table, tableToIPC, vectorFromArray } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../../../src/core/bytes/byteSource.js';
import { encodeText } from '../../../src/core/bytes/text.js';
import { inspectDataset } from '../../builders/inspectDataset.js';
import type { MemoryFile, ReadLog } from '../../builders/memoryTree.js';
import { buildTar } from '../../builders/tarBuilder.js';

const bytesOf = ({ reads }: ReadLog): number => reads.reduce((sum, { length }) => sum + length, 0);

/** A file that is computed where it is read. */
function virtual(sizeBytes: number, fill: (bytes: Uint8Array, offset: number) => void): ByteSource {
  return {
    name: 'virtual',
    sizeBytes,
    read(offset, length) {
      const bytes = new Uint8Array(length);
      fill(bytes, offset);
      return Promise.resolve(bytes);
    },
    close: () => Promise.resolve(),
  };
}

describe('1,000 Arrow shards', () => {
  it('take three reads each, and none of their values', async () => {
    const rows = Array.from({ length: 50 }, () => Array.from({ length: 128 }, (_, index) => index));
    const batch = new Table({ input_ids: vectorFromArray(rows, new List(new Field('item', new Int32()))) });
    const shard = tableToIPC(batch.concat(batch, batch, batch), 'stream');
    const names = Array.from({ length: 1000 }, (_, index) => `data-${String(index).padStart(5, '0')}-of-01000.arrow`);
    const state = { _data_files: names.map((filename) => ({ filename })), _fingerprint: 'f00d', _split: 'train' };
    const files: Record<string, MemoryFile> = { 'state.json': encodeText(JSON.stringify(state)) };
    for (const name of names) files[name] = shard;
    const log: ReadLog = { reads: [] };
    const report = await inspectDataset(files, log);
    expect(report.tokens).toMatchObject({ count: 1000 * 4 * 50 * 128, exact: true });
    expect(log.reads.filter(({ path }) => path.endsWith('.arrow')).length).toBeLessThanOrEqual(3 * names.length);
    expect(log.reads.length).toBeLessThanOrEqual(3 * names.length + 4);
  });
});

describe('an index of ten million documents', () => {
  const documents = 10_000_000;
  const indexBytes = 34 + 20 * documents + 8;
  const header = new Uint8Array(34);
  const view = new DataView(header.buffer);
  header.set(encodeText('MMIDIDX\0\0'));
  view.setBigUint64(9, 1n, true);
  view.setUint8(17, 8);
  view.setBigUint64(18, BigInt(documents), true);
  view.setBigUint64(26, BigInt(documents + 1), true);
  /** The header, the last pointer, and zeros: documents without tokens. */
  const index = virtual(indexBytes, (bytes, offset) => bytes.set(header.subarray(offset, offset + bytes.byteLength)));
  const files = { 'corpus.idx': index, 'corpus.bin': new Uint8Array(0) };

  it('is read in four small reads', async () => {
    const log: ReadLog = { reads: [] };
    const report = await inspectDataset(files, log);
    expect(report.samples).toBe(documents);
    expect(report.lengths).toBeNull();
    // One more for its first bytes: it has an error, and may be a pickle.
    expect(log.reads.length).toBeLessThanOrEqual(4 + 1);
    expect(bytesOf(log)).toBeLessThan(4096);
  });

  it('has its lengths read in pieces of 4 MiB, once', async () => {
    const log: ReadLog = { reads: [] };
    const report = await inspectDataset(files, log, { allLengths: true });
    expect(report.lengths).toMatchObject({ count: documents, empty: documents });
    expect(bytesOf(log)).toBeLessThan(4 * documents + 4096);
    expect(log.reads.length).toBeLessThanOrEqual(4 + 1 + Math.ceil((4 * documents) / 2 ** 22));
    expect(Math.max(...log.reads.map(({ length }) => length))).toBeLessThanOrEqual(2 ** 22);
  });
});

describe('a shard of 10,000 large members', () => {
  it('has a header read of each, below a hundredth of its bytes', async () => {
    const members = 10_000;
    const memberBytes = 200 * 512;
    const stride = 512 + memberBytes;
    const headerOf = (member: number): Uint8Array => {
      const sizeField = encodeText(`${memberBytes.toString(8).padStart(11, '0')}\0`);
      const name = `${String(member >> 1).padStart(8, '0')}.${member % 2 === 0 ? 'jpg' : 'mask.png'}`;
      return buildTar([{ name, sizeField }], new Uint8Array(0));
    };
    const shard = virtual(members * stride + 1024, (bytes, offset) => {
      for (let member = Math.floor(offset / stride); member < members && member * stride < offset + bytes.byteLength; member++) {
        const head = headerOf(member);
        for (let at = 0; at < head.byteLength; at++) {
          const place = member * stride + at - offset;
          if (place >= 0 && place < bytes.byteLength) bytes[place] = head[at] as number;
        }
      }
    });
    const log: ReadLog = { reads: [] };
    const report = await inspectDataset({ 'shard-000000.tar': shard }, log);
    expect(report.samples).toBe(members / 2);
    expect(bytesOf(log)).toBeLessThan(shard.sizeBytes / 100);
    expect(log.reads.length).toBeLessThanOrEqual(members + 8);
  });
});
