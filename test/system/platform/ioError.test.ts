import os from 'node:os';
import { describe, expect, it } from 'vitest';
import { toCheckError } from '../../../src/platform/bandwidth/checkIoError.js';
import { describeIoError } from '../../../src/platform/ioError.js';

/** As Node tells of an error that libuv has no name for. */
function unnamedError(name: 'ESTALE' | 'EDQUOT'): Error {
  const errno = -os.constants.errno[name];
  const code = `Unknown system error ${errno}`;
  return Object.assign(new Error(`${code}: ${code}, read`), { code, errno });
}

describe('an error of the system', () => {
  it('is described in plain words, without a path', () => {
    const missing = Object.assign(new Error("ENOENT: no such file or directory, open '/a'"), { code: 'ENOENT', errno: -2 });
    expect(describeIoError(missing)).toBe('it does not exist');
    expect(describeIoError(Object.assign(new Error('odd'), { code: 'toString' }))).toBe('odd');
    expect(describeIoError(null)).toBe('null');
  });

  it.runIf(['linux', 'darwin'].includes(process.platform))('is known by its number where libuv has no name for it', () => {
    expect(describeIoError(unnamedError('ESTALE'))).toBe('it was removed or replaced on the file server (stale handle)');
    expect(describeIoError(unnamedError('EDQUOT'))).toBe('the quota is reached');
    expect(toCheckError(unnamedError('ESTALE'), 'a.bin').code).toBe('directory-removed');
    expect(toCheckError(unnamedError('EDQUOT'), 'a.bin').code).toBe('space-ran-out');
  });
});
