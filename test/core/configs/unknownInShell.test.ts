/** What a script does not determine: it stays one value, and the report says which one it is and why. */
import { describe, expect, it } from 'vitest';
import { parseShellText } from '../../../src/core/configs/document/parseShell.js';
import { estimateText } from '../../builders/estimateText.js';

describe('what a command prints', () => {
  it.each([
    ['in place', 'python t.py --a $(cat heads | head -1) --b 2'],
    ['between backticks', 'python t.py --a `cat heads -n 1` --b 2'],
    ['in a variable', 'A=$(ds_ssh nvidia-smi --query-gpu=name --format=csv | wc -l)\npython t.py --a $A --b 2'],
    ['in a variable of a variable', 'A=$(cat x y)\nB=${A}\npython t.py --a $B --b 2'],
    ['within a sum', 'N=$(($(ds_ssh nvidia-smi --query | wc -l)-2))\npython t.py --a $N --b 2'],
    ['in a sum', 'python t.py --a $((4 * HIDDEN - 1)) --b 2'],
    ['in a sum in a variable', 'A=$(( $B / $C - 1 ))\npython t.py --a ${A} --b 2'],
    ['in an array', 'ARGS=(--a $(get it) --b 2)\npython t.py ${ARGS[@]}'],
    ['in flags of a variable', 'A=$(get it)\nARGS="--a $A --b 2"\npython t.py $ARGS'],
    ['in a default', 'python t.py --a ${A:-$(get it)} --b 2'],
    ['in a sourced file', 'python t.py --a $A --b 2', 'A=$(get it)\n'],
  ])('is one value %s', (_, text, sourced?: string) => {
    const whole = sourced === undefined ? text : `source other.sh\n${text}`;
    const { members } = parseShellText(whole, new Map(sourced === undefined ? [] : [['other.sh', sourced]])).root;
    const value = members.get('a')?.value;
    expect(value?.kind === 'scalar' ? value.value : null).toMatch(/^[$`].*[)`]$/);
    expect(members.get('b')?.value).toMatchObject({ kind: 'scalar', value: 2 });
    expect([...members.keys()]).toEqual(['a', 'b']);
  });

  it('may come of the command that launches the run', () => {
    const text =
      'ARGS=(--a 1)\nID=$(uv run python mason.py --gpus 8 -- \\\n  accelerate launch train.py "${ARGS[@]}" --b 2)\necho $ID\n';
    const { root, programs } = parseShellText(text);
    expect(programs).toContain('train.py');
    expect([...root.members.keys()]).toEqual(['gpus', 'a', 'b']);
    // What only finds something out has no flags of a run.
    expect(parseShellText('P=$(python port.py)\npython train.py --a 1\n').programs).toEqual(['python', 'train.py']);
  });

  it('may be options, which are no second value of the flag before', () => {
    const { members } = parseShellText('python t.py --a 1 $(more options) --b 2').root;
    expect(members.get('a')?.value).toMatchObject({ kind: 'scalar', value: 1 });
  });
});

describe('a model whose sizes a script does not determine', () => {
  const run = (sizes: string, before = '') =>
    `${before}\ntorchrun --nproc_per_node 8 pretrain_gpt.py ${sizes} --seq-length 4096 --micro-batch-size 1 --global-batch-size 8 --train-iters 1000 --save ckpt --save-interval 100 --vocab-size 32000\n`;

  it('is not counted, and the flags are named', async () => {
    const sizes = '--num-layers $(get_layers 7b) --hidden-size $((128 * N_HEADS)) --num-attention-heads $(cat heads | head -1)';
    const { report } = await estimateText('run.sh', run(sizes));
    expect(report.missingModel?.text).toBe(
      'No model is counted: the file does not determine hidden_size, num_layers and num_attention_heads',
    );
    const why = new Map(report.unresolved.map((one) => [one.key, one.why]));
    expect(why.get('num_layers')).toBe('is what a command prints, and no command is run');
    expect(why.get('num_attention_heads')).toBe('is what a command prints, and no command is run');
    expect(why.get('hidden_size')).toBe('is computed from N_HEADS, which is not known here');
    expect(report.findings).toEqual([]);
  });

  it('has variables that are named', async () => {
    const { report } = await estimateText(
      'run.sh',
      run(
        '--num-layers 32 --hidden-size 4096 --num-attention-heads 32',
        'NODES=$(ds_ssh hostname | wc -l)\nWORLD=$((8 * NODES))\n',
      ),
    );
    expect(report.model).not.toBeNull();
    expect(report.unresolved).toEqual([
      { key: 'line 1', text: 'NODES=$(ds_ssh hostname | wc -l)', why: 'is what a command prints, and no command is run' },
      { key: 'line 2', text: 'WORLD=$((8 * NODES))', why: 'is computed from NODES, which is not known here' },
    ]);
  });

  it('that a command names is said to be that', async () => {
    const text =
      'MODEL=$(cat model.txt | head -1)\npython train.py --model_name_or_path $MODEL --output_dir out --per_device_train_batch_size 1 --max_steps 10\n';
    const { report } = await estimateText('run.sh', text);
    expect(report.missingModel?.text).toBe(
      '$(cat model.txt | head -1) is not counted: it is what a command prints, and no command is run',
    );
    expect(report.unresolved.map((one) => one.text)).toContain('MODEL=$(cat model.txt | head -1)');
  });
});
