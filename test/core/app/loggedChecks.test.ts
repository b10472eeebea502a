/** What reports of `stowage inspect` have of the logs beside what they are of. */
import { describe, expect, it } from 'vitest';
import { inspectPath } from '../../../src/app/inspection/inspectPath.js';
import { limits } from '../../../src/core/bytes/limits.js';
import type { Report } from '../../../src/core/inspection/report.js';
import { fileStateOf } from '../../../src/core/verification/log/fileState.js';
import { logText, type LogEntry } from '../../../src/core/verification/log/verifiedLog.js';
import { valuesEntry, verifyEntry } from '../../builders/logEntry.js';
import { memoryPlatform } from '../../builders/memoryPlatform.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { compileSchemaFile, schemaErrors } from '../../builders/schemaErrors.js';

const weights = buildSafetensors({ tensors: { 'layer.weight': { dtype: 'BF16', shape: [2, 3] } } });
const run = {
  '/run/checkpoint-10/model.safetensors': weights,
  '/run/checkpoint-20/model.safetensors': weights,
  '/run/checkpoint-20/config.json': '{}',
};
const schemas = {
  checkpoint: compileSchemaFile('docs/report.schema.json'),
  dataset: compileSchemaFile('docs/dataset-report.schema.json'),
  collection: compileSchemaFile('docs/collection-report.schema.json'),
};

/** The report of a path with these logs, by the directories that they are of. */
async function reportOf(path: string, logs: Record<string, string>, files: Record<string, string | Uint8Array> = run) {
  const written = Object.entries(logs).map(([folder, text]) => [`${folder}/.stowage/verified.json`, text] as const);
  const platform = memoryPlatform({ ...files, ...Object.fromEntries(written) });
  const { report, ...texts } = await inspectPath(platform, { path });
  expect(schemaErrors(schemas[report.kind], JSON.parse(texts.json()))).toEqual([]);
  return { report, terminal: texts.terminal({ width: 200, color: false }), markdown: texts.markdown() };
}

/** The files of a path as they are now. */
async function stateOf(path: string, files: Record<string, string | Uint8Array> = run): Promise<LogEntry['state']> {
  const tree = await memoryPlatform(files).openTree(path);
  return fileStateOf((await tree.list()).entries);
}

const checksOf = ({ checks }: Report, list: 'done' | 'notDone'): string[] =>
  checks[list].filter((check) => /^(checksums|values) ?(of|:)|in the log|logs? of verif/.test(check));

describe('the log beside a checkpoint', () => {
  const path = '/run/checkpoint-10';
  const logOf = async (more: Parameters<typeof verifyEntry>[0]): Promise<Record<string, string>> => ({
    '/run': logText([verifyEntry({ name: 'checkpoint-10', state: await stateOf(path), ...more })]),
  });

  it('is a check of its report where nothing changed since', async () => {
    const { report, terminal, markdown } = await reportOf(path, await logOf({}));
    expect(checksOf(report, 'done')).toEqual([
      'checksums: all 12 files matched on 2026-11-20 (94 % of bytes covered); names, sizes and times of files are the same since',
    ]);
    expect(checksOf(report, 'notDone')).toEqual([]);
    expect(report.loggedChecks).toMatchObject([{ path: '', what: 'verify', matched: 12, files: 1, changed: null }]);
    expect(report.loggedChecks?.[0]).not.toHaveProperty('state');
    expect(terminal).toContain('\nChecksums: all 12 files matched on 2026-11-20 (94 % of bytes covered). Names,');
    expect(markdown).toContain('Checksums: all 12 files matched');
  });

  it('is a check that was not done where files changed since', async () => {
    const changed = { ...(await stateOf(path)), digest: '0'.repeat(16), files: 3 };
    const { report, terminal } = await reportOf(path, await logOf({ state: changed }));
    expect(checksOf(report, 'done')).toEqual([]);
    expect(checksOf(report, 'notDone')).toEqual([
      'checksums: all 12 files matched on 2026-11-20 (94 % of bytes covered); changed since: 1 file is here in place of 3',
    ]);
    expect(terminal).not.toContain('\nChecksums:');
  });

  it('is a finding where files failed, and only as long as nothing changed', async () => {
    const { report, terminal } = await reportOf(path, await logOf({ matched: 11, failed: 1 }));
    expect(checksOf(report, 'done')).toEqual([]);
    expect(report.findings).toMatchObject([
      {
        code: 'logged-verification-failed',
        severity: 'warning',
        message: '1 of 12 files failed when checksums were compared on 2026-11-20.',
      },
    ]);
    expect(terminal).toContain('Findings: 1 warning');
    const state = { ...(await stateOf(path)), digest: '0'.repeat(16) };
    expect((await reportOf(path, await logOf({ failed: 1, state }))).report.findings).toEqual([]);
  });

  it('has values that were read as well', async () => {
    const state = await stateOf(path);
    const entry = valuesEntry({ name: 'checkpoint-10', state, notFinite: 2 });
    const { report } = await reportOf(path, { '/run': logText([verifyEntry({ name: 'checkpoint-10', state }), entry]) });
    expect(report.loggedChecks).toHaveLength(2);
    expect(report.findings.map(({ code }) => code)).toEqual(['logged-values-not-finite']);
  });

  it('says nothing of others, and none says nothing at all', async () => {
    const { report } = await reportOf(path, await logOf({ name: 'checkpoint-20' }));
    expect(report).not.toHaveProperty('loggedChecks');
    expect((await reportOf(path, {})).report).not.toHaveProperty('loggedChecks');
  });

  it.each([
    ['damaged', '{"kind": "stowage-veri', 'it is no JSON'],
    [
      'of another version',
      '{"kind":"stowage-verified","schemaVersion":2,"entries":[]}',
      'it is no log of verifications of version 1',
    ],
    ['larger than verifiedLogBytes', ' '.repeat(limits.verifiedLogBytes + 1), `it has ${limits.verifiedLogBytes + 1} bytes`],
    ['with a name that leads out', logText([verifyEntry({ name: '..' })]), 'entry 1 does not fit: name'],
  ])('that is %s takes nothing of the report', async (_what, text, detail) => {
    const { report } = await reportOf(path, { '/run': text });
    expect(report).toMatchObject({ kind: 'checkpoint', totalBytes: weights.byteLength });
    expect(report).not.toHaveProperty('loggedChecks');
    expect(checksOf(report, 'notDone')).toEqual([
      `what the log of verifications has, which cannot be used (/run/.stowage/verified.json): ${detail}`,
    ]);
  });
});

describe('logs of several checkpoints', () => {
  it('of a run are its own, and that of each checkpoint as it is by itself', async () => {
    const states = [await stateOf('/run/checkpoint-10'), await stateOf('/run/checkpoint-20')] as const;
    const entries = [
      verifyEntry({ name: 'checkpoint-10', state: states[0] }),
      verifyEntry({ name: 'checkpoint-20', state: states[1], failed: 2 }),
      verifyEntry({ name: 'checkpoint-30' }),
    ];
    const own = verifyEntry({ name: 'run', state: await stateOf('/run') });
    const { report } = await reportOf('/run', { '/run': logText(entries), '': logText([own]) });
    expect(report.loggedChecks).toMatchObject([
      { path: '', changed: null },
      { path: 'checkpoint-10', changed: null },
      { path: 'checkpoint-20', changed: null },
    ]);
    expect(checksOf(report, 'done').map((check) => check.slice(0, 27))).toEqual([
      'checksums: all 12 files mat',
      'checksums of checkpoint-10:',
    ]);
    expect(report.findings.find(({ code }) => code === 'logged-verification-failed')?.message).toBe(
      '2 of 14 files of checkpoint-20 failed when checksums were compared on 2026-11-20.',
    );
  });

  it('of a collection are those of its parts', async () => {
    const files = { '/share/a/model.safetensors': weights, '/share/b/model.safetensors': weights };
    const entry = verifyEntry({ name: 'b', state: await stateOf('/share/b', files) });
    const { report, terminal, markdown } = await reportOf('/share', { '/share': logText([entry]) }, files);
    expect(report).toMatchObject({ kind: 'collection', loggedChecks: [{ path: 'b', changed: null }] });
    for (const text of [terminal, markdown]) expect(text).toContain('Checksums of b: all 12 files matched');
  });

  it('are read of verifiedLogs directories, where there are logs', async () => {
    const folders = Array.from({ length: limits.verifiedLogs + 2 }, (_, index) => `/all/d${String(index).padStart(2, '0')}`);
    const files = Object.fromEntries(folders.map((folder) => [`${folder}/m/model.safetensors`, weights]));
    const state = await stateOf(`${folders[0]}/m`, files);
    const log = logText([verifyEntry({ name: 'm', state })]);
    const { report } = await reportOf('/all', Object.fromEntries(folders.map((folder) => [folder, log])), files);
    expect(report.loggedChecks).toHaveLength(limits.verifiedLogs);
    expect(checksOf(report, 'done').at(-1)).toBe('8 more in the log');
    expect(checksOf(report, 'notDone')).toEqual(['what 2 other logs of verifications have']);
    expect(checksOf((await reportOf('/all', {}, files)).report, 'notDone')).toEqual([]);
  });
});
