/** Files that no reader is about: each report lists how many were not read, and their bytes. */
import { describe, expect, it } from 'vitest';
import { inspect } from '../../../src/core/inspection/inspect.js';
import type { Report } from '../../../src/core/inspection/report.js';
import { renderMarkdown } from '../../../src/core/pages/reportMarkdown.js';
import { renderTerminal } from '../../../src/core/pages/reportTerminal.js';
import { utf8 } from '../../builders/byteWriter.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { memoryTree, type MemoryFile } from '../../builders/memoryTree.js';

const inspectFiles = async (files: Record<string, MemoryFile>): Promise<Report> =>
  (await inspect(memoryTree('here', files), { path: 'here' })).report;

const records = { 'train.jsonl': utf8('{"text": "some words of a text"}\n'.repeat(200)) };
const unknown = (bytes: number): Uint8Array => new Uint8Array(bytes).fill(0x5a);
const code = { 'src/train.py': utf8('print(1)\n'), 'notes.xyz': unknown(591) };
const othersOf = ({ checks }: Report): string[] => checks.notDone.filter((check) => check.includes('other file'));

describe('of a data set', () => {
  it('are counted with their bytes', async () => {
    const report = await inspectFiles({ ...records, 'a.xyz': unknown(600), 'b.dat': unknown(400), 'empty.dat': unknown(0) });
    expect(report.kind).toBe('dataset');
    expect(othersOf(report)).toEqual(['what is in 2 other files (1 kB)']);
  });

  it('are settings that were not read, and none that were', async () => {
    const config = utf8('{"vocab_size": 100}');
    expect(othersOf(await inspectFiles({ ...records, 'config.json': config }))).toEqual([]);
    expect(othersOf(await inspectFiles({ ...records, 'other_config.json': config }))).toEqual(['what is in 1 other file (19 B)']);
  });

  it('are none with a finding, nor those of a repository and of systems', async () => {
    const pointer = utf8(`version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12345\n`);
    const report = await inspectFiles({ ...records, 'a.xyz': pointer, '.git/config': unknown(9), '.DS_Store': unknown(9) });
    expect(report.kind).toBe('dataset');
    expect(othersOf(report)).toEqual([]);
  });

  it('are shown', async () => {
    const report = await inspectFiles({ ...records, 'a.xyz': unknown(600) });
    expect(renderMarkdown(report)).toContain(String.raw`what is in 1 other file \(600 B\)`);
    expect(renderTerminal(report, { width: 100, color: false })).toContain('what is in 1 other file (600 B)');
  });
});

describe('of a checkpoint', () => {
  it('are counted with their bytes', async () => {
    const report = await inspectFiles({ ...fixtureBelow('hf/qwen3-tied', ''), 'a.xyz': unknown(600), 'b.xyz': unknown(400) });
    expect(report.kind).toBe('checkpoint');
    expect(othersOf(report)).toEqual(['what is in 2 other files (1 kB)']);
  });

  it('are none where a reader recognised each file', async () => {
    expect(othersOf(await inspectFiles(fixtureBelow('hf/qwen3-tied', '')))).toEqual([]);
  });

  it('are summed over a run', async () => {
    const files = { ...fixtureBelow('hf/qwen3-tied', 'checkpoint-1'), ...fixtureBelow('hf/qwen3-tied', 'checkpoint-2') };
    const report = await inspectFiles({ ...files, 'checkpoint-1/a.xyz': unknown(600), 'checkpoint-2/b.xyz': unknown(400) });
    expect(report).toMatchObject({ kind: 'checkpoint', layout: 'run' });
    expect(othersOf(report)).toEqual(['what is in 2 other files (1 kB)']);
  });
});

it('of a collection are counted with their bytes', async () => {
  const report = await inspectFiles({ ...fixtureBelow('hf/qwen3-tied', 'model'), ...code });
  expect(report.kind).toBe('collection');
  expect(othersOf(report)).toEqual(['what is in 2 other files (600 B)']);
});
