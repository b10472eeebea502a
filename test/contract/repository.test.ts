import { describe, expect, it } from 'vitest';
import { hostTestFiles } from '../runner/hostTestFiles.mjs';
import { readText, repositoryFiles } from './projectFiles.js';

const files = repositoryFiles();
const isOurText = (file: string): boolean =>
  /\.(ts|mjs|json|md|css|html|yml|svg|txt)$/.test(file) && !/^(samples|test\/fixtures|bench\/data)\//.test(file);

describe('repository', () => {
  it('runs every test file', () => {
    const hostTests = files
      .filter((file) => /^test\/host\/.*\.test\.ts$/.test(file))
      .map((file) => file.slice('test/host/'.length));
    const run = new Set(
      (['current', 'minimum', 'restricted', 'web', 'installed'] as const).flatMap((variant) => hostTestFiles(hostTests, variant)),
    );
    const known = (file: string): boolean =>
      /^test\/(core|hostile|system|contract|webview)\/.*\.test\.ts$/.test(file) ||
      /^test\/(e2e|webview)\/.*\.spec\.ts$/.test(file) ||
      (file.startsWith('test/host/') && run.has(file.slice('test/host/'.length)));
    const tests = files.filter((file) => /\.(test|spec|e2e)\.\w+$/.test(file));
    expect(tests.filter((file) => !known(file))).toEqual([]);
  });

  it('skips no test and singles none out', () => {
    const pattern = /\b(?:it|test|describe)\.(?:skip|only|todo|fixme)\b|\bx(?:it|describe)\(/;
    const tests = files.filter((file) => /^test\/.*\.ts$/.test(file) && file !== 'test/contract/repository.test.ts');
    expect(tests.filter((file) => pattern.test(readText(file)))).toEqual([]);
  });

  it('names no folder of a machine and no package registry', () => {
    const machine = /(?<![\w.~])\/(?:home|root|Users|work)\/[a-z]|[A-Z]:\\Users\\/;
    const registry = /registry\.(?:npmjs|yarnpkg)|npmjs\.(?:org|com)\/[^"\s]+\.tgz|pypi\.org|files\.pythonhosted/;
    const texts = files.filter((file) => isOurText(file) && file !== 'test/contract/repository.test.ts');
    expect(texts.filter((file) => machine.test(readText(file)))).toEqual([]);
    expect(texts.filter((file) => registry.test(readText(file)))).toEqual([]);
  });

  it('leaves no work for later in the code', () => {
    const code = files.filter(
      (file) => /^(src|webview|scripts|test)\/.*\.(ts|mjs)$/.test(file) && file !== 'test/contract/repository.test.ts',
    );
    expect(code.filter((file) => /\b(?:TODO|FIXME|XXX|HACK)\b/.test(readText(file)))).toEqual([]);
  });

  it('keeps one concept to a file, in camel case', () => {
    const code = files.filter(
      (file) => /^(src|webview|scripts|test|bench)\/.*\.(ts|mjs)$/.test(file) && !file.startsWith('test/fixtures/'),
    );
    const names = code.map((file) => file.slice(file.lastIndexOf('/') + 1));
    expect(names.filter((name) => !/^[a-z][A-Za-z0-9]*(\.[a-z]+)*\.(ts|mjs)$/.test(name))).toEqual([]);
    expect(names.filter((name) => /^(utils?|helpers?|index|common|misc)\.(ts|mjs)$/.test(name))).toEqual([]);
  });
});
