import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startInPageInspector } from '../../../src/platform/inPageInspector.js';
import type { WorkspaceFileSystem } from '../../../src/platform/workspaceFileTree.js';
import type { InspectionProgress } from '../../../src/protocol/messages.js';

const tokenizer = readFileSync('test/fixtures/frameworks/datasets/jsonl/data/tokenizer.json');
const file = { kind: 'file', isLink: false } as const;

/** A folder of text files that answers at once, as one in memory does: nothing but a pause lets messages through. */
function filesOf(contents: Record<string, Uint8Array>, log: string[] = []): WorkspaceFileSystem {
  return {
    stat: async ({ path }) => ({
      type: path === '' ? { kind: 'folder', isLink: false } : file,
      sizeBytes: contents[path]?.byteLength ?? 0,
      modifiedMs: 1,
    }),
    readDirectory: async () => Object.keys(contents).map((name) => ({ name, type: file })),
    async readFile({ path }) {
      log.push(path);
      return contents[path] ?? new Uint8Array(0);
    },
  };
}

const text = (bytes: number): Uint8Array => new Uint8Array(Buffer.from('words of a text that goes on\n'.repeat(bytes / 29)));

describe('inspector within the page', () => {
  it('stops sampling when it is cancelled, although it has no thread of its own', async () => {
    const files = filesOf({ 'a.txt': text(8e6), 'b.txt': text(8e6), 'tokenizer.json': tokenizer });
    const inspector = startInPageInspector({ kind: 'virtual', path: '/data', files });
    const sampled: number[] = [];
    const abort = new AbortController();
    inspector.endpoint.on('progress', ({ sampling }: InspectionProgress) => {
      if (sampling === undefined) return;
      sampled.push(sampling.placesDone);
      expect(sampling.placesTotal).toBe(128);
      abort.abort();
    });
    await expect(inspector.endpoint.request('inspect', {}, abort.signal)).rejects.toMatchObject({ code: 'cancelled' });
    expect(sampled[0]).toBeLessThan(100);
    // It works in this thread: if it went on, it would be heard of between turns of the loop.
    const before = sampled.length;
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
    expect(sampled.length).toBeLessThanOrEqual(before + 1);
    inspector.dispose();
  });

  it('reads a file that is sampled at many places once', async () => {
    const log: string[] = [];
    const files = filesOf({ 'a.txt': text(5e6) }, log);
    const inspector = startInPageInspector({ kind: 'virtual', path: '/data', files });
    const report = await inspector.endpoint.request('inspect', {});
    expect(report.kind === 'dataset' && report.tokens?.exact).toBe(false);
    expect(log.length).toBeLessThan(4);
    inspector.dispose();
  });

  it.each([
    ['a tokenizer.json', tokenizer, 'chosen.json', []],
    ['what is none', Buffer.from('{"model": 1'), null, ['tokenizing with chosen.json: it has no vocabulary']],
  ])('takes %s that the user chose', async (_, bytes, used, notDone) => {
    const inspector = startInPageInspector({ kind: 'virtual', path: '/data', files: filesOf({ 'a.txt': text(5000) }) });
    const chosen = { path: 'chosen.json', bytes: new Uint8Array(bytes) };
    const report = await inspector.endpoint.request('inspect', { tokenizer: chosen });
    if (report.kind !== 'dataset') throw new Error(`this is a ${report.kind}`);
    expect(report.text?.tokenizer).toBe(used);
    expect(report.checks.notDone.filter((check) => check.startsWith('tokenizing'))).toEqual(notDone);
    inspector.dispose();
  });
});
