/** Configs in each syntax: estimated, and shown as the editor does it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { renderEstimateTerminal } from '../../src/core/pages/estimate/estimateTerminal.js';
import { estimateConfig } from '../../src/app/estimates/estimateConfig.js';
import { createEstimateService } from '../../src/platform/estimateService.js';
import { sourcesOf } from '../../test/builders/estimateText.js';
import { configFixtureNames, configFixtures, frameworkConfigs } from '../../test/core/configs/configFixtures.js';
import type { FuzzTarget, Input, InputForm } from '../target.js';

const syntaxes: Readonly<Record<string, { names: RegExp; form: InputForm }>> = {
  json: { names: /\.jsonc?$/, form: 'json' },
  yaml: { names: /\.ya?ml$/, form: 'text' },
  toml: { names: /\.toml$/, form: 'text' },
  shell: { names: /\.(sh|bash|sbatch|slurm)$/, form: 'text' },
  python: { names: /\.py$/, form: 'text' },
};

const dictionary = [
  ...[
    'model_type',
    'hidden_size',
    'num_hidden_layers',
    'vocab_size',
    'num_experts',
    'num_local_experts',
    'quantization_config',
    'architectures',
  ],
  ...[
    'llama',
    'mixtral',
    'gpt2',
    't5',
    'mamba',
    'bert',
    'deepseek_v3',
    'adamw_torch',
    'adafactor',
    'muon',
    'fp8',
    'bf16',
    'text_config',
    'layer_types',
  ],
  ...[
    '--num-layers',
    '--hidden-size',
    '--save-interval',
    '--zero-stage',
    'meta-llama/Meta-Llama-3-8B',
    'config.json',
    'save_total_limit',
    'zero_optimization',
  ],
];

export function configTargets(): FuzzTarget[] {
  return Object.entries(syntaxes).map(([syntax, { names, form }]) => ({
    name: `config-${syntax}`,
    seeds: () => [...fixturesNamed(names), ...(syntax === 'json' ? modelConfigs() : [])],
    formOf: () => form,
    dictionary,
    execute: estimateInput,
  }));
}

function fixturesNamed(names: RegExp): Input[] {
  const files = [...configFixtureNames().map((name) => path.join(configFixtures, name)), ...frameworkConfigs()];
  return files
    .filter((file) => names.test(file))
    .map((file) => ({ [path.basename(file)]: new Uint8Array(readFileSync(file)) }))
    .filter((input) => Object.values(input).every(({ byteLength }) => byteLength <= 64 * 1024));
}

function modelConfigs(): Input[] {
  return ['decoders', 'others'].flatMap((name) =>
    readFileSync(`test/fixtures/model-configs/${name}.jsonl`, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .flatMap((line) => {
        const { modelType, base } = JSON.parse(line) as { modelType?: string; base?: object };
        if (base === undefined) return [];
        return [{ 'config.json': new TextEncoder().encode(JSON.stringify({ ...base, model_type: modelType })) }];
      }),
  );
}

async function estimateInput(input: Input): Promise<void> {
  const [[file, bytes]] = Object.entries(input) as [[string, Uint8Array]];
  const text = new TextDecoder().decode(bytes);
  // A config that names files finds itself there.
  const sources = sourcesOf({ 'config.json': text, 'ds_config.json': text, 'adapter_config.json': text });
  const freeBytes = (): Promise<number | null> => Promise.resolve(text.length % 2 === 0 ? null : 1e9);
  const made = await estimateConfig({ path: file, text }, { sources, freeBytes });
  if (made === null) return;
  const { report } = made;
  checkNumbers(report, 'report');
  renderEstimateTerminal(report, { width: 80, color: false });
  if (text.length % 4 === 0) await showInEditor(file, text, sources);
}

async function showInEditor(file: string, text: string, sources: ReturnType<typeof sourcesOf>): Promise<void> {
  const service = createEstimateService({ sources: () => sources, freeBytes: () => Promise.resolve(null) });
  const signal = new AbortController().signal;
  const key = 'fuzz';
  await service.estimate({ key, path: file, place: { kind: 'virtual' }, text }, signal);
  for (const share of [0.1, 0.5, 0.8])
    await service.card({ key, offset: Math.floor(share * text.length), links: { plan: 'plan', why: 'why' } }, signal);
  await service.page({ key }, signal);
  await service.plan({ key }, signal);
}

/** Without recursion. Every number of a report is one to calculate with; one below 0 is none. */
function checkNumbers(root: unknown, name: string): void {
  const open: [string, unknown][] = [[name, root]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [at, value] = next;
    if (typeof value === 'number' && !(Number.isFinite(value) && (value >= 0 || /learning|Seconds|saved/i.test(at))))
      throw new Error(`${at} is ${value}`);
    if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) open.push([`${at}.${key}`, item]);
  }
}
