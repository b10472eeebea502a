import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { chartLayout } from '../../../../src/core/pages/charts/chartLayout.js';
import { chartStops, stopInWords } from '../../../../src/core/pages/charts/chartStops.js';
import { chartSvg } from '../../../../src/core/pages/charts/chartSvg.js';
import { planPage } from '../../../../src/core/pages/plan/planPage.js';
import { randomDocument } from '../../../builders/randomPlan.js';
import { runs } from '../../../builders/seed.js';

describe('charts of any plan', () => {
  it('are drawn within their pictures, without NaN', () => {
    fc.assert(
      fc.property(randomDocument, fc.constantFrom(320, 760), (document, width) => {
        for (const chart of planPage(makePlan(document), document).sections.flatMap(({ charts }) => charts)) {
          const layout = chartLayout(chart, width);
          for (const { text, x, y } of layout.texts) {
            expect(x >= 0 && x <= width && y >= 0 && y <= layout.height, `${chart.id}: ${text} at ${x}, ${y}`).toBe(true);
            expect(text, chart.id).not.toContain('NaN');
          }
          for (const stop of chartStops(chart, layout)) expect(stopInWords(stop), chart.id).not.toMatch(/NaN|undefined/);
          expect(chartSvg(chart), chart.id).not.toContain('NaN');
        }
      }),
      runs(8, 400),
    );
  });
});
