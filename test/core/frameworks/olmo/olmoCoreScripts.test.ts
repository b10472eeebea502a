/** Training scripts of OLMo-core, of which factories have published totals. */
import { describe, expect, it } from 'vitest';
import { emptyMap } from '../../../../src/core/configs/document/configNode.js';
import { keyAt } from '../../../../src/core/configs/document/keyAt.js';
import { countModel } from '../../../../src/core/configs/countModel.js';
import { readText } from '../../configs/readConfigFixture.js';

const script = (model: string, checkpointer = 'save_interval=100', more = ''): string => `
from olmo_core.nn.transformer import TransformerConfig
from olmo_core.data import TokenizerConfig
from olmo_core.train import Duration, TrainerConfig

tokenizer_config = TokenizerConfig.dolma2()
model_config = TransformerConfig.${model}
${more}
trainer = TrainerConfig(save_folder="out", max_duration=Duration.steps(1000)).with_callback(
    "checkpointer", CheckpointerCallback(${checkpointer})
)
`;

async function read(text: string) {
  const found = await readText('train.py', text);
  if (found === null) return null;
  return { id: found.id, plan: found.reading.plan, ...(await countModel(found.reading.model, found.access)) };
}

describe('training scripts of OLMo-core', () => {
  const padded = 'vocab_size=tokenizer_config.padded_vocab_size()';
  it.each([
    [`olmo2_1B_v2(${padded})`, 1_484_916_736],
    [`olmo2_7B(${padded}, attn_backend=Backend.flash_2, sliding_window=Windows(pattern=[1, 2]))`, 7_298_617_344],
    [`olmo2_13B(${padded})`, 13_716_198_400],
    [`olmo3_32B(${padded})`, 32_234_279_936],
    ['llama3_8B(vocab_size=128256)', 8_030_261_248],
    ['llama2_70B(vocab_size=32000)', 68_976_648_192],
    ['llama2_7B(vocab_size=32000)', 6_738_415_616],
    // Of 2 layers, not 32.
    ['llama2_7B(vocab_size=32000, n_layers=2)', 6_738_415_616 - 30 * (4 * 4096 ** 2 + 3 * 4096 * 11_008 + 2 * 4096)],
  ])('count %s', async (model, parameters) => {
    expect(await read(script(model))).toMatchObject({ id: 'olmo-core', model: { counts: { unique: parameters } } });
  });

  it.each([
    ['olmo2_7B(vocab_size=len(words))', 'TransformerConfig.olmo2_7B', ''],
    [`olmo2_7B(${padded}, n_layers=layers)`, 'TransformerConfig.olmo2_7B', ''],
    [`olmo2_7B(${padded}, block_mods={1: change})`, 'TransformerConfig.olmo2_7B', ''],
    [
      `olmo3_7B(${padded})`,
      'TransformerConfig.olmo3_7B, changed by the script',
      'model_config.block.sequence_mixer.n_heads = heads',
    ],
    [`olmo2_7B(${padded})`, 'TransformerConfig.olmo2_7B, changed by the script', 'model_config.n_layers = 4'],
    [`ngpt_1B(${padded})`, 'TransformerConfig.ngpt_1B', ''],
  ])('name %s, which text does not tell', async (model, name, more) => {
    const text = script(model, 'save_interval=100', more).replace(
      model.includes('words') ? 'TokenizerConfig.dolma2()' : '\0',
      'None',
    );
    expect(await read(text)).toMatchObject({ model: null, missing: { why: 'unknown-architecture', name } });
  });

  it('keep three checkpoints unless another number is set, and save when training ends', async () => {
    const of = async (checkpointer: string) => (await read(script(`olmo2_7B(${padded})`, checkpointer)))?.plan;
    expect(await of('save_interval=100')).toMatchObject({ steps: 1000, saveIntervalSteps: 100, keep: 3, lastSave: 'all' });
    expect(await of('max_checkpoints=None')).toMatchObject({ saveIntervalSteps: 250, keep: null });
    expect(await of('save_interval=100, max_checkpoints=8')).toMatchObject({ keep: 8 });
    expect((await of('enabled=False'))?.notes).toContain('saves-never');
  });

  it('are not taken for such where several models or tests are in them', async () => {
    const several = script(`olmo2_7B(${padded})`, '', `other = TransformerConfig.olmo2_13B(${padded})`);
    expect(await read(several)).toBeNull();
    expect(await read(`${script(`olmo2_7B(${padded})`)}\ndef test_it():\n    pass\n`)).toBeNull();
    expect(await read(script(`olmo2_7B(${padded})`).replaceAll('olmo_core', 'other'))).toBeNull();
  });
});

it('a key of a call is found at its place', async () => {
  const text = script('olmo2_7B(vocab_size=100352, n_layers=8)', 'save_interval=700');
  const found = await readText('train.py', text);
  const at = (part: string) => keyAt(found?.file.document.root ?? emptyMap, text.indexOf(part) + 1)?.path;
  expect(at('n_layers=')).toEqual(['model', 'n_layers']);
  expect(at('save_interval=')).toEqual(['trainer', 'callbacks', 'checkpointer', 'save_interval']);
});
