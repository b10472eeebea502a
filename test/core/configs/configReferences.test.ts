/** References that lead back to themselves, bases in other folders, and values that are no value. */
import { describe, expect, it } from 'vitest';
import { estimateText, type FilesBeside } from '../../builders/estimateText.js';

async function reportOf(name: string, text: string, beside: FilesBeside = {}) {
  const { report } = await estimateText(name, text, { beside });
  const unresolved = report.unresolved.map(({ text: detail, why }) => `${detail} ${why}`);
  return { ...report, unresolved, words: report.assumptions.map((line) => line.text) };
}

describe('a reference', () => {
  const axolotl = 'base_model: meta-llama/Llama-3.1-8B\ndatasets: []\nsequence_len: 512\nmicro_batch_size: 1\n';

  it('of YAML to an anchor that it is in, or to none, has no value and is named as that', async () => {
    const { unresolved } = await reportOf('a.yaml', `${axolotl}save_steps: &s [*s]\nextra: &m {a: *m}\nseed: *nothing\n`);
    expect(unresolved).toContain('*s leads back to itself');
    expect(unresolved).toContain('*m leads back to itself');
    expect(unresolved).toContain('*nothing has no anchor before it');
    expect(unresolved.filter((line) => line.includes('another program'))).toEqual([]);
  });

  it('of OmegaConf that leads back to itself is shown as it is written', async () => {
    const text =
      'trainer: {max_steps: "${model.a}"}\nmodel: {a: "${trainer.max_steps}", hidden_size: 8, num_layers: 1}\nexp_manager: {}\n';
    expect((await reportOf('a.yaml', text)).unresolved).toContain('${model.a} leads back to itself');
  });

  it('of Hydra to a base that builds upon it ends, and a base that is used twice does not', async () => {
    const whole = 'actor_rollout_ref:\n  model: {path: meta-llama/Llama-3.1-8B}\n  actor: {strategy: fsdp}\n';
    const circle = await reportOf('a.yaml', `defaults: [b]\n${whole}`, {
      'b.yaml': 'defaults: [c]\n',
      'c.yaml': 'defaults: [b]\ntrainer: {save_freq: 7}\n',
    });
    expect(circle.unresolved).toEqual(['b leads back to itself']);
    expect(circle.training.saveIntervalSteps).toBe(7);
    const twice = await reportOf('a.yaml', `defaults:\n  - optim@actor: adam\n  - optim@critic: adam\n${whole}`, {
      'optim/adam.yaml': 'lr: 1\n',
    });
    expect([circle, twice].flatMap(({ words }) => words.filter((line) => line.includes('was not found')))).toEqual([]);
    expect(twice.unresolved).toEqual([]);
  });
});

describe('a value that is no number', () => {
  it.each(['.nan', '.inf', '-.inf'])('%s is ignored as if its key were not set, and that is said', async (value) => {
    const text = `base_model: meta-llama/Llama-3.1-8B\ndatasets: []\nsequence_len: 512\nmicro_batch_size: 1\nnum_epochs: ${value}\n`;
    const { findings, training, words } = await reportOf('a.yaml', text);
    expect(findings[0]?.message).toContain('the estimate ignores it, as if the key were not set');
    expect(training.epochs).toBe(1);
    expect(words).toContain('the epochs are the framework’s default');
  });

  it('of a model’s size is not said to be left out', async () => {
    const text =
      '{"model_type": "llama", "architectures": ["LlamaForCausalLM"], "num_attention_heads": 2, "num_hidden_layers": 2, "vocab_size": 10, "hidden_size": NaN}';
    const { words } = await reportOf('config.json', text);
    expect(words.find((line) => line.includes('hidden_size'))).toContain('not set, so the defaults of the model’s class');
  });
});

describe('a config of verl', () => {
  const text =
    'hydra:\n  searchpath:\n    - file://verl/trainer/config\ndefaults:\n  - ppo_megatron_trainer\n  - _self_\ndata: {max_prompt_length: 2048, max_response_length: 2048, train_batch_size: 256}\nactor_rollout_ref: {model: {path: meta-llama/Llama-3.1-8B}, actor: {}, rollout: {n: 5}}\ntrainer: {save_freq: 10, total_training_steps: 100}\n';
  const folder = 'verl/trainer/config';
  const beside = {
    [`${folder}/ppo_megatron_trainer.yaml`]: 'defaults:\n  - actor@actor_rollout_ref.actor: megatron_actor\n  - _self_\n',
    [`${folder}/actor/megatron_actor.yaml`]: 'defaults: [actor]\nstrategy: megatron\nmegatron: {tensor_model_parallel_size: 4}\n',
    [`${folder}/actor/actor.yaml`]: 'checkpoint: {save_contents: [model, optimizer, extra]}\n',
  };

  it('is read with the bases of its search path', async () => {
    const { training, checkpoint, words } = await reportOf('geo3k.yaml', text, beside);
    expect(training.tensorParallel).toBe(4);
    expect(checkpoint.bytesPerParameter).toBe(14);
    expect(words.filter((line) => line.includes('was not found'))).toEqual([]);
  });

  it.each(['file://./verl/trainer/config', 'pkg://verl.trainer.config', 'verl/trainer/config/'])('at %s', async (path) => {
    const { training } = await reportOf('geo3k.yaml', text.replace(/file:\S+/, path), beside);
    expect(training.tensorParallel).toBe(4);
  });

  it('is on Megatron where its base is, which was not found', async () => {
    const { checkpoint, words } = await reportOf('geo3k.yaml', text);
    expect(checkpoint.bytesPerParameter).toBe(14);
    expect(words).toContain('a config that this one builds upon was not found');
  });

  it('has the sequences of all answers in a step, and reads none of them', async () => {
    const { training, data, words } = await reportOf('geo3k.yaml', text, beside);
    expect(training.tokensPerStep).toBe(256 * 5 * 4096);
    expect(data).toBeNull();
    expect(words.find((line) => line.includes('answer'))).toContain('at most');
  });
});
