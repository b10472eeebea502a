import assert from 'node:assert/strict';
import { themeNames } from '../page/themes.js';
import { nextFrames, openTab, textOf, type Spec } from './spec.js';

export const specs: Spec[] = [
  {
    name: 'the card says whether the checkpoint loads, and leads to what was compared',
    pictures: 'also',
    async run({ open, keepPicture }) {
      const page = await open({ scenario: 'load', height: 1400 });
      assert.match(await textOf(page, 'stowage-summary-cards'), /Load Fails 60 tensors of another shape/);
      await page.getByRole('button', { name: 'Load: what was compared' }).click();
      await page.getByRole('tab', { name: 'Loading', selected: true }).waitFor();
      const text = await textOf(page, 'stowage-load-view');
      assert.match(text, /Fails in transformers as LlamaForCausalLM\./);
      assert.match(text, /num_key_value_heads 4 8/);
      assert.match(text, /tokenizer against embedding compared chat template not compared|generation config compared/);
      assert.match(text, /python convert_hf_to_gguf\.py/);
      await keepPicture(page, 'load');
    },
  },
  {
    name: 'five cards stand in one row, in three and two, or in two columns with a wide last one',
    async run({ open }) {
      for (const [width, rows] of [
        [1440, [5]],
        [1280, [5]],
        [720, [3, 2]],
        [480, [2, 2, 1]],
        [300, [1, 1, 1, 1, 1]],
      ] as const) {
        const page = await open({ scenario: 'load', width });
        const cards = await page.locator('stowage-summary-cards .card').all();
        const boxes = await Promise.all(cards.map(async (card) => card.boundingBox()));
        const tops = boxes.map((box) => Math.round(box?.y ?? 0));
        const counts = [...new Set(tops)].map((top) => tops.filter((other) => other === top).length);
        assert.deepEqual(counts, rows, `${width} px`);
        const right = (at: number): number => Math.round((boxes[at]?.x ?? 0) + (boxes[at]?.width ?? 0));
        const widest = Math.max(...boxes.map((_, at) => right(at)));
        assert.ok(Math.abs(right(4) - widest) <= 1, `the last card ends with its row at ${width} px`);
      }
    },
  },
  {
    name: 'a long list of tensors is folded until it is asked for',
    async run({ open }) {
      const page = await open({ scenario: 'load' });
      await openTab(page, 'Loading');
      const more = page.getByRole('button', { name: /all 12 rows/ });
      assert.equal(await more.getAttribute('aria-expanded'), 'false');
      await more.click();
      await nextFrames(page);
      assert.match(await textOf(page, 'stowage-load-view'), /model\.layers\.31\.mlp\.up_proj\.weight/);
      await page.getByRole('button', { name: /fewer rows/ }).waitFor();
    },
  },
  {
    name: 'pictures of loading in every theme and at half the width',
    pictures: 'only',
    async run({ open, keepPicture }) {
      for (const theme of themeNames) {
        const page = await open({ scenario: 'load', theme, height: 1400 });
        await openTab(page, 'Loading');
        await keepPicture(page, `load-${theme}`);
      }
      const wide = await open({ scenario: 'load', width: 1400, height: 900 });
      await openTab(wide, 'Loading');
      await keepPicture(wide, 'load-vscode-dark-1400', 'view');
      const page = await open({ scenario: 'load', width: 480, height: 1400 });
      await openTab(page, 'Loading');
      await keepPicture(page, 'load-narrow');
      const half = await open({ scenario: 'load', theme: 'vscode-light', width: 720, height: 1400 });
      await openTab(half, 'Loading');
      await keepPicture(half, 'load-half');
    },
  },
];
