/** Pickles that no torch wrote: old protocols, Python 2, joblib. */
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { concat, utf8 } from '../../builders/byteWriter.js';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { memoryTree } from '../../builders/memoryTree.js';
import * as p from '../../builders/pickleBuilder.js';
import { buildTorchZip } from '../../builders/torchZipBuilder.js';
import { inspectHostile } from '../../hostile/accountable.js';

const inspectFile = (name: string, file: Uint8Array) => inspectHostile(memoryTree(name, { [name]: file }));

describe('protocols without a magic', () => {
  it.each([
    ["(dp0\nS'train'\np1\n(lp2\nI1\naI2\nas.", 'protocol 0'],
    ['}q\u0000U\u0001aq\u0001K\u0001s.', 'protocol 1'],
  ])('%j is a pickle of %s', async (text) => {
    const report = await inspectFile(
      'data.pkl',
      Uint8Array.from(text, (character) => character.charCodeAt(0)),
    );
    expect(report.files).toMatchObject([{ format: 'pickle', role: 'pickled object' }]);
    expect(report.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it.each(['I am a text.', '(not closed).', 'No. 5.', '(d.more.'])('%j is none', async (text) => {
    expect((await inspectFile('data.pkl', utf8(text))).findings.map(({ code }) => code)).toContain('file-not-its-format');
  });
});

it('an OrderedDict of Python 2 lists each tensor once', async () => {
  const storages = { '0': new Uint8Array(16), '1': new Uint8Array(16) };
  const tensor = (key: string): Uint8Array => p.torchTensor({ storageType: 'FloatStorage', key, shape: [4] });
  const pairs = p.list(p.list(p.str('a'), tensor('0')), p.list(p.str('b'), tensor('1')));
  const pickle = p.pickle(p.reduce(p.global('collections', 'OrderedDict'), p.tuple(pairs)));
  const { report } = await inspectCheckpoint(memoryTree('m.pth', { 'm.pth': buildTorchZip({ pickle, storages }) }), {
    path: 'm.pth',
  });
  expect(report.tensorCount).toBe(2);
});

describe('joblib', () => {
  /** joblib.dump({'a': arange(3, dtype='f4'), 'o': array(['x', None], dtype=object), 'n': 5}), joblib 1.6.0. */
  const file = Buffer.from(
    'gASV2AAAAAAAAAB9lCiMAWGUjBNqb2JsaWIubnVtcHlfcGlja2xllIwRTnVtcHlBcnJheVdyYXBwZXKUk5QpgZR9lCiMCHN1YmNsYXNzlIwFbnVtcHmUjAduZGFycmF5lJOUjAVzaGFwZZRLA4WUjAVvcmRlcpSMAUOUjAVkdHlwZZRoCIwFZHR5cGWUk5SMAmY0lImIh5RSlChLA4wBPJROTk5K/////0r/////SwB0lGKMCmFsbG93X21tYXCUiIwbbnVtcHlfYXJyYXlfYWxpZ25tZW50X2J5dGVzlEsQdWIM////////////////AAAAAAAAgD8AAABAlUsAAAAAAAAAjAFvlGgEKYGUfZQoaAdoCmgLSwKFlGgNaA5oD2gRjAJPOJSJiIeUUpQoSwOMAXyUTk5OSv////9K/////0s/dJRiaBeJaBhLEHVigAWVjwAAAAAAAACMFm51bXB5Ll9jb3JlLm11bHRpYXJyYXmUjAxfcmVjb25zdHJ1Y3SUk5SMBW51bXB5lIwHbmRhcnJheZSTlEsAhZRDAWKUh5RSlChLAUsChZRoA4wFZHR5cGWUk5SMAk84lImIh5RSlChLA4wBfJROTk5K/////0r/////Sz90lGKJXZQojAF4lE5ldJRiLpUIAAAAAAAAAIwBbpRLBXUu',
    'base64',
  );

  it('writes arrays into its pickle', async () => {
    const report = await inspectFile('model.pkl', new Uint8Array(file));
    expect(report.findings).toEqual([]);
    expect(report.objects[0]?.root.children?.map(({ key }) => key)).toEqual(['a', 'o', 'n']);
    expect(report.components.unexplained).toBeUndefined();
  });

  it('may be compressed, and is read all the same', async () => {
    const report = await inspectFile('model.pkl', new Uint8Array(deflateSync(file)));
    expect(report.findings).toEqual([]);
    expect(report.objects[0]?.root.children?.map(({ key }) => key)).toEqual(['a', 'o', 'n']);
    expect(report.pickleImports.map(({ name }) => name)).toContain('numpy.ndarray');
    expect(report.resume.verdict).toBe('none');
  });

  it('and a cut within an array is damage', async () => {
    const cut = new Uint8Array(file).subarray(0, file.byteLength - 200);
    expect((await inspectFile('model.pkl', cut)).findings.map(({ code }) => code)).toContain('pickle-corrupt');
  });
});

it('bytes behind a pickle are unexplained', async () => {
  const report = await inspectFile('data.pkl', concat(p.pickle(p.int(1)), new Uint8Array(30).fill(7)));
  expect(report.components.unexplained?.otherBytes).toBe(30);
});
