import { describe, expect, it } from 'vitest';
import type { ConfigNode } from '../../../src/core/configs/document/configNode.js';
import { limits } from '../../../src/core/bytes/limits.js';
import { parseConfig } from '../../../src/core/configs/document/parseConfig.js';
import { parseShellText } from '../../../src/core/configs/document/parseShell.js';
import { estimateText } from '../../builders/estimateText.js';

function plain(node: ConfigNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(plain);
  return Object.fromEntries([...node.members].map(([key, { value }]) => [key, plain(value)]));
}

const trained = { nnodes: 4, a: 1, save: 'out dir' };
const flagsOf = (text: string) => plain(parseShellText(text).root);

describe('scripts in a word of a command', () => {
  it.each([
    ['bash -c', `bash -c 'torchrun --nnodes 4 t.py --a 1 --save "out dir"'`],
    ['bash -lc', `bash -lc "torchrun --nnodes 4 t.py --a 1 --save \\"out dir\\""`],
    ['sh -c', `sh -c "torchrun --nnodes 4 t.py --a 1 --save 'out dir'"`],
    ['options of the shell', `/bin/bash --norc -euo pipefail -c 'torchrun --nnodes 4 t.py --a 1 --save "out dir"'`],
    ['a command before it', `bash -c 'set -e; cd /w && torchrun --nnodes 4 t.py --a 1 --save "out dir" | tee -a log'`],
    ['lines', `bash -c '\n  export X=1\n  # why --b 2\n  torchrun --nnodes 4 t.py \\\n    --a 1 --save "out dir"\n'`],
    ['variables of the outer shell', `N=4\nbash -c "torchrun --nnodes $N t.py --a 1 --save 'out dir'"`],
    ['variables of the inner shell', `export N=4\nbash -c 'torchrun --nnodes $N t.py --a 1 --save "out dir"'`],
    ['escaped variables', `export N=4\nbash -c "torchrun --nnodes \\$N t.py --a 1 --save 'out dir'"`],
    ['variables that it sets', `bash -c 'N=4; torchrun --nnodes $N t.py --a 1 --save "out dir"'`],
    ['a whole text', `CMD="torchrun --nnodes 4 t.py --a 1 --save 'out dir'"\nbash -c "$CMD"`],
    ['an array', `RUN=(bash -c 'torchrun --nnodes 4 t.py --a 1 --save "out dir"')\n"\${RUN[@]}"`],
    ['no quotes', `bash -c torchrun --nnodes 4 t.py --a 1 --save "'out dir'"`],
    ['parameters', `bash -c 'torchrun --nnodes "$1" t.py --a 1 --save "$2"' name 4 "out dir"`],
    ['all parameters', `bash -c 'torchrun --nnodes 4 t.py "$@"' name --a 1 --save "out dir"`],
    ['eval', `CMD="torchrun --nnodes 4 t.py --a 1"\neval "$CMD" --save '"out dir"'`],
    ['ssh', `ssh -p 22 root@10.0.0.1 "cd /w; torchrun --nnodes 4 t.py --a 1 --save 'out dir'"`],
    ['pdsh', `pdsh -f 1024 -w node[1-4] "torchrun --nnodes 4 t.py --a 1 --save 'out dir'"`],
    ['sbatch', `sbatch --wrap="torchrun --nnodes 4 t.py --a 1 --save 'out dir'"`],
    ['sbatch with a word of its own', `sbatch --wrap "torchrun --nnodes 4 t.py --a 1 --save 'out dir'"`],
    ['kubectl', `kubectl exec pod -- bash -c "torchrun --nnodes 4 t.py --a 1 --save 'out dir'"`],
    ['a heredoc of sbatch', `N=4\nsbatch <<EOF\n#!/bin/bash\ntorchrun --nnodes $N t.py --a 1 --save "out dir"\nEOF`],
    ['a heredoc of a shell', `N=4\nsrun bash -s <<'EOF'\ntorchrun --nnodes $N t.py --a 1 --save "out dir"\nEOF\n`],
    ['shells within shells', `ssh host "bash -c 'torchrun --nnodes 4 t.py --a 1 --save \\"out dir\\"'"`],
    ['three of them', `eval "ssh host \\"bash -c 'torchrun --nnodes 4 t.py --a 1 --save \\\\\\"out dir\\\\\\"'\\""`],
  ])('are read with %s', (_, text) => {
    const flags = flagsOf(text) as Record<string, unknown>;
    const { nnodes, a, save } = flags;
    expect({ nnodes, a, save }).toEqual(trained);
    expect(parseShellText(text).problems).toEqual([]);
  });

  it('keep the flags of what starts them apart from values', () => {
    const text = `docker run --gpus all -v /data:/data image bash -lc "torchrun t.py --a 1 --b"`;
    expect(flagsOf(text)).toEqual({ gpus: 'all', v: ['/data:/data', 'image'], a: 1, b: true });
    expect(parseShellText(text).programs).toEqual(['docker', 'run', 'bash', 'torchrun', 't.py']);
  });

  it('are commands of their own, of which the longest that trains counts', () => {
    const text = `srun bash -c 'python convert_to_hf.py --a 1 --b 2 --c 3; python train.py --d 4 --e 5'`;
    expect(flagsOf(text)).toEqual({ d: 4, e: 5 });
  });

  it('set what a job asks for', () => {
    const text = `N=48\nsbatch -J x << EOF\n#SBATCH --nodes=$N --gpus-per-node=8\nsrun torchrun t.py --a 1\nEOF\ncat <<EOF\npython t.py --b 2 --c 3 --d 4\nEOF\n`;
    expect(flagsOf(text)).toEqual({ SBATCH: { nodes: 48, gpus_per_node: 8 }, J: 'x', a: 1 });
  });

  it('keep a backslash between double quotes that keeps nothing from a meaning', () => {
    expect(flagsOf('python t.py --a "x\\y" --b "\\$c" --c "\\"d\\""')).toEqual({ a: 'x\\y', b: '$c', c: '"d"' });
  });

  it('stand where they are written', () => {
    const text = `A=7\nsrun bash -c 'torchrun t.py --first 12 --second "x y" --third $A --fourth "$A/b"'\n`;
    const at = (key: string): (string | undefined)[] => {
      const member = parseShellText(text).root.members.get(key);
      return [member?.keySpan, member?.value.span].map((span) =>
        span === undefined ? undefined : text.slice(span.start, span.end),
      );
    };
    expect(at('first')).toEqual(['--first', '12']);
    expect(at('second')).toEqual(['--second', 'x y']);
    expect(at('third')).toEqual(['--third', '$A']);
    expect(at('fourth')).toEqual(['--fourth', '"$A/b"']);
  });

  it('stand where they are written in a text that a variable has', () => {
    const text = `CMD="torchrun t.py \\\n  --first 12"\nbash -c "$CMD --last 3"\n`;
    const member = parseShellText(text).root.members.get('first');
    expect(text.slice(member?.value.span.start, member?.value.span.end)).toBe('12');
  });

  it.each([
    ['- bash\n            - -c\n            - torchrun t.py --first 12 --last x'],
    ['- bash\n            - -lc\n            - "torchrun t.py --first 12 --last x"'],
    ['- bash\n            - -c\n            - |\n              cd /w\n              torchrun t.py --first 12 --last x'],
  ])('are read in a job of a cluster: %j', async (command) => {
    const text = `apiVersion: batch/v1\nkind: Job\nspec:\n  template:\n    spec:\n      containers:\n        - name: a\n          command:\n            ${command}\n`;
    const { root } = (await parseConfig('job.yaml', text)) ?? { root: null };
    expect(root === null ? null : plain(root)).toEqual({ first: 12, last: 'x' });
  });

  it('name once what neither shell knows', () => {
    const { problems } = parseShellText('bash -c "torchrun t.py --a $HOST --b \\$SLURM_PROCID"');
    expect(problems.map(({ detail }) => detail)).toEqual(['$HOST', '$SLURM_PROCID']);
  });

  it('are read up to a number of characters', () => {
    const blanks = ' '.repeat(50_000);
    const lastOf = (scripts: number): unknown => {
      const before = 'bash -c "$X"\n'.repeat(scripts);
      return flagsOf(`X='${blanks}'\n${before}bash -c 'torchrun t.py --a 1 --b "2 3"'`);
    };
    const most = limits.nestedScripts / blanks.length;
    expect(lastOf(most - 1)).toEqual({ a: 1, b: '2 3' });
    expect(lastOf(most)).toEqual({ a: 1, b: ['"2', '3"'] });
  });

  it.each([
    ['that run themselves', 'X=\'bash -c "$X"; bash -c "$X"\'\nbash -c "$X"'],
    ['that grow', `X='${'bash -c "$X";'.repeat(1000)}'\nbash -c "$X"`],
    ['of blanks', `X='${' '.repeat(90_000)}'\n${'bash -c "$X"\n'.repeat(2000)}`],
    ['that do not end', 'bash -c \'torchrun t.py --a 1 "b'],
    ['that are not there', 'bash -c\nssh\nssh -p\neval\nsbatch --wrap\npdsh -w'],
  ])('are bounded where they are ones %s', (_, text) => {
    expect(parseShellText(text).syntax).toBe('shell');
  });

  it('take a list of layers without quotes for a value', () => {
    expect(flagsOf('sh -c "python t.py --moe-layer-freq ([0]*3+[1]*58) --b 2"')).toEqual({
      moe_layer_freq: '([0]*3+[1]*58)',
      b: 2,
    });
  });
});

it('a run of 48 nodes in quotes has its data parallelism, and no warnings', async () => {
  const flags =
    `--tensor-model-parallel-size $TP --pipeline-model-parallel-size $PP --num-layers 70 --hidden-size 14336 --num-attention-heads 112
    --seq-length 2048 --max-position-embeddings 2048 --micro-batch-size 2 --global-batch-size 2048 --train-iters 1000 --vocab-size 250680 --bf16
    --save "/ckpt/run 1" --save-interval 100`.replaceAll('\n', ' ');
  const text = `#SBATCH --nodes=48\n#SBATCH --gpus-per-node=8\nTP=4\nPP=12\nexport TP PP\nsrun bash -lc '\n  cd /w\n  torchrun --nnodes 48 --nproc_per_node 8 pretrain_gpt.py ${flags}\n'\n`;
  const { report } = await estimateText('run.slurm', text);
  expect(report.training).toMatchObject({ dataParallel: 8, worldSize: 384, tensorParallel: 4, pipelineParallel: 12 });
  expect(report.findings.map(({ code }) => code).filter((code) => code.includes('value'))).toEqual([]);
});
