/** What the Markdown of a plan and `stowage plan --inputs` write of inputs that are not given. */
import { describe, expect, it } from 'vitest';
import { planPage } from '../../../../src/core/pages/plan/planPage.js';
import { renderPlanMarkdown, standardText } from '../../../../src/core/pages/plan/planMarkdown.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { planDocument } from '../../../builders/randomPlan.js';

describe('inputs that are not given', () => {
  it('have their default with its unit, or in words what the plan does', () => {
    expect(standardText('graceSeconds')).toBe('120 s');
    expect(standardText('dataParallel')).toBe('GPUs ÷ (TP × PP)');
    expect(standardText('stepSeconds')).toBe('not needed');
    expect(standardText('secondRegion')).toBe('no');
    expect(standardText('store')).toBe('Lustre');
  });

  it('are derived, not set or assumed in Markdown', () => {
    const document = planDocument({});
    const plan = makePlan(document);
    const markdown = renderPlanMarkdown(plan, planPage(plan, document), document, 'charts');
    expect(markdown).toContain('| Interval | derived | the interval that loses least |');
    expect(markdown).toContain('| Time of a step | not set | not needed |');
    expect(markdown).toContain('| Grace period | 120 s | assumed |');
  });
});
