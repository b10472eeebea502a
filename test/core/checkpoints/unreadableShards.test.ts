/** One shard of a model is no weights: that is the finding, not what its index misses for that reason. */
import path from 'node:path';
import { expect, it } from 'vitest';
import { latin1, utf8 } from '../../builders/byteWriter.js';
import { filesBelow } from '../../builders/diskTree.js';
import { fixtureRoot } from '../../builders/frameworkFixtures.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { inspectHostile } from '../../hostile/accountable.js';

const files = filesBelow(path.join(fixtureRoot, 'hf/old-bin-sharded/data'));
const shard = 'pytorch_model-00003-of-00006.bin';
it.each([
  ['text of a link', 'file-is-link-text', utf8('../../blobs/pytorch_model-00003-of-00006.bin')],
  ['a web page', 'file-is-web-page', utf8('<!DOCTYPE html><html></html>')],
  ['zeros', 'file-zero-filled', new Uint8Array(20_000)],
  ['bytes of no format', 'file-not-its-format', latin1('\xff\xfe'.repeat(300))],
])('%s', async (_, code, bytes) => {
  const report = await inspectHostile(memoryTree('model', { ...files, [shard]: bytes }));
  expect(report.findings.filter(({ severity }) => severity === 'error').map((finding) => finding.code)).toEqual([code]);
});
