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

it('lets the rules of one framework come before those of all', () => {
  const roles = FileRoles.withRules([]).within([[/optimizer\.pt$/, 'log', 'trainerState', 'none']]);
  expect(roles.of('a/optimizer.pt').role).toBe('log');
  expect(roles.of('a/scheduler.pt').role).toBe('scheduler');
});
