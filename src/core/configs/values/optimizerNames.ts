import type { OptimizerId, TrainingPlan } from '../trainingPlan.js';

/**
 * Names without case and punctuation. Sources: `OptimizerNames` of transformers/training_args.py, bitsandbytes/optim, torch.optim,
 * deepspeed/runtime/config.py, megatron/training/arguments.py (`--optimizer`), torchtitan/components/optimizer.py,
 * maxtext/configs/base.yml (`opt_type`), llmfoundry/optim, gpt-neox (`optimizer.type`).
 */
const names: Readonly<Record<string, OptimizerId>> = {
  adam: 'adam',
  adamw: 'adam',
  nadam: 'adam',
  radam: 'adam',
  adamax: 'adam',
  adamwhf: 'adam',
  adamwtorch: 'adam',
  adamwtorchfused: 'adam',
  adamwtorchxla: 'adam',
  adamwtorchnpufused: 'adam',
  adamwapexfused: 'adam',
  fusedadam: 'adam',
  fusedadamw: 'adam',
  cpuadam: 'adam',
  deepspeedcpuadam: 'adam',
  megatronfusedadam: 'adam',
  distributedfusedadam: 'adam',
  mcoredistributedoptim: 'adam',
  onebitadam: 'adam',
  zerooneadam: 'adam',
  decoupledadamw: 'adam',
  adampax: 'adam',
  lamb: 'adam',
  fusedlamb: 'adam',
  onebitlamb: 'adam',
  stableadamw: 'adam',
  optimistableadamw: 'adam',
  adalr: 'adam',
  adalrlion: 'lion',
  decoupledadalrlion: 'lion',
  ademamix: 'unknown',
  adamwanyprecision: 'adam',
  anyprecisionadamw: 'adam',
  skipstepadamw: 'adam',
  pagedadamw: 'adam',
  pagedadamw32bit: 'adam',
  adamwbnb: 'adam',
  adamwbnb8bit: 'adam-8bit',
  adamw8bit: 'adam-8bit',
  adam8bit: 'adam-8bit',
  pagedadamw8bit: 'adam-8bit',
  pagedadam8bit: 'adam-8bit',
  adamwtorch8bit: 'adam-8bit',
  adamwtorch4bit: 'adam-4bit',
  adamw4bit: 'adam-4bit',
  adafactor: 'adafactor',
  lion: 'lion',
  lion32bit: 'lion',
  pagedlion32bit: 'lion',
  pagedlion: 'lion',
  lionpytorch: 'lion',
  decoupledlion: 'lion',
  decoupledlionw: 'lion',
  fusedlion: 'lion',
  lion8bit: 'lion-8bit',
  lionw8bit: 'lion-8bit',
  decoupledlionw8bit: 'lion-8bit',
  decoupledlion8b: 'lion-8bit',
  decoupledlionw8b: 'lion-8bit',
  pagedlion8bit: 'lion-8bit',
  sgd: 'sgd',
  decoupledsgdw: 'sgd',
  cpusgd: 'sgd',
  adagrad: 'adagrad',
  cpuadagrad: 'adagrad',
  rmsprop: 'rmsprop',
  rmspropbnb: 'rmsprop',
  rmspropbnb32bit: 'rmsprop',
  muon: 'muon',
  muonclip: 'muon',
  distmuon: 'muon',
  adaptivemuon: 'muon',
  dion: 'muon',
  normuon: 'muon',
  shampoo: 'shampoo',
  distributedshampoo: 'shampoo',
  soap: 'soap',
  galoreadamw: 'galore',
  galoreadamwlayerwise: 'galore',
  galoreadamw8bit: 'galore-8bit',
  galoreadamw8bitlayerwise: 'galore-8bit',
  galore: 'galore',
  apollo: 'apollo',
  schedulefree: 'schedule-free',
  adam4bit: 'adam-4bit',
  sgdmomentum: 'sgd-momentum',
  galore8bit: 'galore-8bit',
  apolloadamw: 'apollo',
  apolloadamwlayerwise: 'apollo',
  lomo: 'lomo',
  adalomo: 'lomo',
  schedulefreeadamw: 'schedule-free',
  schedulefreeradam: 'schedule-free',
  adamwschedulefree: 'schedule-free',
  sgdschedulefree: 'schedule-free',
  schedulefreesgd: 'schedule-free',
};

/** The optimizer of a name as a config writes it, `unknown` for others. A dotted path is the class at its end. */
export function optimizerOf(name: string | undefined): OptimizerId | undefined {
  if (name === undefined || name === '') return undefined;
  const key = keyOf(name);
  return Object.hasOwn(names, key) ? (names[key] ?? 'unknown') : 'unknown';
}

function keyOf(name: string): string {
  const last = name.slice(name.lastIndexOf('.') + 1);
  return last.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Optimizers of bitsandbytes with state in 32 bits whatever the weights are in (bitsandbytes/optim/optimizer.py, init_state). */
const wide: ReadonlySet<string> = new Set([
  ...['pagedadamw', 'pagedadamw32bit', 'pagedlion', 'pagedlion32bit', 'lion32bit', 'rmspropbnb', 'rmspropbnb32bit'],
]);

/** The members of a plan that an optimizer's name gives. `momentum` as the config has it, which decides what SGD keeps. */
export function optimizerPlan(
  name: string | undefined,
  momentum?: number,
): Pick<TrainingPlan, 'optimizer' | 'optimizerName' | 'optimizerDtype' | 'hasMomentum'> {
  const named = optimizerOf(name);
  if (named === undefined || name === undefined) return {};
  const hasMomentum = momentum !== undefined && momentum !== 0;
  const optimizer = named === 'sgd' && hasMomentum ? 'sgd-momentum' : named;
  return {
    optimizer,
    optimizerName: name,
    ...(wide.has(keyOf(name)) ? { optimizerDtype: 'f32' as const } : {}),
    ...(momentum === undefined ? {} : { hasMomentum }),
  };
}
