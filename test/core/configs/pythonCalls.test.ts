/** Calls in Python text, no more of them and of their arguments than a file of a person has. */
import { expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { pythonCalls } from '../../../src/core/configs/document/pythonCalls.js';
import { readText } from './readConfigFixture.js';

const callsIn = (text: string) => pythonCalls(text, ['f'], () => undefined);

it('reads so many calls of a function', () => {
  expect(callsIn('f(a=1)\n'.repeat(limits.callsOfFunction + 5))).toHaveLength(limits.callsOfFunction);
});

it('reads so many arguments of a call, and so many characters', () => {
  const many = (count: number) => `f(${Array.from({ length: count }, (_, index) => `a${index}=1`).join(', ')})`;
  expect(callsIn(many(10))[0]?.keywords).toHaveLength(10);
  expect(callsIn(many(limits.callArguments + 50))[0]?.keywords.length).toBeLessThanOrEqual(limits.callArguments);
  const long = callsIn(`f(a=1, ${' '.repeat(limits.callCharacters)} b=2)`)[0];
  expect(long?.keywords.map(({ key }) => key)).not.toContain('b');
});

it('looks at so many nodes of a job', async () => {
  const deep = (count: number) =>
    `apiVersion: batch/v1\nkind: Job\nfill: [${'[], '.repeat(count)}]\nspec:\n  template:\n    spec:\n      containers:\n        - name: a\n          command: [torchrun, train.py, --model_name_or_path, a, --output_dir, out, --per_device_train_batch_size, "1", --max_steps, "10"]\n`;
  expect((await readText('job.yaml', deep(10)))?.id).toBe('training-arguments');
  expect(await readText('job.yaml', deep(limits.jobNodes))).toBeNull();
});
