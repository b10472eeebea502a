/** Which part of training state a key path is: the spellings that training code uses. */
import { describe, expect, it } from 'vitest';
import { componentOfPath } from '../../../src/core/tensors/componentOfPath.js';

const componentOf = (path: string): string => componentOfPath(path.split('/')).component;

describe('a key path', () => {
  it.each([
    ['optimizer/state/0/step', 'optimizer'],
    ['optimizer_G/state/0/step', 'optimizer'],
    ['optimizerD2/state/3/exp_avg', 'optimizer'],
    ['g_optim/state/0/step', 'optimizer'],
    ['last_optimizer_state/state/0/exp_avg', 'optimizer'],
    ['any/state/0/step', 'optimizer'],
    ['state/0/exp_avg', 'optimizer'],
    ['generator/optimizer/state/0/exp_avg', 'optimizer'],
    ['optimizer/fp32_from_fp16_params/0', 'masterWeights'],
    ['g_ema/conv.weight', 'ema'],
    ['model/ema/conv.weight', 'ema'],
    ['param_schedulers/0/_last_lr', 'scheduler'],
    ['cuda_rng_state_all/0', 'rng'],
    ['torch_rng_state', 'rng'],
    ['cuda_rng', 'rng'],
    ['state/model/layers.0.weight', 'weights'],
    ['state/optimizers/AdamW/state/layers.0.weight/exp_avg', 'optimizer'],
    ['state/model/exp_avg', 'optimizer'],
    ['optimizer/grad_scaler/scale', 'gradScaler'],
    ['optimizer/0/grad_scaler/scale', 'gradScaler'],
    ['opt/decoder/layers_0/fc1/kernel', 'weights'],
    ['opt/decoder/embed/embedding', 'weights'],
    ['opt/mu/decoder/fc1/kernel', 'optimizer'],
    ['opt/0/nu/fc1/kernel', 'optimizer'],
    ['opt/state/0/exp_avg', 'optimizer'],
    ['state.0.step', 'optimizer'],
    ['state.layers.0.weight.step', 'optimizer'],
    ['state.emb.weight.sum', 'optimizer'],
    ['state.emb.weight.square_avg', 'optimizer'],
    ['state.emb.weight.grad_avg', 'optimizer'],
    ['w.exp_avg_sq', 'optimizer'],
  ])('%s is %s', (path, component) => {
    expect(componentOf(path)).toBe(component);
  });

  it.each([
    ['optimizer/state/layers.0.v/exp_avg', 'firstMoment'],
    ['optimizer/state.layers.0.attn.v.weight.exp_avg_sq', 'secondMoment'],
    ['optimizer/state.layers.0.attn.v.weight.step', 'otherState'],
  ])('%s is the optimizer’s %s', (path, part) => {
    expect(componentOfPath(path.split('/'))).toEqual({ component: 'optimizer', part });
  });

  it.each([
    ['generator/state_dict/optim.weight'],
    ['model/step'],
    ['model/opt_embedding'],
    ['policy/opt_embedding'],
    ['netG/optimizer.weight'],
    ['model.state.weight'],
    ['state.proj.weight'],
    ['state.step'],
    ['sampler.proj.weight'],
    ['weight'],
    [''],
  ])('%s is a weight', (path) => {
    expect(componentOf(path)).toBe('weights');
  });

  it('of no key at all is a weight: torch.save(tensor)', () => {
    expect(componentOfPath([]).component).toBe('weights');
  });
});
