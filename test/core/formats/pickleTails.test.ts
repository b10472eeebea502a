/** Bytes behind the end of a pickle are unexplained, and reported. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { concat, latin1 } from '../../builders/byteWriter.js';
import { filesBelow } from '../../builders/diskTree.js';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { fixtureRoot } from '../../builders/frameworkFixtures.js';
import { memoryTree } from '../../builders/memoryTree.js';

const tail = new Uint8Array(1000).fill(9);

it('of the .metadata of a distributed checkpoint', async () => {
  const folder = path.join(fixtureRoot, 'dcp/zstd-2r/data');
  const files = filesBelow(folder);
  const name = Object.keys(files).find((file) => file.endsWith('.metadata')) ?? '';
  const metadata = Uint8Array.from(readFileSync(path.join(folder, name)));
  const intact = (await inspectCheckpoint(memoryTree('save', files), { path: 'save' })).report;
  expect(intact.findings.map(({ code }) => code)).not.toContain('pickle-followed-by-bytes');
  const { report } = await inspectCheckpoint(memoryTree('save', { ...files, [name]: concat(metadata, tail) }), { path: 'save' });
  expect(report.findings.find(({ code }) => code === 'pickle-followed-by-bytes')).toMatchObject({
    offset: metadata.byteLength,
    severity: 'warning',
  });
  expect(report.components.unexplained?.otherBytes).toBe((intact.components.unexplained?.otherBytes ?? 0) + tail.byteLength);
});

it('of a pickle by itself', async () => {
  const pickle = concat(Uint8Array.of(0x80, 2), latin1('}q\0.'));
  const { report } = await inspectCheckpoint(memoryTree('a.pkl', { 'a.pkl': concat(pickle, tail) }), { path: 'a.pkl' });
  expect(report.findings.map(({ code }) => code)).toContain('pickle-followed-by-bytes');
  expect(report.components.unexplained?.otherBytes).toBe(tail.byteLength);
});
