/** A data set is not read more than once over: what is looked at again is kept. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createRandom } from '../../../src/core/datasets/text/random.js';
import { ioSentence } from '../../../src/core/pages/checkpoint/reportLines.js';
import { inspectDataset } from '../../builders/inspectDataset.js';
import { buildTar } from '../../builders/tarBuilder.js';

const tokenizer = new Uint8Array(readFileSync('test/fixtures/frameworks/datasets/jsonl/data/tokenizer.json'));

it('archives of small members, whose texts are tokenized', async () => {
  const random = createRandom(3);
  const members = Array.from({ length: 300 }, (_, index) => ({
    name: `${String(index).padStart(6, '0')}`,
    text: `A caption of picture ${index}. `.repeat(1 + Math.floor(random() * 40)),
  }));
  const archive = buildTar(
    members.flatMap(({ name, text }) => [
      { name: `${name}.txt`, data: new TextEncoder().encode(text) },
      { name: `${name}.jpg`, data: new Uint8Array(300).map(() => Math.floor(random() * 256)) },
    ]),
  );
  const report = await inspectDataset({ 'a-000000.tar': archive, 'a-000001.tar': archive, 'tokenizer.json': tokenizer });
  expect(report.text?.tokenizer).toBe('tokenizer.json');
  expect(report.io.bytesRead).toBeLessThanOrEqual(report.totalBytes);
});

it('is put in words that are no share above all of it', () => {
  const io = { bytesRead: 1348, reads: 9, elapsedMs: 12 };
  expect(ioSentence({ io, totalBytes: 1000 })).toBe(
    'read all 1 kB, parts more than once (1.35 kB in all) in 12 ms, 9 reads; nothing was executed',
  );
  expect(ioSentence({ io: { ...io, bytesRead: 100 }, totalBytes: 1000 })).toContain('read 100 B of 1 kB (10.0 %)');
});
