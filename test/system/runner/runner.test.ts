import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findFiles } from '../../runner/findFiles.mjs';
import { hostTestFiles } from '../../runner/hostTestFiles.mjs';
import { workbenchPayload } from '../../runner/payload.mjs';
import { leftOut, summarize } from '../../runner/results.mjs';

describe('payload of the window', () => {
  it('is a list of pairs that name the extension and its tests on the server', () => {
    const payload = workbenchPayload({ authority: '127.0.0.1:1', extension: '/e', tests: '/t.js', web: true });
    expect(JSON.parse(payload)).toEqual([
      ['skipWelcome', 'true'],
      ['skipReleaseNotes', 'true'],
      ['extensionDevelopmentPath', 'vscode-remote://127.0.0.1:1/e'],
      ['extensionTestsPath', 'vscode-remote://127.0.0.1:1/t.js'],
      ['extensionDevelopmentKind', 'web'],
    ]);
  });
});

describe('tests of a host', () => {
  const files = findFiles(path.join(import.meta.dirname, '..', '..', 'host'), '.test.ts');

  it('run in host-current, unless they are listed for other windows', () => {
    expect(hostTestFiles([...files, 'new.test.ts'], 'current')).toContain('new.test.ts');
    expect(hostTestFiles([...files, 'new.test.ts'], 'web')).not.toContain('new.test.ts');
    expect(hostTestFiles(files, 'current')).not.toContain('installed.test.ts');
    for (const variant of ['current', 'minimum', 'restricted', 'web', 'installed'] as const)
      expect(hostTestFiles(files, variant)).toContain('smoke.test.ts');
  });

  it('are there if they are listed', () => {
    expect(() => hostTestFiles(['smoke.test.ts'], 'current')).toThrow('restricted.test.ts');
  });
});

describe('closing line', () => {
  const suite = { name: 'x', passed: 2, failures: [] };

  it('adds all suites up', () => {
    expect(summarize([suite, suite])).toEqual({ line: '4 passed, 0 failed', isSuccess: true });
    expect(summarize([suite, { ...suite, failures: [{ name: 'a', error: 'b' }] }]).isSuccess).toBe(false);
  });

  it('comes after what was not tested on this machine', () => {
    const notes = ['Seed 7.', '*** NOT TESTED: the job for fio: install fio ***'];
    expect(leftOut([suite, { ...suite, notes }])).toEqual(['x: *** NOT TESTED: the job for fio: install fio ***']);
  });

  it('counts a suite that ran nothing as a failure', () => {
    expect(summarize([suite, { name: 'y', passed: 0, failures: [] }])).toEqual({ line: '2 passed, 1 failed', isSuccess: false });
    expect(summarize([])).toMatchObject({ isSuccess: false });
  });
});
