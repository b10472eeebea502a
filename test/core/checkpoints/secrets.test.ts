/** Keys and passwords among settings: in no form of a report. */
import { expect, it } from 'vitest';
import { reportToJson } from '../../../src/core/inspection/reportJson.js';
import { renderMarkdown } from '../../../src/core/pages/reportMarkdown.js';
import { renderTerminal } from '../../../src/core/pages/reportTerminal.js';
import { utf8 } from '../../builders/byteWriter.js';
import { inspectOne } from '../../builders/inspectOne.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { torchState } from '../../builders/torchStateBuilder.js';

const token = `hf_${'aB3'.repeat(12)}`;
const settings = {
  hub_token: token,
  wandb_api_key: 'f00dfeedc0ffee1234567890',
  password: 'hunter2 and more',
  report_to: `https://ana:hunter2@tracking:5000`,
  command: `login --with ${token} --now`,
  eos_token: '</s>',
  argv: ['mysql', '--password', 'hunter2', '--host', 'db', '--wandb_key=f00dfeed'],
  passwords: ['hunter2'],
  keys: { [token]: 1 },
};

it.each([
  ['a pickle', { 'pytorch_model.bin': torchState((tensor) => ({ w: tensor([4, 8]), config: settings })) }],
  [
    'JSON',
    {
      'pytorch_model.bin': torchState((tensor) => ({ w: tensor([4, 8]) })),
      'trainer_state.json': utf8(JSON.stringify({ global_step: 3, log_history: [], ...settings })),
    },
  ],
])('settings in %s', async (_, files) => {
  const { report } = await inspectOne(memoryTree('run', files), { path: 'run' });
  const json = reportToJson(report);
  for (const text of [json, renderMarkdown(report), renderTerminal(report, { color: false, width: 120 })])
    expect(text).not.toMatch(/hunter2|f00dfeed|hf_aB3/);
  expect(json).toContain('(masked)');
  expect(json).toContain('login --with (masked) --now');
  expect(json).toContain('</s>');
});
