import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { nextFrames, openTab, tabNames, type Spec } from './spec.js';

interface Seen {
  /** Every text and every title or label, across shadow roots. */
  texts: string[];
  /** Elements that only markup from a file could have made. */
  foreign: string[];
  hacked: boolean;
}

function look(page: Page): Promise<Seen> {
  return page.evaluate(() => {
    const texts: string[] = [];
    const foreign: string[] = [];
    const visit = (root: Document | ShadowRoot): void => {
      for (const element of root.querySelectorAll('*')) {
        for (const name of ['title', 'aria-label', 'placeholder']) {
          const value = element.getAttribute(name);
          if (value !== null) texts.push(value);
        }
        if (['IMG', 'B', 'STRIKE', 'CODE', 'IFRAME'].includes(element.tagName)) foreign.push(element.outerHTML);
        if (element.tagName === 'SCRIPT' && !(element as HTMLScriptElement).src) foreign.push(element.outerHTML);
        if (element.shadowRoot !== null) visit(element.shadowRoot);
      }
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      while (walker.nextNode() !== null) texts.push(walker.currentNode.textContent ?? '');
    };
    visit(document);
    return { texts, foreign, hacked: 'hacked' in window };
  });
}

// Line feeds are left out: templates and titles of several lines hold them.
const deceptive =
  // eslint-disable-next-line no-control-regex -- finding control characters is the purpose
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]|\p{Cs}/u;

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
