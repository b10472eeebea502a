/** How wide the tokens that a run reads are stored, by the vocabulary of the config. */
import { expect, it } from 'vitest';
import { estimateText } from '../../builders/estimateText.js';

/** Of layers that are not counted. */
const launch = (flags: string) =>
  `torchrun pretrain_mamba.py --num-layers 2 --hidden-size 128 --num-attention-heads 2 --seq-length 1024 --micro-batch-size 1 --global-batch-size 8 --train-iters 100 --hybrid-override-pattern M*M- ${flags}\n`;
const bytesOf = async (flags: string) => {
  const { model, data } = (await estimateText('run.sh', launch(flags))).report;
  return { isCounted: model !== null, bytesPerToken: data?.bytesPerToken };
};

it.each([
  ['--vocab-size 32000', 2],
  ['--vocab-size 128256', 4],
  ['--tokenizer-type GPT2BPETokenizer', 2],
  ['--tokenizer-type Llama3Tokenizer', 4],
  ['--tokenizer-type HuggingFaceTokenizer --tokenizer-model mistralai/Mistral-7B-v0.1', 2],
  ['', 4],
])('is that of the vocabulary where the model is not counted: %s', async (flags, bytesPerToken) => {
  expect(await bytesOf(flags)).toEqual({ isCounted: false, bytesPerToken });
});
