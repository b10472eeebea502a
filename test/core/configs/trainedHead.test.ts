/** Runs that train another output layer than the language model's; counts as transformers' own classes have them (5.24.0, meta device). */
import { describe, expect, it } from 'vitest';
import { createConfigAccess } from '../../../src/core/configs/configAccess.js';
import { countModel, type CountedModel } from '../../../src/core/configs/countModel.js';
import { readText } from './readConfigFixture.js';

/** Of `Qwen/Qwen3-0.6B`: 596,049,920 parameters, all of which but the tied head are left, and 1024 for each label. */
const withoutHead = 596_049_920;

async function countedOf(name: string, text: string): Promise<CountedModel | null> {
  const found = await readText(name, text);
  const nothing = () => Promise.resolve(null);
  const counted = await countModel(found?.reading.model ?? null, createConfigAccess({ read: nothing, readCached: nothing }));
  return counted.model;
}

async function uniqueOf(name: string, text: string): Promise<number | undefined> {
  return (await countedOf(name, text))?.counts.unique;
}

const model = 'Qwen/Qwen3-0.6B';
const args = 'output_dir="out", max_steps=100, save_steps=10';
const flags = `--model_name_or_path ${model} --output_dir out --save_steps 10 --per_device_train_batch_size 1`;

describe('the output layer that a run trains', () => {
  it.each([
    ['a script of TRL', 'job.sh', `accelerate launch examples/scripts/reward_modeling.py ${flags}`, 1],
    ['trl reward', 'job.sh', `trl reward ${flags}`, 1],
    ['TRL, process rewards', 'job.sh', `python examples/scripts/prm.py ${flags}`, 2],
    ['RewardTrainer', 'train.py', `t = RewardTrainer(model="${model}", args=RewardConfig(${args}))\nt.train()\n`, 1],
    [
      'a class with labels',
      'train.py',
      `m = AutoModelForSequenceClassification.from_pretrained("${model}", num_labels=5)\nt = Trainer(model=m, args=TrainingArguments(${args}))\nt.train()\n`,
      5,
    ],
    ['OpenRLHF', 'job.sh', `deepspeed --module openrlhf.cli.train_rm --pretrain ${model} --save_steps 10 --zero_stage 3`, 1],
    ['axolotl', 'a.yml', `base_model: ${model}\nreward_model: true\nmicro_batch_size: 1\ndatasets:\n  - path: a\n`, 1],
    [
      'axolotl, by its class',
      'a.yml',
      `base_model: ${model}\nmodel_type: AutoModelForSequenceClassification\nnum_labels: 3\nmicro_batch_size: 1\ndatasets:\n  - path: a\n`,
      3,
    ],
    ['ms-swift', 'job.sh', `swift rlhf --rlhf_type rm --model ${model} --dataset a --save_steps 10`, 1],
    ['ms-swift, a classifier', 'job.sh', `swift sft --task_type seq_cls --num_labels 4 --model ${model} --dataset a`, 4],
  ])('%s', async (_, name, text, labels) => {
    const bias = text.includes('prm.py') ? labels : 0;
    expect(await uniqueOf(name, text)).toBe(withoutHead + 1024 * labels + bias);
  });

  it.each([
    ['a Qwen2 of AutoModel', 'AutoModel', 'Qwen/Qwen2.5-7B', 7_070_619_136],
    ['a BERT of AutoModel', 'AutoModel', 'bert-base-uncased', 109_482_240],
    ['a BERT of its own class', 'BertModel', 'bert-base-uncased', 109_482_240],
    ['a program’s own class, whose layers are not known', 'MyModel', 'Qwen/Qwen2.5-7B', 7_615_616_512],
    ['T5', 'T5ForConditionalGeneration', 'google/flan-t5-xl', 2_849_757_184],
    ['Qwen2.5-VL', 'Qwen2_5_VLForConditionalGeneration', 'Qwen/Qwen2.5-VL-7B-Instruct', 8_292_166_656],
    ['Whisper', 'WhisperForConditionalGeneration', 'openai/whisper-large-v3', 1_543_490_560],
    ['Gemma 3', 'Gemma3ForConditionalGeneration', 'google/gemma-3-4b-it', 4_300_079_472],
    ['a model of speech', 'AutoModelForSpeechSeq2Seq', 'openai/whisper-large-v3', 1_543_490_560],
  ])('is that of the class that loads it: %s', async (_, name, from, parameters) => {
    const text = `m = ${name}.from_pretrained("${from}", torch_dtype=torch.bfloat16)\nt = Trainer(model=m, args=TrainingArguments(${args}))\nt.train()\n`;
    expect(await uniqueOf('train.py', text)).toBe(parameters);
    expect((await readText('train.py', text))?.reading.plan.parameterDtype).toBe('bf16');
  });

  it.each([
    ['sft', 'job.sh', `trl sft ${flags}`],
    ['a language model', 'a.yml', `base_model: ${model}\nmicro_batch_size: 1\ndatasets:\n  - path: a\n`],
    [
      'a class of language models',
      'train.py',
      `m = AutoModelForCausalLM.from_pretrained("${model}")\nt = Trainer(model=m, args=TrainingArguments(${args}))\nt.train()\n`,
    ],
  ])('is the language model’s own for %s', async (_, name, text) => {
    expect(await uniqueOf(name, text)).toBe(withoutHead);
  });

  it.each([
    ['run_glue.py --task_name mrpc', 'google-bert/bert-base-cased', 108_311_810],
    ['run_glue.py --task_name MNLI', 'google-bert/bert-base-cased', 108_312_579],
    ['examples/pytorch/text-classification/run_glue.py --task_name stsb', 'google-bert/bert-base-cased', 108_311_041],
    ['run_glue.py --task_name sst2', 'distilbert-base-uncased', 66_955_010],
    ['run_glue.py --task_name mnli', 'roberta-large', 355_362_819],
    ['run_glue.py --task_name rte', 'microsoft/deberta-v3-base', 184_423_682],
    ['run_glue.py --task_name cola', 'albert-base-v2', 11_685_122],
    ['run_glue.py --task_name qnli', 'google/electra-base-discriminator', 109_483_778],
    ['run_glue.py --task_name wnli', 'answerdotai/ModernBERT-base', 149_606_402],
    ['run_glue.py --task_name mnli', 'facebook/bart-large', 407_344_131],
    ['run_xnli.py --language de', 'xlm-roberta-base', 278_045_955],
    ['run_qa.py --dataset_name squad', 'bert-base-uncased', 108_893_186],
    ['run_qa.py --dataset_name squad', 'distilbert-base-uncased', 66_364_418],
    ['run_ner.py --dataset_name conll2003', 'bert-base-uncased', 108_898_569],
    ['run_swag.py', 'bert-base-uncased', 109_483_009],
    ['run_swag.py', 'roberta-base', 124_646_401],
  ])('is that of transformers’ example: %s of %s', async (program, name, total) => {
    const text = `python ${program} --model_name_or_path ${name} --output_dir out --per_device_train_batch_size 32`;
    expect(await countedOf('job.sh', text)).toMatchObject({ counts: { unique: total }, basis: 'architecture' });
  });

  it.each(['run_glue.py --train_file a.csv', 'run_glue.py --task_name $1', 'run_classification.py --dataset_name a'])(
    'has a number of labels that is assumed where the data decides it: %s',
    async (program) => {
      const text = `python ${program} --model_name_or_path bert-base-cased --output_dir out --per_device_train_batch_size 32`;
      expect(await countedOf('job.sh', text)).toMatchObject({
        counts: { unique: 108_311_810 },
        basis: 'class-defaults',
        defaulted: ['num_labels'],
      });
    },
  );
});
