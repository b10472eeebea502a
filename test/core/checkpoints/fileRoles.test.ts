import { expect, it } from 'vitest';
import { FileRoles } from '../../../src/core/checkpoints/roles/fileRoles.js';

it('lets the first rule decide where several match a name', () => {
  const roles = FileRoles.withRules([
    [/state\.special$/, 'rng-state', 'rng', 'none'],
    [/.*\.special$/, 'scheduler', 'scheduler', 'none'],
    [/place\/.*\.special$/, 'log', 'trainerState', 'none'],
    [/.*\.SPECIAL$/i, 'table', 'unexplained', 'none'],
  ]);
  const roleOf = (path: string): string => roles.of(path).role;
  expect(roleOf('a/state.special')).toBe('rng-state');
  expect(roleOf('place/other.special')).toBe('scheduler');
  expect(roleOf('place/other.special.special')).toBe('scheduler');
  expect(roleOf('OTHER.Special')).toBe('table');
  expect(roleOf('state.special.gone')).toBe('unrecognised');
});

it('takes records and text for what they are unless their name says log', () => {
  const roles = FileRoles.withRules([]);
  const roleOf = (path: string): string => `${roles.of(path).role} ${roles.of(path).component}`;
  for (const name of ['corpus.jsonl', 'train.jsonl', 'dialogues.jsonl', 'catalog.jsonl', 'corpus.txt', 'wiki.train.txt'])
    expect(roleOf(name), name).toBe('records unexplained');
  for (const name of [
    'trainer_log.jsonl',
    'metrics-3.jsonl',
    'logs.jsonl',
    'log_history.jsonl',
    'trainlog.csv',
    'results.tsv',
    'a.log',
  ])
    expect(roleOf(name), name).toBe('log trainerState');
  expect(roleOf('catalog.csv')).toBe('table unexplained');
  expect(roleOf('requirements.txt')).toBe('configuration config');
});

it('lets the rules of one framework come before those of all', () => {
  const roles = FileRoles.withRules([]).within([[/optimizer\.pt$/, 'log', 'trainerState', 'none']]);
  expect(roles.of('a/optimizer.pt').role).toBe('log');
  expect(roles.of('a/scheduler.pt').role).toBe('scheduler');
});
