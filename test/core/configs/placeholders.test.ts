/** Values that are to be written in place of a name: `<your path>`, `[path]`, `{path}`. */
import { expect, it } from 'vitest';
import { parseShellText } from '../../../src/core/configs/document/parseShell.js';
import { estimateText } from '../../builders/estimateText.js';

const yaml = (rest: string) =>
  `stage: sft\ndo_train: true\ntemplate: qwen3\ndataset: identity\nfinetuning_type: full\nmax_steps: 100\n${rest}\n`;

it.each([
  ['model_name_or_path: Qwen/Qwen3-4B\noutput_dir: [path]', 'output_dir', '[path]', 'is no value that this key takes'],
  ['model_name_or_path: Qwen/Qwen3-4B\noutput_dir: {path}', 'output_dir', '{path}', 'is filled in by another program'],
  ['model_name_or_path: {{ model }}\noutput_dir: out', 'model_name_or_path', '{{…}}', 'is filled in by another program'],
  [
    'model_name_or_path: Qwen/Qwen3-4B\nmax_samples: 1\nsave_steps: [1, 2, 3, 4]',
    'save_steps',
    '[1, 2, 3, …]',
    'is no value that this key takes',
  ],
  [
    'model_name_or_path: Qwen/Qwen3-4B\nsave_steps: {a: [1], b: {}}',
    'save_steps',
    '{a: […], b: {…}}',
    'is no value that this key takes',
  ],
])('%s', async (rest, key, text, why) => {
  const { report } = await estimateText('a.yaml', yaml(rest));
  expect(report.unresolved).toContainEqual({ key, text, why });
  expect(JSON.stringify(report)).not.toMatch(/a (?:list|map) is no value|"a (?:list|map)\\"/);
});

it('a placeholder in a script is a value', async () => {
  const text =
    'llamafactory-cli train --stage sft --do_train --model_name_or_path Qwen/Qwen3-4B --template qwen3 --dataset identity --finetuning_type full --output_dir <your path> --save_steps 100 --max_steps <steps> --logging_dir <root>/logs\n';
  const { report } = await estimateText('a.sh', text);
  expect(report.training.saveIntervalSteps).toBe(100);
  expect(report.unresolved).toEqual([{ key: 'max_steps', text: '<steps>', why: 'is filled in by another program' }]);
});

it.each([
  ['S=<your path>\npython t.py --save $S --b 2'],
  ['S="<your path>"\npython t.py --save $S --b 2'],
  ['ARGS=(--save <your path> --b 2)\npython t.py ${ARGS[@]}'],
  ['ARGS="--save <your path> --b 2"\npython t.py $ARGS'],
])('%j has one value', (text) => {
  const { members } = parseShellText(text).root;
  expect(members.get('save')?.value).toMatchObject({ kind: 'scalar', value: '<your path>' });
  expect(members.get('b')?.value).toMatchObject({ value: 2 });
});

it.each([
  ['python t.py --a 1 < in.txt > out.txt', ['a']],
  ['python t.py --a 1 <in >out --b 2', ['a', 'b']],
  ['python t.py --a 1 <in>out --b 2', ['a', 'b']],
  ['python t.py --a 1 > log 2>&1', ['a']],
])('%s has redirections', (text, keys) => {
  const { members } = parseShellText(text).root;
  expect([...members.keys()]).toEqual(keys);
  expect(members.get('a')?.value).toMatchObject({ kind: 'scalar', value: 1 });
});
