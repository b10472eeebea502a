import { expect, it } from 'vitest';
import { jsonErrorInWords } from '../../../src/core/formats/text/jsonError.js';
import { utf8 } from '../../builders/byteWriter.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { inspectHostile } from '../../hostile/accountable.js';

it.each(['password: hunter2', '{"a": hunter2}', '["hunter2', '{"hunter2": 1,}', "hunter2 'x"])(
  'says nothing of the text %j',
  (text) => {
    try {
      JSON.parse(text);
    } catch (error) {
      expect(jsonErrorInWords(error)).not.toMatch(/hunter|pass/);
    }
  },
);

it('a config that is no JSON is a finding without its text', async () => {
  const report = await inspectHostile(memoryTree('model', { 'config.json': utf8('root:*:202'), 'model.safetensors': utf8('') }));
  const finding = report.findings.find(({ path }) => path === 'config.json');
  expect(finding?.message).toMatch(/not JSON/);
  expect(JSON.stringify(report.findings)).not.toContain('root:*');
});
