import { describe, expect, it } from 'vitest';
import type { PlanDocument } from '../../src/core/planning/inputs/planDocument.js';
import { planFields } from '../../src/core/planning/inputs/planFields.js';
import { documentOfPreset, presetOf } from '../../src/core/planning/inputs/presets.js';
import { makePlan } from '../../src/core/planning/storagePlan.js';
import { planPage } from '../../src/core/pages/plan/planPage.js';
import { derivedText, readText } from '../../webview/shared/inputText.js';
import { originWords } from '../../webview/planner/originWords.js';
import { withInput, withoutInput } from '../../webview/planner/planEdits.js';
import { copyOf, exportOf } from '../../webview/planner/planExport.js';
import { initialPlannerState, restorePlannerState } from '../../webview/planner/plannerState.js';

const document: PlanDocument = { name: 'a', inputs: { gpus: 8 }, origins: {}, measured: [], saved: [] };

describe('readText', () => {
  it('reads numbers in the unit behind the input, and units that are written', () => {
    expect(readText('90', planFields.intervalSeconds)).toEqual({ value: 5400 });
    expect(readText('90 s', planFields.intervalSeconds)).toEqual({ value: 90 });
    expect(readText('2 TB/s', planFields.writeBytesPerSecond)).toEqual({ value: 2e12 });
    expect(readText('10', planFields.overlapTarget)).toEqual({ value: 0.1 });
    expect(readText('405B', planFields.parameters)).toEqual({ value: 405e9 });
    expect(readText(' ', planFields.intervalSeconds)).toEqual({ value: null });
  });

  it('tells what is wrong in the unit behind the input', () => {
    expect(readText('', planFields.gpus)).toEqual({ problem: 'A number is needed, such as 16,384 or 405B.' });
    expect(readText('soon', planFields.intervalSeconds)).toEqual({ problem: 'This is no amount. Write it like 90 min.' });
    expect(readText('101 %', planFields.overlapTarget)).toEqual({ problem: 'It must be at most 100 %.' });
    expect(readText('-1', planFields.keepLast)).toEqual({ problem: 'It must not be below 0.' });
    expect(readText('0', planFields.gpus)).toEqual({ problem: 'It must be at least 1.' });
  });
});

describe('derivedText', () => {
  it('has three digits, and whole counts', () => {
    expect(derivedText(330.367, planFields.intervalSeconds)).toBe('5.51');
    expect(derivedText(171_995_123_456, planFields.writeBytesPerSecond)).toBe('172');
    expect(derivedText(16_384, planFields.dataParallel)).toBe('16,384');
    expect(derivedText(4 * 1024 * 1024, { ...planFields.checkpointBytes, shown: { unit: 'MiB', size: 1024 * 1024 } })).toBe('4');
  });
});

describe('edits of a plan', () => {
  it('put a value in with its origin, and take both out again', () => {
    const changed = withInput(document, 'gpus', 64);
    expect(changed.inputs).toEqual({ gpus: 64 });
    expect(changed.origins.gpus?.kind).toBe('set');
    expect(withoutInput(changed, 'gpus')).toEqual({ ...document, inputs: {} });
    expect(document.inputs).toEqual({ gpus: 8 });
  });

  it('leave out a value that cannot be the input’s', () => {
    expect(withInput(document, 'gpus', 0)).toBe(document);
    expect(withInput(document, 'saveMode', 'sometimes')).toBe(document);
    expect(withInput(document, 'saveMode', 'synchronous').inputs.saveMode).toBe('synchronous');
  });
});

describe('originWords', () => {
  it('tells each kind apart', () => {
    expect(originWords({ kind: 'measured', text: 'step 10' }, true, null)).toMatchObject({ text: 'measured', title: 'step 10' });
    expect(originWords({ kind: 'read', text: 'config.json' }, true, null).text).toBe('from config.json');
    expect(originWords({ kind: 'preset', text: 'Llama' }, true, null)).toMatchObject({ text: 'preset', title: 'Llama' });
    expect(originWords({ kind: 'set', text: '' }, true, null).text).toBe('');
    expect(originWords(undefined, false, null)).toMatchObject({ text: 'assumed', isAssumed: true });
    // Filled in from the GPU that is named; and emptied by hand.
    expect(originWords({ kind: 'read', text: 'NVIDIA H100 SXM' }, false, null).text).toBe('from NVIDIA H100 SXM');
    expect(originWords({ kind: 'set', text: '' }, false, 'GPUs ÷ 2').text).toBe('GPUs ÷ 2');
    expect(originWords(undefined, false, 'GPUs ÷ 2')).toMatchObject({ text: 'GPUs ÷ 2', isAssumed: false });
  });
});

describe('restorePlannerState', () => {
  it('restores what was saved, and leaves out what does not fit', () => {
    const state = { opened: { 'formula:size:0': true }, scroll: 700, alternatives: ['gpus=64', 'store=nfs'] };
    expect(restorePlannerState(JSON.parse(JSON.stringify(state)))).toEqual(state);
    for (const saved of [undefined, null, 7, 'x', [], { opened: 3, scroll: -1 }, { opened: { a: 'yes' }, scroll: NaN }])
      expect(restorePlannerState(saved)).toEqual(initialPlannerState());
    const long = ['a', 7, 'x'.repeat(201), ...Array.from({ length: 10 }, (_, index) => `gpus=${index}`)];
    expect(restorePlannerState({ alternatives: long }).alternatives).toEqual(['a', ...long.slice(3, 8)]);
  });
});

describe('export of a plan', () => {
  it('has a file for each chart that the Markdown shows, and none in a copy', () => {
    const preset = presetOf('405b');
    if (preset === null) throw new Error('the preset is gone');
    const of = documentOfPreset(preset);
    const plan = makePlan(of);
    const shown = { document: of, plan, page: planPage(plan, of), problems: [] };
    const { text, ending, folder, charts } = exportOf('markdown', shown, 'big model.stowage-plan.json', '');
    expect(ending).toBe('md');
    expect(folder).toBe('big model-charts');
    expect(new Set(charts.map(({ name }) => name)).size).toBe(charts.length);
    for (const { name } of charts) expect(text).toContain(`(big%20model-charts/${name})`);
    expect(copyOf(shown)).not.toContain('.svg');
  });
});
