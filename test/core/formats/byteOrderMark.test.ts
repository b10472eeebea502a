/** Texts that begin with a byte-order mark, as editors and shells of Windows write them. */
import { describe, expect, it } from 'vitest';
import { decodeWrittenText } from '../../../src/core/bytes/text.js';
import { concat, bytes, utf8 } from '../../builders/byteWriter.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { inspectOne } from '../../builders/inspectOne.js';

const utf16 = (text: string): Uint8Array => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'));
const marked = (file: Uint8Array | undefined): Uint8Array => concat(bytes(0xef, 0xbb, 0xbf), file ?? new Uint8Array(0));

async function findingsOf(files: Record<string, Uint8Array>) {
  const { report } = await inspectOne(memoryTree('model', files), { path: 'model' });
  return {
    parameters: report.kind === 'checkpoint' ? report.parameters.unique : 0,
    findings: report.findings.map(({ code, path, severity, message }) => ({ code, path, severity, message })),
  };
}

it.each([
  ['UTF-8', utf8('lr: 1')],
  ['UTF-8 with a mark', marked(utf8('lr: 1'))],
  ['UTF-16, little-endian', utf16('lr: 1')],
  ['UTF-16, big-endian', new Uint8Array(Buffer.from('\ufefflr: 1', 'utf16le').swap16())],
])('a text that a person wrote may be %s', (_, file) => expect(decodeWrittenText(file)).toBe('lr: 1'));

describe('a JSON file of a checkpoint', () => {
  const files = fixtureBelow('hf/qwen3-tied');

  it.each(['config.json', 'model.safetensors.index.json'])('%s is read with a mark, which is a warning', async (path) => {
    const index = utf8(JSON.stringify({ metadata: { total_size: 1 }, weight_map: {} }));
    const plain = { ...files, ...(path in files ? {} : { [path]: index }) };
    const before = await findingsOf(plain);
    const after = await findingsOf({ ...plain, [path]: marked(plain[path]) });
    expect(after.parameters).toBe(before.parameters);
    expect(after.findings.filter(({ code }) => code !== 'json-byte-order-mark')).toEqual(before.findings);
    expect(after.findings).toContainEqual(expect.objectContaining({ code: 'json-byte-order-mark', path, severity: 'warning' }));
  });

  it('is an error in UTF-16, which loaders do not read', async () => {
    const { findings } = await findingsOf({ ...files, 'config.json': utf16('{"model_type":"llama"}') });
    const found = findings.find(({ path }) => path === 'config.json');
    expect(found).toMatchObject({ severity: 'error', message: expect.stringContaining('UTF-16') as string });
  });
});
