/** Runs that enlarge the embeddings by tokens of which the config has no number. */
import { expect, it } from 'vitest';
import { parameterSentence } from '../../../src/core/pages/estimate/estimateLines.js';
import { estimateText } from '../../builders/estimateText.js';

const flags = '--model_name_or_path Qwen/Qwen3-0.6B --output_dir out --save_steps 10 --per_device_train_batch_size 1';
const axolotl = 'base_model: Qwen/Qwen3-0.6B\nmicro_batch_size: 1\ndatasets: []\n';
const factory = 'model_name_or_path: Qwen/Qwen3-0.6B\nfinetuning_type: full\ncutoff_len: 128\ndataset: a\nsave_steps: 10\n';

const reportOf = async (name: string, text: string) => (await estimateText(name, text)).report;

it.each([
  ['open-instruct', 'job.sh', `accelerate launch open_instruct/finetune.py ${flags}`],
  ['a template of another tokenizer', 'job.sh', `trl sft ${flags} --chat_template_path Qwen/Qwen3-8B`],
  ['LLaMA-Factory', 'a.yaml', `${factory}resize_vocab: true\n`],
  ['axolotl', 'a.yml', `${axolotl}tokens:\n  - <think>\n`],
])('is no exact count with %s', async (_, name, text) => {
  const report = await reportOf(name, text);
  expect(report.model?.basis).toBe('base-vocabulary');
  expect(report.assumptions.map(({ source }) => source).filter((source) => source.endsWith('vocabulary-may-grow'))).toHaveLength(
    1,
  );
  expect(parameterSentence(report)).toContain('without tokens that the run adds');
});

it.each([
  ['a template in a file', 'job.sh', `trl sft ${flags} --chat_template_path chat.jinja`],
  ['LLaMA-Factory', 'a.yaml', factory],
  ['axolotl', 'a.yml', axolotl],
])('is exact with %s', async (_, name, text) => {
  expect((await reportOf(name, text)).model?.basis).toBe('architecture');
});
