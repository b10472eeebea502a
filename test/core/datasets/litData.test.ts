/** Indexes of LitData that its writer does not make. */
import { expect, it } from 'vitest';
import { utf8 } from '../../builders/byteWriter.js';
import { codesOf, inspectDataset } from '../../builders/inspectDataset.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';

it.each(['null', '-1', '0.5', '1e30'])('one chunk with %s in place of its elements is damage', async (value) => {
  const files = fixtureBelow('datasets/litdata-tokens');
  const index = Object.keys(files).find((path) => path.endsWith('index.json')) ?? '';
  const text = new TextDecoder().decode(files[index]).replace(/("dim": )\d+/, `$1${value}`);
  const report = await inspectDataset({ ...files, [index]: utf8(text) });
  expect(codesOf(report)).toContain('shard-corrupt');
  expect(report.tokens?.exact ?? false).toBe(false);
});
