import assert from 'node:assert/strict';
import { deceptive, look } from './lookAtTexts.js';
import { nextFrames, openTab, tabNames, type Spec } from './spec.js';

export const specs: Spec[] = [
  {
    name: 'text from files stays text on every tab, and nothing in it hides or reorders',
    async run({ open }) {
      const page = await open({ scenario: 'hostile' });
      for (const tab of await tabNames(page)) {
        await openTab(page, tab);
        if (tab === 'Objects') {
          await page.getByRole('treeitem').first().focus();
          for (let item = 0; item < 9; item += 1) {
            await page.keyboard.press('ArrowRight');
            await nextFrames(page);
            for (const _child of [1, 2, 3]) await page.keyboard.press('ArrowDown');
          }
        }
        if (tab === 'Tensors') {
          await page.locator('[id="row-2"] bdi').first().waitFor();
          await page.getByRole('grid').focus();
          await page.keyboard.press('ArrowDown');
          await page.keyboard.press('Enter');
          await page.getByRole('complementary').getByText('at byte').waitFor();
        }
        const { texts, foreign, hacked } = await look(page);
        assert.equal(hacked, false, tab);
        assert.deepEqual(foreign, [], tab);
        assert.deepEqual(
          texts.filter((text) => deceptive.test(text)),
          [],
          tab,
        );
        assert.ok(
          texts.some((text) => text.includes('window.hacked=1')),
          tab,
        );
        assert.ok(
          texts.some((text) => text.includes('\\u202emodel\\u2066weights')),
          tab,
        );
      }
    },
  },
];
