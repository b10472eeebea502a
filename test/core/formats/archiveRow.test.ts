import { ofBeginning } from '../../../src/core/bytes/unpackBudget.js';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../src/core/bytes/memorySource.js';
import { FileImports } from '../../../src/core/formats/pickle/imports/fileImports.js';
import { walkArchiveRow, type RowItem } from '../../../src/core/formats/torch/archiveRow.js';
import { fixtureRoot } from '../../builders/frameworkFixtures.js';

const file = readFileSync(path.join(fixtureRoot, 'dcp/unfinished-2r/data/__0_0.distcp'));

describe('archives one after the other', () => {
  it('are walked without reading a byte twice', async () => {
    const source = memorySource('row', file);
    const isRead = new Uint8Array(file.byteLength);
    const read: typeof source.read = (offset, length, signal) => {
      for (let at = offset; at < offset + length; at++) isRead[at] = (isRead[at] as number) + 1;
      return source.read(offset, length, signal);
    };
    const items: RowItem[] = [];
    for await (const item of walkArchiveRow({ ...source, read }, 1_000, new FileImports(ofBeginning(undefined))))
      items.push(item);
    expect(items.length).toBeGreaterThan(10);
    expect(items.reduce((end, { offset, bytes }) => (offset === end ? end + bytes : -1), 0)).toBe(file.byteLength);
    expect(isRead.every((times) => times <= 1)).toBe(true);
  });
});
