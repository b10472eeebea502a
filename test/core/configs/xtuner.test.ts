import { describe, expect, it } from 'vitest';
import { countModel } from '../../../src/core/configs/countModel.js';
import { readText } from './readConfigFixture.js';

const config = (type: string, more = '', lora = ''): string => `
from transformers import AutoModelForCausalLM
from xtuner.model import ${type}

pretrained_model_name_or_path = "meta-llama/Llama-2-7b-hf"
batch_size = 1
max_epochs = 1
optim_type = AdamW
save_steps = 500
save_total_limit = 2
${more}
model = dict(
    type=${type},
    llm=dict(type=AutoModelForCausalLM.from_pretrained, pretrained_model_name_or_path=pretrained_model_name_or_path),
    ${lora}
)
`;

async function read(text: string) {
  const found = await readText('config.py', text);
  return found === null
    ? null
    : { id: found.id, plan: found.reading.plan, ...(await countModel(found.reading.model, found.access)) };
}

describe('configs of xtuner', () => {
  it('train the model that they name', async () => {
    const full = await read(config('SupervisedFinetune'));
    expect(full).toMatchObject({ id: 'xtuner', model: { counts: { unique: 6_738_415_616 } } });
    expect(full?.plan).toMatchObject({ epochs: 1, saveIntervalSteps: 500, keep: 2, lastSave: 'all', optimizerName: 'AdamW' });
    expect(full?.plan.adapter).toBeUndefined();
  });

  it('keep all with a limit of -1, and save at the end alone with an interval of -1', async () => {
    const plan = (await read(config('SupervisedFinetune', 'save_steps = -1\nsave_total_limit = -1')))?.plan;
    expect(plan).toMatchObject({ keep: null, lastSave: 'all' });
    expect(plan?.saveIntervalSteps).toBeUndefined();
    expect(plan?.notes).toContain('saves-at-end');
  });

  it('count no model of which more or other parts are saved', async () => {
    const lora = 'lora=dict(type=LoraConfig, r=8, target_modules=["q_proj", "v_proj"]),';
    expect((await read(config('DPO')))?.model).toBeNull();
    expect((await read(config('RewardModel')))?.model).toBeNull();
    const adapted = await read(config('DPO', '', lora));
    expect(adapted?.model).not.toBeNull();
    expect(adapted?.plan.adapter).toEqual({ kind: 'lora', rank: 8, targets: ['q_proj', 'v_proj'] });
  });

  it('are those that import it, and no others', async () => {
    expect(await read(config('SupervisedFinetune').replace('xtuner.model', 'other.model'))).toBeNull();
    expect(await read(config('SupervisedFinetune').replace('save_steps = 500', '').replace('max_epochs = 1', ''))).toBeNull();
  });
});
