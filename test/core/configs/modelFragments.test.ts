/** Scripts that hold a model's arguments and are sourced by those that train (slime, scripts/models/*.sh at 624b824). */
import { expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { parseShellText } from '../../../src/core/configs/document/parseShell.js';
import { estimateText } from '../../builders/estimateText.js';

const sizes = `MODEL_ARGS=(
  --num-layers 27
  --hidden-size 2048
  --ffn-hidden-size 11264
  --num-attention-heads 16
  --kv-channels 128
  --normalization RMSNorm
  --position-embedding-type rope
  --disable-bias-linear
  --swiglu
  --untie-embeddings-and-output-weights
  --vocab-size 163840
  --multi-latent-attention
  --kv-lora-rank 512
  --qk-head-dim 128
  --qk-pos-emb-head-dim 64
  --v-head-dim 128
  --qk-layernorm
  --num-experts 64
  --moe-layer-freq "$MOE_LAYER_FREQ"
  --moe-ffn-hidden-size 1408
  --moe-router-topk 6
  --moe-shared-expert-intermediate-size 2816
  --moe-router-enable-expert-bias
)
`;

const loop = (layers: string, dense: string) => `NLAYERS=27
FIRST_K_DENSE_REPLACE=1

arr=()
for ((i=0; i<${layers}; i++)); do
  if (( i < ${dense} )); then
    arr+=(0)
  else
    arr+=(1)
  fi
done

printf -v MOE_LAYER_FREQ "[%s]" "$(IFS=', '; echo "\${arr[*]}")"

`;

it('holds the model alone', async () => {
  const { report } = await estimateText('moonlight.sh', loop('NLAYERS', 'FIRST_K_DENSE_REPLACE') + sizes);
  // Moonlight-16B-A3B.
  expect(report.parameters?.unique).toBe(15_960_110_208);
  const about = report.assumptions.map(({ text }) => text).join('\n');
  expect(about).toContain('sets the model alone');
  expect(about).not.toContain('saving is turned off');
  expect(report.checkpoint.bytesPerParameter).toBe(14);
  expect(report.run.saves).toBeNull();
  expect(report.unresolved).toEqual([]);
});

it('is a training where it trains', async () => {
  const text = `${loop('NLAYERS', 'FIRST_K_DENSE_REPLACE')}${sizes.replace(')\n', '  --train-iters 10\n  --bf16\n)\n')}`;
  const { report } = await estimateText('args.sh', text);
  expect(report.assumptions.map(({ text: words }) => words)).toContain('saving is turned off');
});

const frequencyOf = (text: string) => {
  const node = parseShellText(`${text}python t.py --f "$MOE_LAYER_FREQ"`).root.members.get('f')?.value;
  return node?.kind === 'scalar' ? node.value : node;
};

it.each([
  ['numbers', loop('4', '2'), '[0,0,1,1]'],
  ['as many rounds as are followed', loop(String(limits.configLoop), '1'), `[0${',1'.repeat(limits.configLoop - 1)}]`],
  ['names', loop('$NLAYERS', '$FIRST_K_DENSE_REPLACE'), `[0${',1'.repeat(26)}]`],
])('a loop of %s lists layers', (_, text, expected) => {
  expect(frequencyOf(text)).toBe(expected);
});

it.each([
  ['too many rounds', loop(String(limits.configLoop + 1), '2')],
  ['a name that is not known', loop('LAYERS', '2')],
  ['another step', loop('4', '2').replace('i++', 'i+=2')],
])('a loop of %s is not followed', (_, text) => {
  expect(frequencyOf(text)).not.toMatch(/^\[[01](,[01])+\]$/);
});
