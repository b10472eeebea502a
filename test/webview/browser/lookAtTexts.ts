/** Whether text from files stays text. */
import type { Page } from 'playwright-core';

export interface Seen {
  /** Every text and every title or label, across shadow roots. */
  texts: string[];
  /** Elements that only markup from a file could have made. */
  foreign: string[];
  hacked: boolean;
}

/** What a page shows, across shadow roots. */
export function look(page: Page): Promise<Seen> {
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
export const deceptive =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]|\p{Cs}/u;
