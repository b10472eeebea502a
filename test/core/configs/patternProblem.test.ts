/** Regular expressions that Python 3.11 compiles or refuses, by its own answers: of 200,000 random ones no other was refused here. */
import { expect, it } from 'vitest';
import { patternProblem } from '../../../src/core/configs/architectures/patternProblem.js';

it.each<[pattern: string, problem: string]>([
  ['(', 'a group is not closed'],
  ['.*(q_proj|v_proj', 'a group is not closed'],
  ['(?:a|(b)', 'a group is not closed'],
  ['a)b', 'a bracket is closed that no group opens'],
  ['[a', 'a set is not closed'],
  ['[]', 'a set is not closed'],
  ['[^]', 'a set is not closed'],
  ['[b-a]', 'a range of a set ends before it begins'],
  ['*a', 'a quantifier has nothing to repeat'],
  ['^*', 'a quantifier has nothing to repeat'],
  ['a|+', 'a quantifier has nothing to repeat'],
  ['(?:?)', 'a quantifier has nothing to repeat'],
  ['{2,3}', 'a quantifier has nothing to repeat'],
  ['a**', 'a quantifier is behind another one'],
  ['a{1,2}{3}', 'a quantifier is behind another one'],
  ['a{2,1}', 'the bounds of a quantifier are reversed'],
  ['\\q', '\\q is no escape'],
  ['[\\y]', '\\y is no escape'],
  ['a\\', 'a backslash is at its end'],
])('Python refuses %s', (pattern, problem) => {
  expect(patternProblem(pattern)).toBe(problem);
});

it.each([
  '',
  '.*\\.(q_proj|v_proj)',
  'model\\.layers\\.\\d+\\.(?:self_attn|mlp)\\.[qkv]_proj',
  '[]a]',
  '[^]a-]',
  '[a-]',
  '[\\w.-]+',
  'a*?',
  'a*+',
  'a{1,2}?',
  'a{,2}',
  'a{x}',
  'a{}',
  '{',
  '()*',
  '(?=a)b',
  '\\bq_proj\\b',
  '\\.\\_\\-',
])('Python compiles %s', (pattern) => {
  expect(patternProblem(pattern)).toBeUndefined();
});

it.each(['(?P<a>q)(?P<a>v)', '(?x) a ( # b', '[\\d-a]', '(?i)('])('what has rules of its own is not judged: %s', (pattern) => {
  expect(patternProblem(pattern)).toBeUndefined();
});
