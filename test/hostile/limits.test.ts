/** Files that exceed a limit by one: what is left out is said, and all that stands beside it is there. */
import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../../src/core/bytes/byteSource.js';
import { limits } from '../../src/core/bytes/limits.js';
import type { ObjectNode } from '../../src/core/checkpoints/checkpointReport.js';
import { concat, u32, utf8 } from '../builders/byteWriter.js';
import { memoryTree, type MemoryFile } from '../builders/memoryTree.js';
import { pickle } from '../builders/pickleBuilder.js';
import { inspectAnyHostile } from './accountable.js';

/** A file of a head and one byte over and over, none of it in memory as a whole. */
function large(sizeBytes: number, head: Uint8Array, filling: number): ByteSource {
  return {
    name: 'large',
    sizeBytes,
    read(offset, length) {
      const bytes = new Uint8Array(length).fill(filling);
      if (offset < head.byteLength) bytes.set(head.subarray(offset, offset + length));
      return Promise.resolve(bytes);
    },
    close: () => Promise.resolve(),
  };
}

const space = 0x20;
describe.each<[reader: string, rows: [limit: string, file: string, content: MemoryFile, code: string, message: RegExp][]]>([
  [
    'JSON and templates',
    [
      [
        'jsonBytes',
        'config.json',
        large(limits.jsonBytes + 1, utf8('{"a":1}'), space),
        'json-too-large',
        /67108865 bytes of JSON/,
      ],
      [
        'indexBytes',
        'model.safetensors.index.json',
        large(limits.indexBytes + 1, utf8('{"weight_map":{}}'), space),
        'header-too-large',
        /536870913 bytes of index/,
      ],
      [
        'codeTextBytes',
        'chat_template.jinja',
        large(limits.codeTextBytes + 1, utf8('{{ x }}'), space),
        'code-not-checked',
        /larger than what is read/,
      ],
    ],
  ],
  [
    'pickles',
    [
      [
        'pickleValueBytes',
        'a.pkl',
        pickle(utf8(`${']'.repeat(1_500_000)}N`)),
        'pickle-values-cut',
        /its 1\.5 MB would take several times as much memory/,
      ],
    ],
  ],
])('%s', (_reader, rows) => {
  it.each(rows)('%s', async (_limit, file, content, code, message) => {
    const report = await inspectAnyHostile(memoryTree('m', { [file]: content }));
    const found = report.findings.find((finding) => finding.code === code);
    expect(found?.message).toMatch(message);
    expect(found?.path).toBe(file);
  });
});

describe('objects', () => {
  const rootOf = async (file: string, content: Uint8Array): Promise<ObjectNode | undefined> => {
    const report = await inspectAnyHostile(memoryTree('m', { [file]: content }));
    return report.kind === 'checkpoint' ? report.objects[0]?.root : undefined;
  };

  it('objectChildren: entries beyond are counted', async () => {
    const items = Array.from({ length: limits.objectChildren + 1 }, (_, at) => at);
    const children = (await rootOf('config.json', utf8(JSON.stringify(items))))?.children;
    expect(children).toHaveLength(limits.objectChildren + 1);
    expect(children?.at(-1)).toMatchObject({ kind: 'omitted', text: '1 more' });
  });

  it('objectTextLength: a longer text ends with an ellipsis', async () => {
    const root = await rootOf('config.json', utf8(JSON.stringify({ a: 'x'.repeat(limits.objectTextLength + 1) })));
    expect(root?.children?.[0]?.text).toBe(`${'x'.repeat(limits.objectTextLength)}…`);
  });

  it('pickleIntegerBytes: a longer integer is kept as a remark', async () => {
    const long = (bytes: number): Uint8Array => pickle(concat(Uint8Array.of(0x8b), u32(bytes), new Uint8Array(bytes).fill(1)));
    const text = async (bytes: number): Promise<string | undefined> => (await rootOf('a.pkl', long(bytes)))?.text;
    expect(await text(limits.pickleIntegerBytes)).toMatch(/^\d{100,}/);
    expect(await text(limits.pickleIntegerBytes + 1)).not.toMatch(/^\d{100,}/);
  });
});
