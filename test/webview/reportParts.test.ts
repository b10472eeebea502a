import { describe, expect, it } from 'vitest';
import { filesOfComponent } from '../../webview/checkpoint/filesOfComponent.js';
import { keyPathOf, objectRows } from '../../webview/checkpoint/objectRows.js';
import { oddCaseOf } from '../../webview/checkpoint/oddCase.js';
import { severityCounts, sortedFindings } from '../../src/core/pages/findingCounts.js';
import { subtitleOf } from '../../src/core/pages/checkpoint/subtitle.js';
import { emptyReport } from '../builders/emptyReport.js';
import { sampleReport } from '../builders/sampleReport.js';
import { hostileReport } from '../builders/hostileReport.js';

describe('the sample report', () => {
  it('adds up: files, components and terms all give the total', () => {
    const { files, components, totalBytes, bytesPerParameter, parameters } = sampleReport();
    const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
    expect(sum(files.map(({ bytes }) => bytes))).toBe(totalBytes);
    expect(sum(Object.values(components).map(({ tensorBytes, otherBytes }) => tensorBytes + otherBytes))).toBe(totalBytes);
    expect(sum(bytesPerParameter?.terms.map(({ bytes }) => bytes) ?? [])).toBe(totalBytes);
    expect(bytesPerParameter?.value).toBe(totalBytes / parameters.unique);
  });
});

describe('words', () => {
  it('names layout, framework, step and ranks', () => {
    expect(subtitleOf(sampleReport())).toBe('Hugging Face Trainer · transformers 4.57.1 · step 1,000 · 4 ranks');
  });

  it('counts and orders findings by severity', () => {
    expect(severityCounts(sampleReport()).map(({ text }) => text)).toEqual(['1 error', '1 warning', '1 note']);
    expect(sortedFindings(sampleReport()).map(({ severity }) => severity)).toEqual(['error', 'warning', 'note']);
  });

  it('has words for odd cases only', () => {
    expect(oddCaseOf(sampleReport())).toBeNull();
    expect(oddCaseOf(emptyReport())).toContain('This folder is empty');
    const [file] = sampleReport().files;
    if (file === undefined) throw new Error('no file');
    expect(oddCaseOf({ ...emptyReport(), files: [file], totalBytes: 1 })).toContain('as no training framework');
    const none = { ...sampleReport().resume, verdict: 'none' as const };
    expect(oddCaseOf({ ...sampleReport(), resume: none })).toContain('Nothing here is in a format of models');
    expect(oddCaseOf({ ...sampleReport(), tensorCount: 0 })).toContain('No tensors were found');
    expect(oddCaseOf({ ...sampleReport(), totalBytes: 0 })).toContain('all are empty');
  });
});

describe('files', () => {
  it('names those of a component by what they have in common', () => {
    const report = sampleReport();
    expect(filesOfComponent(report, 'weights').where).toBe('model-0000?-of-00004.safetensors');
    expect(filesOfComponent(report, 'rng').where).toBe('rng_state_?.pth');
    expect(filesOfComponent(report, 'optimizer').where).toBe('optimizer.pt');
    expect(filesOfComponent(report, 'trainerState').where).toBe('trainer_state.json and 1 more');
    expect(filesOfComponent(report, 'ema').where).toBe('');
    expect(filesOfComponent(hostileReport(), 'weights').everywhere).not.toMatch(/\u202e/);
  });
});

describe('objectRows', () => {
  const { objects } = sampleReport();

  it('shows only what is expanded', () => {
    expect(objectRows(objects, new Set(), new Map()).map(({ label }) => label)).toEqual(['optimizer.pt', 'training_args.bin']);
    const open = objectRows(objects, new Set(['0', '0/1', '0/1/0']), new Map());
    expect(open.map(({ label }) => label)).toEqual([
      'optimizer.pt',
      'state',
      'param_groups',
      '0',
      'lr',
      'betas',
      'eps',
      'weight_decay',
      'amsgrad',
      'foreach',
      'training_args.bin',
    ]);
    expect(open[4]).toMatchObject({ level: 4, position: 1, siblings: 6, expandable: false });
  });

  it('shows many children in steps, and says how many the report leaves out', () => {
    const rows = objectRows(objects, new Set(['0', '0/0']), new Map());
    expect(rows.at(-3)).toMatchObject({ id: '0/0/+', hidden: { more: 50, omitted: 41 }, position: 201, siblings: 201 });
    const more = objectRows(objects, new Set(['0', '0/0']), new Map([['0/0', 400]]));
    expect(more.find(({ id }) => id === '0/0/+')).toMatchObject({ hidden: { more: 0, omitted: 41 } });
  });

  it('shows many objects in steps, too', () => {
    const many = Array.from({ length: 450 }, (_, index) => ({
      path: `rng_state_${index}.pth`,
      root: { key: '', kind: 'none' as const, text: 'None' },
    }));
    expect(objectRows(many, new Set(), new Map())).toHaveLength(201);
    expect(objectRows(many, new Set(), new Map([['', 400]])).at(-1)).toMatchObject({
      id: '/+',
      level: 1,
      hidden: { more: 50, omitted: 0 },
    });
  });

  it('gives the path to a value as code would write it', () => {
    expect(keyPathOf(objects, '0/1/0/1/1')).toBe('param_groups[0].betas[1]');
    expect(keyPathOf(objects, '0')).toBe('');
  });
});
