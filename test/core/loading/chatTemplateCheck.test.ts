/** The chat templates beside a model. */
import { describe, expect, it } from 'vitest';
import { chatTemplateCheck } from '../../../src/core/loading/chatTemplateCheck.js';
import type { LoadCheck } from '../../../src/core/loading/loadCheck.js';
import { readTokenizer } from '../../../src/core/loading/tokenizerFacts.js';
import { utf8 } from '../../builders/byteWriter.js';
import type { MemoryFile } from '../../builders/memoryTree.js';
import { readCheckpoint } from '../../builders/readCheckpoint.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { json } from '../../builders/torchDirectory.js';

async function check(files: Record<string, MemoryFile>, rootName = 'model'): Promise<LoadCheck> {
  const model = { 'a.weight': { dtype: 'F32', shape: [2] } };
  const all = {
    'config.json': json({ model_type: 'llama' }),
    'model.safetensors': buildSafetensors({ tensors: model }),
    ...files,
  };
  const { read, context } = await readCheckpoint(all, rootName);
  return chatTemplateCheck(read, context, await readTokenizer(read, context));
}
const good = '{% for m in messages %}{{ m.content }}{% endfor %}';
const bad = '\n{% for m in messages %}';

describe('chat templates', () => {
  it('of all places are checked', async () => {
    const found = await check({
      'tokenizer_config.json': json({
        chat_template: [
          { name: 'default', template: good },
          { name: 'tools', template: bad },
        ],
      }),
      'chat_template.json': json({ chat_template: { rag: good } }),
      'chat_template.jinja': utf8(good),
      'additional_chat_templates/rag.jinja': utf8(bad),
    });
    expect(found.done).toEqual(['5 chat templates: blocks, brackets and strings are closed; expressions are not parsed']);
    expect(found.findings).toEqual([
      {
        code: 'chat-template-invalid',
        path: 'tokenizer_config.json',
        facts: { template: 'chat_template tools', problem: '{% for %} is not closed', line: 2 },
      },
      {
        code: 'chat-template-invalid',
        path: 'additional_chat_templates/rag.jinja',
        facts: { template: 'rag.jinja', problem: '{% for %} is not closed', line: 2 },
      },
    ]);
    expect(found.verdict).toBe('loads-with-warnings');
  });

  it.each<[tokenizer: object, rootName: string, sign: string | undefined]>([
    [{ eos_token: '<|im_end|>' }, 'model', 'its sequences end with <|im_end|>'],
    [{ eos_token: { content: '<|eot_id|>' } }, 'model', 'its sequences end with <|eot_id|>'],
    [{ eos_token: '</s>' }, 'Model-7B-Instruct', 'the name is that of a chat model'],
    [{ eos_token: '</s>' }, 'Model-7B', undefined],
    [{ eos_token: '<|im_end|>', chat_template: good }, 'chat', undefined],
  ])('that are missing are a note where there should be one: %o', async (tokenizer, rootName, sign) => {
    const { findings, verdict } = await check({ 'tokenizer_config.json': json(tokenizer) }, rootName);
    expect(findings.map(({ facts }) => facts)).toEqual(sign === undefined ? [] : [{ sign }]);
    expect(verdict).toBe('loads');
  });

  it('are no matter without a tokenizer', async () => {
    expect(await check({}, 'chat')).toMatchObject({ verdict: 'loads', checked: [], findings: [] });
  });
});
