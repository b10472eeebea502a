/** Configs that serve or evaluate, against sizes worked out by hand and those that publishers give of their files. */
import { describe, expect, it } from 'vitest';
import { estimateText, llamaConfig } from '../../builders/estimateText.js';
import { estimateHover, estimateLens } from '../../../src/core/pages/estimate/estimateHover.js';
import { estimateTables } from '../../../src/core/pages/estimate/estimateTables.js';
import { renderEstimateMarkdown } from '../../../src/core/pages/estimate/estimateMarkdown.js';
import { renderEstimateTerminal } from '../../../src/core/pages/estimate/estimateTerminal.js';
import { estimateHeadline, estimateVerdict } from '../../../src/core/pages/estimate/estimateVerdict.js';
import { readText } from '../configs/readConfigFixture.js';

const reportOf = async (text: string, name = 'serve.sh', beside = {}) => (await estimateText(name, text, { beside })).report;
const servingOf = async (text: string, name?: string) => (await reportOf(text, name)).serving;

const llama = 8_030_261_248;
/** 32 layers, keys and values of 8 groups of 128 numbers. */
const llamaToken = 32 * 2 * 8 * 128;

describe('vLLM', () => {
  it('serves the model behind its command, with the longest sequence, the sequences at once and the dtype of the cache', async () => {
    const command =
      'vllm serve meta-llama/Llama-3.1-8B-Instruct --max-model-len 32K --max-num-seqs 64 --kv-cache-dtype fp8 -tp 2';
    const report = await reportOf(`${command}\n`);
    expect(report).toMatchObject({
      config: 'vllm',
      trainsNothing: true,
      checkpoint: { bytes: 0, terms: [] },
      training: { steps: null },
    });
    expect(report.serving).toEqual({
      weights: { bytes: 2 * llama, as: 'bf16', basis: 'assumed' },
      cache: {
        attention: 'grouped',
        dtype: 'f8',
        fullLayers: 32,
        windowLayers: 0,
        windowTokens: null,
        stateLayers: 0,
        copies: 1,
        bytesPerToken: llamaToken,
        contextTokens: 32_768,
        contextBasis: 'given',
        bytes: 32_768 * llamaToken,
      },
      sequences: 64,
      cacheBytes: 64 * 32_768 * llamaToken,
    });
  });

  it.each([
    'M=meta-llama/Llama-3.1-8B\npython -m vllm.entrypoints.openai.api_server --model $M --dtype float16',
    'docker run --gpus all -p 8000:8000 vllm/vllm-openai:v0.10.1 --model meta-llama/Llama-3.1-8B --dtype float16',
    'vllm serve --model meta-llama/Llama-3.1-8B --dtype half',
  ])('is known by %s', async (text) => {
    expect((await servingOf(`${text}\n`))?.weights).toEqual({ bytes: 2 * llama, as: 'f16', basis: 'given' });
  });

  it('has its options in a file of their own', async () => {
    const yaml = 'model: meta-llama/Llama-3.1-8B\nmax-model-len: 8192\ngpu-memory-utilization: 0.9\n';
    expect(await servingOf(yaml, 'vllm.yaml')).toMatchObject({ cache: { contextTokens: 8192, bytes: 2 * 8192 * llamaToken } });
    expect(await readText('other.yaml', 'model: meta-llama/Llama-3.1-8B\nmax-model-len: 8192\n')).toBeNull();
  });

  it.each([
    ['32k', 32_000],
    ['25.6k', 25_600],
    ['1M', 1_048_576],
    ['auto', null],
    ['-1', null],
  ])('a length of %s', async (written, tokens) => {
    expect((await servingOf(`vllm serve meta-llama/Llama-3.1-8B --max-model-len ${written}\n`))?.cache?.contextTokens).toBe(
      tokens,
    );
  });

  it('quantizes while it loads: linear layers with a scale each, neither embedding nor output layer', async () => {
    const linear = 32 * (2 * 4096 * 4096 + 2 * 1024 * 4096 + 3 * 14_336 * 4096);
    const bytes = linear + 2 * (llama - linear) + 4 * 32 * 7;
    const text = 'vllm serve meta-llama/Llama-3.1-8B --quantization fp8\n';
    expect((await servingOf(text))?.weights).toEqual({ bytes, as: 'fp8', basis: 'given' });
    expect((await servingOf(text.replace('fp8', 'torchao')))?.weights).toBeNull();
  });

  it('is no training where a run starts it beside its own', async () => {
    const training =
      'python train.py --model_name_or_path Qwen/Qwen2.5-7B --per_device_train_batch_size 4 --save_steps 100 --output_dir o\n';
    expect(await reportOf(`vllm serve Qwen/Qwen2.5-7B --a 1 --b 2 --c 3 --d 4 --e 5 --f 6 &\n${training}`)).toMatchObject({
      config: 'training-arguments',
      trainsNothing: false,
    });
  });
});

describe('what is quantized in another way', () => {
  it('is not sized, and is no part of a sum', async () => {
    const report = await reportOf(
      'python -m sglang.launch_server --model-path Qwen/Qwen3-32B --quantization w8a8_int8 --context-length 32768\n',
    );
    expect(report.serving?.weights).toBeNull();
    expect(report.assumptions.map(({ text }) => text).join()).toContain('quantized by w8a8_int8, whose bytes are not known');
    expect(renderEstimateTerminal(report, { width: 200, color: false })).toContain('8.59 GB of cache with one of 32,768 tokens');
  });

  it('is the cache, whose dtype is not known', async () => {
    const report = await reportOf('vllm serve meta-llama/Llama-3.1-8B --kv-cache-dtype int8 --max-model-len 8192\n');
    expect(report.serving).toMatchObject({ cache: null, weights: { as: 'bf16' } });
    expect(report.assumptions.map(({ text }) => text).join()).toContain('dtype of the cache is not one that is known');
  });

  it('is linear layers alone in transformers 5: experts of one parameter stay', async () => {
    const of = (loader: string) =>
      servingOf(`lm_eval --model ${loader} --model_args pretrained=mistralai/Mixtral-8x7B-v0.1,load_in_4bit=True --tasks a\n`);
    // 32 layers of 8 experts of three matrices in 16 bits.
    const experts = 2 * 32 * 8 * 3 * 4096 * 14_336;
    const hub = (await of('hf'))?.weights;
    expect(hub?.as).toContain('experts bf16');
    expect(hub?.bytes).toBeGreaterThan(experts);
    expect((hub?.bytes ?? 0) - experts).toBeLessThan(2e9);
    expect((await of('vllm'))?.weights?.bytes).toBeLessThan(30e9);
  });
});

it('layers with a window keep all where an engine is asked not to manage them apart', async () => {
  const serving = await servingOf('vllm serve google/gemma-3-12b-it --max-model-len 32768 --disable-hybrid-kv-cache-manager\n');
  expect(serving?.cache?.bytes).toBe(48 * 2 * 8 * 256 * 2 * 32_768);
});

describe('over several GPUs', () => {
  const assumed = async (text: string) => (await reportOf(text)).assumptions.map(({ text: said }) => said).join();
  it('parts of the cache are repeated where there are more ranks than groups, and of latent attention on each', async () => {
    expect(await assumed('vllm serve Qwen/Qwen3-235B-A22B --tensor-parallel-size 16\n')).toContain('it takes 4 times as much');
    expect(await assumed('vllm serve deepseek-ai/DeepSeek-V3 --tensor-parallel-size 8\n')).toContain('it takes 8 times as much');
    expect(await assumed('vllm serve meta-llama/Llama-3.1-8B --tensor-parallel-size 8\n')).not.toContain('times as much');
    // Of the language model within one that sees.
    expect(await assumed('vllm serve google/gemma-3-4b-it --tensor-parallel-size 8\n')).toContain('it takes 2 times as much');
  });

  it('each replica takes as much', async () => {
    expect(await assumed('vllm serve meta-llama/Llama-3.1-8B --data-parallel-size 4\n')).toContain('each of 4 replicas');
  });
});

it('Megatron-LM: the cache by its matrices, as long and as often as its server takes them', async () => {
  const sizes =
    '--num-layers 32 --hidden-size 4096 --ffn-hidden-size 14336 --num-attention-heads 32 --group-query-attention --num-query-groups 8 --swiglu --untie-embeddings-and-output-weights --disable-bias-linear --normalization RMSNorm --position-embedding-type rope --seq-length 4096 --max-position-embeddings 4096 --bf16 --micro-batch-size 1 --vocab-size 128256';
  const serving = await servingOf(
    `python tools/run_text_generation_server.py ${sizes} --inference-max-seq-length 8192 --inference-max-requests 16\n`,
  );
  expect(serving?.cache).toMatchObject({ bytesPerToken: 2 * llamaToken, contextTokens: 8192, fullLayers: 32 });
  expect(serving?.cacheBytes).toBe(16 * 8192 * 2 * llamaToken);
});

it('a client of a server loads nothing, and a second server is named', async () => {
  expect(await readText('bench.sh', 'vllm bench serve --model meta-llama/Llama-3.1-8B --num-prompts 10\n')).toBeNull();
  const { unresolved } = await reportOf(
    'vllm serve Qwen/Qwen2.5-7B --port 1 &\nvllm serve meta-llama/Llama-3.1-70B --port 2 &\n',
  );
  expect(unresolved.map(({ why }) => why).join()).toContain('another command of this script');
});

describe('the names of published models', () => {
  it.each([
    // Sizes of the files on the Hub.
    ['Qwen/Qwen2.5-7B-Instruct-AWQ', 5.57e9, 'AWQ, 4 bits'],
    ['openai/gpt-oss-120b', 65.25e9, 'mxfp4'],
    ['openai/gpt-oss-20b', 13.76e9, 'mxfp4'],
    ['Qwen/Qwen2.5-72B-Instruct-GPTQ-Int8', 76.8e9, 'GPTQ, 8 bits'],
    ['unsloth/Meta-Llama-3.1-8B-Instruct-bnb-4bit', 5.7e9, 'bitsandbytes, 4 bits'],
    ['unsloth/DeepSeek-R1-bf16', 2 * 671_026_419_200, 'bf16'],
  ])('%s', async (name, bytes, as) => {
    const weights = (await servingOf(`vllm serve ${name}\n`))?.weights;
    expect(weights?.as).toBe(as);
    expect(Math.abs((weights?.bytes ?? 0) / bytes - 1)).toBeLessThan(0.01);
  });

  it.each(['bartowski/Meta-Llama-3.1-8B-Instruct-GGUF', 'moonshotai/Kimi-K2-Thinking'])(
    '%s: its layout is not known',
    async (name) => {
      const serving = await servingOf(`vllm serve ${name}\n`);
      expect(serving?.weights).toBeNull();
      expect(serving?.cache).not.toBeNull();
    },
  );

  it.each([
    // Mistral 7B v0.1 keeps 4,096 tokens in each layer, v0.3 all; Gemma 3 has five layers with a window to each without.
    ['mistralai/Mistral-7B-Instruct-v0.1', 32 * 2 * 8 * 128 * 2 * 4096],
    ['mistralai/Mistral-7B-Instruct-v0.3', 32 * 2 * 8 * 128 * 2 * 32_768],
    ['google/gemma-3-27b-it', 2 * 16 * 128 * 2 * (10 * 32_768 + 52 * 1024)],
    ['openai/gpt-oss-20b', 2 * 8 * 64 * 2 * (12 * 32_768 + 12 * 128)],
    // arXiv 2412.19437: 512 latent numbers and 64 rotary ones, 61 layers.
    ['deepseek-ai/DeepSeek-V3', 61 * 576 * 2 * 32_768],
  ])('the cache of %s', async (name, bytes) => {
    expect((await servingOf(`vllm serve ${name} --max-model-len 32768\n`))?.cache?.bytes).toBe(bytes);
  });
});

it('SGLang: ranks, cache and sequences', async () => {
  const text =
    'python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 --tp 8 --context-length 65536 --max-running-requests 32\n';
  const report = await reportOf(text);
  expect(report).toMatchObject({ config: 'sglang', training: { tensorParallel: 8 }, serving: { sequences: 32 } });
  expect(report.serving?.cacheBytes).toBe(32 * 65_536 * 61 * 576 * 2);
});

describe('lm-evaluation-harness', () => {
  it('knows engines as values, batches that fill what is there, and scales that are quantized as well', async () => {
    const text = 'lm_eval --model vllm --model_args pretrained=gpt2,max_model_len=512 --tasks a --batch_size auto:4\n';
    expect(await reportOf(text)).toMatchObject({
      config: 'lm-evaluation',
      findings: [],
      serving: { cache: { contextTokens: 512 }, sequences: null },
    });
    const four =
      'lm_eval --model hf --model_args pretrained=Qwen/Qwen2.5-7B,load_in_4bit=True,bnb_4bit_use_double_quant=True --tasks a\n';
    expect(Math.round(((await servingOf(four))?.weights?.bytes ?? 0) / 1e7)).toBe(555);
  });

  it('loads what its arguments name', async () => {
    const text =
      'accelerate launch -m lm_eval --model hf --model_args pretrained=gpt2,dtype=float16 --tasks hellaswag --batch_size 16\n';
    const report = await reportOf(text);
    expect(report).toMatchObject({ config: 'lm-evaluation', trainsNothing: true, serving: { sequences: 16 } });
    expect(report.serving?.weights?.bytes).toBe(2 * 124_439_808);
  });

  it('loads nothing where a server does', async () => {
    const text = 'lm_eval --model local-completions --model_args model=gpt2,base_url=http://localhost:8000 --tasks hellaswag\n';
    expect(await readText('eval.sh', text)).toBeNull();
  });
});

it.each([
  ['swift infer --model Qwen/Qwen2.5-7B-Instruct --infer_backend vllm --vllm_max_model_len 8192', 'ms-swift'],
  ['swift deploy --model Qwen/Qwen2.5-7B-Instruct --vllm_max_model_len 8192', 'ms-swift'],
])('%s', async (command, config) => {
  expect(await reportOf(`${command}\n`)).toMatchObject({
    config,
    trainsNothing: true,
    serving: { cache: { contextTokens: 8192 } },
  });
});

it.each(['vllm serve --port 8000', 'python -m sglang.launch_server --port 8000', 'swift infer --adapters output/checkpoint-9'])(
  '%s names no model, and has no estimate',
  async (command) => {
    expect(await readText('run.sh', `${command}\n`)).toBeNull();
  },
);

it.each(['eval swift sft', 'nohup swift sft', 'swift sft --eval_steps 5'])('%s trains', async (command) => {
  const text = `${command} --model Qwen/Qwen2.5-7B --tuner_type lora --dataset a --output_dir out --save_steps 10 --max_steps 100\n`;
  expect(await reportOf(text)).toMatchObject({ config: 'ms-swift', trainsNothing: false, run: { saves: 10 } });
});

it('export of ms-swift neither trains nor serves', async () => {
  expect(
    await readText('run.sh', 'swift export --model Qwen/Qwen2.5-7B-Instruct --quant_bits 4 --quant_method awq\n'),
  ).toBeNull();
});

describe('pages of what trains nothing', () => {
  const text = 'vllm serve ./llama --max-model-len 8192 --max-num-seqs 2\n';
  const beside = { 'llama/config.json': llamaConfig({ torch_dtype: 'bfloat16' }) };

  it('say so first, then what serving takes, and nothing of checkpoints', async () => {
    const report = await reportOf(text, 'serve.sh', beside);
    expect(estimateVerdict(report).text).toBe('Nothing is trained, so no checkpoint is written.');
    expect(estimateHeadline(report)).toMatchObject({
      size: '16.1 GB',
      totalBytes: 2 * llama,
      answer: 'of weights in memory: 8,030,261,248 parameters (8.03 B), bf16',
      more: 'Each token of each sequence adds 131 kB of cache (bf16): 17.1 GB with one of 8,192 tokens, 18.2 GB with 2 at once.',
    });
    expect(estimateLens(report)).toBe('8.03 B parameters · weights 16.1 GB · cache 131 kB a token');
    const hover = estimateHover(report, { key: '', effect: null }, { plan: 'command:plan', why: 'command:why' });
    expect(hover).toContain(
      'Weights in memory **16.1 GB** (bf16) + 131 kB of cache a token, 1.07 GB at 8,192, 2.15 GB for 2 sequences',
    );
    expect(hover).toContain('[Open the estimate](command:why)');
    const [first] = estimateTables(report);
    expect(first?.rows.map((row) => row[0]?.text)).toEqual([
      'weights',
      'cache of a token',
      'cache of one sequence of 8,192 tokens',
      'cache of 2 such sequences',
    ]);
    const pages = [renderEstimateMarkdown(report), renderEstimateTerminal(report, { width: 80, color: false }), hover];
    for (const page of pages) expect(page).not.toMatch(/A checkpoint takes|kept|undefined|NaN|Plan storage/);
  });

  it('say wherever it stands that a dtype is assumed', async () => {
    const report = await reportOf('vllm serve meta-llama/Llama-3.1-8B --max-model-len 8192\n');
    const hover = estimateHover(report, { key: '', effect: null }, { plan: '', why: '' });
    const pages = [estimateHeadline(report).answer, hover, renderEstimateTerminal(report, { width: 200, color: false })];
    for (const page of pages) expect(page).toContain('bf16, assumed');
  });

  it('say what is missing of a model that is not found', async () => {
    const report = await reportOf('vllm serve ./nowhere --max-model-len 8192\n');
    expect(estimateVerdict(report).text).toMatch(/Nothing is trained, so no checkpoint is written\.$/);
    expect(renderEstimateTerminal(report, { width: 80, color: false })).not.toContain('per parameter');
  });
});
