import { describe, expect, it } from 'vitest';
import { sweepOf, withSweepValue } from '../../../src/cli/bandwidth/sweepFlag.js';

describe('--sweep', () => {
  it.each([
    [
      ['--sweep', '/data'],
      ['--sweep=1,2,4,8,16', '/data'],
    ],
    [
      ['/data', '--sweep'],
      ['/data', '--sweep=1,2,4,8,16'],
    ],
    [
      ['--sweep', '--yes'],
      ['--sweep=1,2,4,8,16', '--yes'],
    ],
    [
      ['--sweep', '1,2', 'data'],
      ['--sweep=1,2', 'data'],
    ],
    [
      ['--sweep', '8', 'data'],
      ['--sweep=8', 'data'],
    ],
    [
      ['--sweep', 'one,two', 'data'],
      ['--sweep=one,two', 'data'],
    ],
    [
      ['--sweep', './2024,runs'],
      ['--sweep=1,2,4,8,16', './2024,runs'],
    ],
    [
      ['--sweep', 'runs'],
      ['--sweep=1,2,4,8,16', 'runs'],
    ],
    [
      ['--sweep=1,4', 'data'],
      ['--sweep=1,4', 'data'],
    ],
    [['data'], ['data']],
  ])('of %j is read as %j', (args, read) => {
    expect(withSweepValue(args)).toEqual(read);
  });

  it('has the numbers of a list', () => {
    expect(sweepOf(' 1, 32')).toEqual([1, 32]);
    for (const text of ['', 'x', '1;2', '1,', '-1', '1.5', '1e3', '99999999'])
      expect(() => sweepOf(text)).toThrow('takes numbers');
  });
});
