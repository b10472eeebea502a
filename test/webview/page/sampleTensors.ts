import type { ComponentId, TensorPart } from '../../../src/core/tensors/component.js';
import type { TensorRow } from '../../../src/core/tensors/tensorQuery.js';

const modules: [name: string, shape: number[]][] = [
  ['self_attn.q_proj.weight', [4096, 4096]],
  ['self_attn.k_proj.weight', [1024, 4096]],
  ['self_attn.v_proj.weight', [1024, 4096]],
  ['self_attn.o_proj.weight', [4096, 4096]],
  ['mlp.gate_proj.weight', [14336, 4096]],
  ['mlp.up_proj.weight', [14336, 4096]],
  ['mlp.down_proj.weight', [4096, 14336]],
  ['input_layernorm.weight', [4096]],
  ['post_attention_layernorm.weight', [4096]],
];

interface SampleTensor {
  name: string;
  shape: number[];
  layer: string;
  kind: [ComponentId, TensorPart, string];
  file: string;
}

function rowOf(row: number, { name, shape, layer, kind, file }: SampleTensor): TensorRow {
  const [component, part, dtype] = kind;
  const elements = shape.reduce((product, size) => product * size, 1);
  const bytes = elements * (dtype === 'bf16' ? 2 : 4);
  return { row, name, dtype, shape: shape.join(' × '), elements, bytes, component, part, file, files: 1, layer };
}

/** The 1,164 tensors of the sample checkpoint. */
export function sampleTensors(): TensorRow[] {
  const names: [string, number[], string][] = [
    ['model.embed_tokens.weight', [128256, 4096], ''],
    ...Array.from({ length: 32 }, (_, layer) =>
      modules.map(([name, shape]): [string, number[], string] => [`model.layers.${layer}.${name}`, shape, `layers.${layer}`]),
    ).flat(),
    ['model.norm.weight', [4096], ''],
    ['lm_head.weight', [128256, 4096], ''],
  ];
  const kinds: [prefix: string, kind: [ComponentId, TensorPart, string]][] = [
    ['', ['weights', 'whole', 'bf16']],
    ['master.', ['masterWeights', 'whole', 'f32']],
    ['exp_avg.', ['optimizer', 'firstMoment', 'f32']],
    ['exp_avg_sq.', ['optimizer', 'secondMoment', 'f32']],
  ];
  return kinds
    .flatMap(([prefix, kind]) =>
      names.map(([name, shape, layer], index) => {
        const file =
          prefix === '' ? `model-0000${1 + Math.floor((index * 4) / names.length)}-of-00004.safetensors` : 'optimizer.pt';
        return { name: prefix + name, shape, layer, kind, file };
      }),
    )
    .map((tensor, row) => rowOf(row, tensor));
}

/** Any number of tensors whose content tells their row: `experts.000042.weight` has row 42. */
export function manyTensors(count: number): TensorRow[] {
  return Array.from({ length: count }, (_, row) => {
    const name = `model.layers.${row % 96}.experts.${String(row).padStart(6, '0')}.weight`;
    return rowOf(row, {
      name,
      shape: [1 + (row % 4096), 64],
      layer: `layers.${row % 96}`,
      kind: ['weights', 'whole', 'bf16'],
      file: `shard-${Math.floor(row / 2000)}.distcp`,
    });
  });
}

/** Tensors with the given texts as names, dtypes, shapes, files and layers. */
export function tensorsNamed(texts: readonly string[]): TensorRow[] {
  const text = (index: number): string => texts[index % texts.length] ?? '';
  return texts.map((name, row) => {
    const kind: SampleTensor['kind'] = ['weights', 'whole', text(row + 2)];
    const tensor = { name, shape: [2], layer: text(row + 1), kind, file: text(row + 3) };
    return { ...rowOf(row, tensor), shape: text(row + 4) };
  });
}
