import { describe, expect, it } from 'vitest';
import type { ConfigNode } from '../../../src/core/configs/document/configNode.js';
import { parseShellText } from '../../../src/core/configs/document/parseShell.js';
import { shellArithmetic } from '../../../src/core/configs/document/shellArithmetic.js';

function plain(node: ConfigNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(plain);
  return Object.fromEntries([...node.members].map(([key, { value }]) => [key, plain(value)]));
}

const flagsOf = (text: string) => plain(parseShellText(text).root);

/** What a span covers in the text. */
function written(text: string, key: string): string[] {
  const member = parseShellText(text).root.members.get(key);
  if (member === undefined) return [];
  return [text.slice(member.keySpan.start, member.keySpan.end), text.slice(member.value.span.start, member.value.span.end)];
}

describe('launch scripts', () => {
  it.each<[string, string, unknown]>([
    [
      'values of all kinds',
      'python t.py --a-b 1 --c=2.5e-3 --d --e x y 3 --f -1 --g "a b" --h None',
      { a_b: 1, c: 0.0025, d: true, e: ['x', 'y', 3], f: -1, g: 'a b', h: null },
    ],
    [
      'continued lines and comments',
      'torchrun --nnodes 2 \\\n  t.py `# why` --a 1 \\\n  --b 2 # --c 3\n',
      { nnodes: 2, a: 1, b: 2 },
    ],
    ['arrays', 'A=(\n  --a 1 # one\n  --b "2 3"\n)\nB=( "${A[@]}" --c )\npython t.py ${B[@]}', { a: 1, b: '2 3', c: true }],
    ['texts as flags', 'A="--a 1 \\\n --b 2"\nA="$A --c 3"\npython t.py $A', { a: 1, b: 2, c: 3 }],
    ['texts that grow', 'A="--a 1"\nA+=" --b 2"\nB=(--c 3)\nB+=(--d 4)\npython t.py $A ${B[@]}', { a: 1, b: 2, c: 3, d: 4 }],
    [
      'defaults',
      'export N=${N:-8}\nM=${1:-5}\npython t.py --n $N --m ${M} --o ${O:=7} --p ${Q-${N}}',
      { n: 8, m: 5, o: 7, p: 8 },
    ],
    [
      'arithmetic',
      'A=4\nB=$((A * 2))\npython t.py --b $B --c $(($A*$B/3 + 2**3 % 5)) --d $(( (1+2) * -3 ))',
      { b: 8, c: 13, d: -9 },
    ],
    ['joined words', 'D=out\nR=run\npython t.py --save $D/${R}_1 --x="$D"/y', { save: 'out/run_1', x: 'out/y' }],
    [
      'what only the environment knows',
      'python t.py --a $HOME --b ${X} --c $(nproc) --d $1',
      { a: '$HOME', b: '${X}', c: '$(nproc)', d: '$1' },
    ],
    [
      'overrides',
      'python3 -m verl.trainer.main_ppo trainer.save_freq=20 +a.b.c=x ++d=null e.f=1e-3',
      { trainer: { save_freq: 20 }, a: { b: { c: 'x' } }, d: null, e: { f: 0.001 } },
    ],
    [
      'dotted flags',
      'torchrun train.py --training.seq_len 4096 --training.steps=10 --model.flavor 8B',
      { training: { seq_len: 4096, steps: 10 }, model: { flavor: '8B' } },
    ],
    [
      'the command with the most flags',
      'python prepare.py --x 1\nif true; then\n  torchrun t.py --a 1 --b 2 && echo done --c 3\nfi | tee log',
      { a: 1, b: 2 },
    ],
    [
      'redirections and heredocs',
      'cat <<EOT > ds.json\npython no.py --z 1 --y 2 --x 3\nEOT\npython t.py --a 1 > out.log 2>&1 &\n',
      { a: 1 },
    ],
    [
      'commands in quotes',
      'srun --label bash -c "torchrun --nproc_per_node 4 t.py --a 1"',
      { label: true, nproc_per_node: 4, a: 1 },
    ],
    ['commands in variables', 'C="torchrun --nproc_per_node 8 t.py --a 1"\necho $C\neval $C', { nproc_per_node: 8, a: 1 }],
    [
      'files that are sourced',
      '# sizes\nMODEL_ARGS="--num-layers 2 --hidden-size 8"\nOTHER=( --swiglu )\n',
      { num_layers: 2, hidden_size: 8, swiglu: true },
    ],
    [
      'options of Slurm',
      '#!/bin/bash\n#SBATCH --nodes=16 --gpus-per-node=8\nsrun python t.py --n $SLURM_NNODES --g ${SLURM_GPUS_PER_NODE}',
      { SBATCH: { nodes: 16, gpus_per_node: 8 }, n: 16, g: 8 },
    ],
    [
      'programs behind flags without values',
      'torchrun --standalone train.py config/x.py --batch_size=32',
      { standalone: true, batch_size: 32 },
    ],
    [
      'files as values',
      'accelerate launch --config_file fsdp.yaml --main_process_port 1 train.py --config a.py',
      { config_file: 'fsdp.yaml', main_process_port: 1, config: 'a.py' },
    ],
    ['loops and functions', 'for i in 1 2; do python t.py --a $i --b 1; done\nf() { echo; }', { a: '$i', b: 1 }],
    ['arguments of the script', 'python t.py --a 1 "$@" --b $* 2', { a: 1, b: 2 }],
    ['nothing to launch', 'npm run build --mode x\nls --all\n', {}],
  ])('%s', (_name, text, expected) => {
    expect(flagsOf(text)).toEqual(expected);
  });

  it('keeps the places of keys and values', () => {
    const text = 'A=(\n  --num-layers 32\n)\nN=8\npython t.py ${A[@]} --nodes $N --save-interval=500 --bf16';
    expect(written(text, 'num_layers')).toEqual(['--num-layers', '32']);
    expect(written(text, 'nodes')).toEqual(['--nodes', '$N']);
    expect(written(text, 'save_interval')).toEqual(['--save-interval', '500']);
    expect(written(text, 'bf16')).toEqual(['--bf16', '--bf16']);
    const inText = 'A="--num-layers 32 \\\n --lr 1"\npython t.py $A';
    expect(written(inText, 'num_layers')).toEqual(['--num-layers', '32']);
    expect(written(inText, 'lr')).toEqual(['--lr', '1']);
  });

  it('names what is run', () => {
    expect(parseShellText('srun python -u -m torch.distributed.run --nnodes 2 pretrain_gpt.py --a 1').programs).toEqual([
      'srun',
      'python',
      'torch.distributed.run',
      'pretrain_gpt.py',
    ]);
  });

  it('says what only the environment knows', () => {
    expect(parseShellText('python t.py --a $HOME/x --b 1').problems).toEqual([
      { code: 'unresolved', span: { start: 16, end: 21 }, path: [], detail: '$HOME' },
    ]);
  });
});

describe('arithmetic of shells', () => {
  it.each([
    ['1 + 2 * 3', 7],
    ['2 ** 3 ** 2', 512],
    ['-7 / 2', -3],
    ['7 % 4', 3],
    ['N * 2', 10],
    ['$N * ${N}', 25],
    ['1 / 0', null],
    ['2 ** 100', null],
    ['X', null],
    ['1 +', null],
    ['(1', null],
    ['1.5', null],
    ['', null],
  ])('%s', (text, expected) => {
    expect(shellArithmetic(text, (name) => (name === 'N' ? '5' : undefined))).toBe(expected);
  });
});
