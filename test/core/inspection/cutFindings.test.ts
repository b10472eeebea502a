/** Limits of readers leave out the mildest: what a gate looks for is in the report, whatever stands before it. */
import { describe, expect, it } from 'vitest';
import { failsOn } from '../../../src/app/inspection/failOn.js';
import { limits } from '../../../src/core/bytes/limits.js';
import { codeOfKerasConfig } from '../../../src/core/formats/keras/kerasCode.js';
import { describeFindings } from '../../../src/core/findings/describeFindings.js';
import { inspect } from '../../../src/core/inspection/inspect.js';
import type { Report } from '../../../src/core/inspection/report.js';
import { concat, utf8 } from '../../builders/byteWriter.js';
import { memoryTree, type MemoryFile } from '../../builders/memoryTree.js';
import { dict, global, pickle, reduce, str, tuple } from '../../builders/pickleBuilder.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { buildZip } from '../../builders/torchZipBuilder.js';

const weights = buildSafetensors({ tensors: { w: { dtype: 'F32', shape: [4, 2] } } });
const json = (value: unknown): Uint8Array => utf8(JSON.stringify(value));

async function reportOf(files: Readonly<Record<string, MemoryFile>>): Promise<Report> {
  const { report } = await inspect(memoryTree('m', files), { path: 'm' });
  return report;
}

const withCode = async (config: unknown, name = 'config.json'): Promise<Report> =>
  reportOf({ 'model.safetensors': weights, [name]: json(config) });

const countOf = (report: Report, code: string): number =>
  report.findings.reduce((sum, finding) => (finding.code === code ? sum + (finding.more ?? 1) : sum), 0);

describe('code that a config names', () => {
  const own = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`AutoModel${at}`, `modeling_${at}.Model`]));

  it('of another repository is found behind any number of others', async () => {
    const report = await withCode({ auto_map: { ...own, AutoTokenizer: 'someone/code--tokenization.Tokenizer' } });
    expect(failsOn(report, { codes: ['code-elsewhere'] })).toBe(true);
    expect(countOf(report, 'code-needed')).toBe(300);
  });

  it('is found behind any number of modules', async () => {
    const plain = { type: 'sentence_transformers.models.Pooling' };
    const report = await withCode(
      [...Array.from({ length: 300 }, () => plain), { type: 'custom_st.Transformer' }],
      'modules.json',
    );
    expect(countOf(report, 'code-needed')).toBe(1);
  });

  it('is found behind any number of templates', async () => {
    const template = Array.from({ length: 300 }, (_, at) => ({ name: `t${at}`, template: '{{ messages }}' }));
    const last = { name: 'last', template: '{{ messages.__class__.__mro__ }}' };
    const report = await withCode({ chat_template: [...template, last] }, 'tokenizer_config.json');
    expect(failsOn(report, { codes: ['template-reaches-internals'] })).toBe(true);
  });

  it('in more entries than are looked at is said not to be checked', async () => {
    const many = Array.from({ length: limits.codeEntries + 1 }, () => 'm.M');
    expect(failsOn(await withCode({ auto_map: many }), { codes: ['code-not-checked'] })).toBe(true);
  });
});

it('names outside of Keras are errors behind any number of lambdas', () => {
  const lambda = { class_name: '__lambda__', config: { code: '4wEA' } };
  const call = { module: 'os', class_name: 'function', config: 'system', registered_name: 'function' };
  const found = codeOfKerasConfig(
    [...Array.from({ length: limits.pickleScanKept + 1 }, () => lambda), call],
    'config.json',
    'keras',
  );
  const described = describeFindings(found);
  expect(described[0]?.code).toBe('keras-import-unexpected');
  const lambdas = described.filter(({ code }) => code === 'keras-lambda-guarded');
  expect(lambdas.reduce((sum, { more = 1 }) => sum + more, 0)).toBe(limits.pickleScanKept + 1);
});

describe('imports', () => {
  const flood = (count: number, prefix: string): Uint8Array =>
    concat(...Array.from({ length: count }, (_, at) => concat(global(prefix, `Class${at}`), utf8('0'))));
  const unexpected = concat(global('socket', 'socket'), utf8('0'));

  it('that are unexpected are listed behind any number of others', async () => {
    const report = await reportOf({ 'a.pkl': pickle(concat(flood(limits.pickleImports + 5, 'mine'), unexpected, utf8('N'))) });
    expect(failsOn(report, { codes: ['pickle-import-unexpected'] })).toBe(true);
    expect(failsOn(report, { codes: ['pickle-imports-cut'] })).toBe(true);
    if (report.kind !== 'checkpoint') throw new Error(report.kind);
    expect(report.pickleImports[0]).toMatchObject({ name: 'socket.socket', kind: 'unexpected' });
    expect(report.pickleImports).toHaveLength(limits.pickleImports);
  });

  it('that are unexpected are listed behind those of other files', async () => {
    const report = await reportOf({
      'a.pkl': pickle(concat(flood(limits.pickleImports, 'mine'), utf8('N'))),
      'b.pkl': pickle(concat(unexpected, utf8('N'))),
    });
    if (report.kind !== 'checkpoint') throw new Error(report.kind);
    expect(report.pickleImports[0]?.name).toBe('socket.socket');
  });

  it('that are unexpected are listed behind those of other checkpoints of a run', async () => {
    const checkpoint = (step: number, imports: Uint8Array): Record<string, Uint8Array> => ({
      [`checkpoint-${step}/model.safetensors`]: weights,
      [`checkpoint-${step}/config.json`]: json({ architectures: ['A'] }),
      [`checkpoint-${step}/trainer_state.json`]: json({ global_step: step, log_history: [] }),
      [`checkpoint-${step}/optimizer.pt`]: pickle(concat(imports, utf8('N'))),
    });
    const report = await reportOf({ ...checkpoint(1, flood(limits.pickleImports, 'mine')), ...checkpoint(2, unexpected) });
    if (report.kind !== 'checkpoint') throw new Error(report.kind);
    expect(report.run?.checkpoints).toHaveLength(2);
    expect(report.pickleImports[0]).toMatchObject({ name: 'socket.socket', kind: 'unexpected', expected: false });
    expect(report.pickleImports).toHaveLength(limits.pickleImports);
    expect(failsOn(report, { codes: ['pickle-imports-cut'] })).toBe(true);
  });
});

it('unexpected calls of old checkpoints that run commands come before those of new ones that do not', async () => {
  const checkpoint = (step: number, [module, name]: readonly [string, string]): Record<string, Uint8Array> => ({
    [`checkpoint-${step}/model.safetensors`]: weights,
    [`checkpoint-${step}/trainer_state.json`]: json({ global_step: step, log_history: [] }),
    [`checkpoint-${step}/optimizer.pt`]: pickle(reduce(global(module, name), tuple(str(`${step}`)))),
  });
  const files = Array.from({ length: 60 }, (_, at) =>
    checkpoint(at + 1, at === 0 ? ['os', 'system'] : (['decimal', 'getcontext'] as const)),
  );
  const report = await reportOf(Object.assign({}, ...files) as Record<string, Uint8Array>);
  expect(report.findings[0]?.message).toContain('os.system("1")');
});

describe('parts of a collection', () => {
  const model = (directory: string): Record<string, Uint8Array> => ({
    [`${directory}/config.json`]: json({ architectures: ['A'], model_type: 'a' }),
    [`${directory}/model.safetensors`]: weights,
  });

  it('that are not read are a finding', async () => {
    const files = Array.from({ length: limits.collectionParts + 2 }, (_, at) => model(`m${at}`));
    const report = await reportOf(Object.assign({}, ...files) as Record<string, Uint8Array>);
    expect(report.kind).toBe('collection');
    expect(failsOn(report, { severity: 'warning' })).toBe(true);
    expect(report.findings).toMatchObject([{ code: 'parts-not-read', severity: 'warning' }]);
    expect(report.findings[0]?.message).toBe('2 parts not read: the first 500 were.');
  });

  it('that turn out to hold nothing leave what they say of code', async () => {
    const none = buildZip(
      [
        { name: 'x/data.pkl', data: pickle(dict()) },
        { name: 'x/code/net.py', data: utf8('import os') },
      ],
      {
        prefix: '',
        alignment: 1,
        dataDescriptors: false,
        zip64End: false,
      },
    );
    const report = await reportOf({ ...model('a'), ...model('b'), 'c/x.pt': none });
    expect(report).toMatchObject({ kind: 'collection', findings: [{ code: 'archive-has-code', path: 'c/x.pt' }] });
    expect(failsOn(report, { codes: ['archive-has-code'] })).toBe(true);
  });
});
