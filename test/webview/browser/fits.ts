/** Whether a page fits its width: nothing overlaps, and nothing is reached by scrolling sideways alone. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { layOutAll, nextFrames } from './spec.js';

/** From half of a small screen to a large one; 700 is what a zoom of 200 % leaves of 1,400. */
const widthsPx = [1400, 900, 700, 600, 400, 320];

/** Fails where anything in the page overlaps, or the page scrolls sideways, at any width. `what` names the page. */
export async function assertFits(page: Page, what: string): Promise<void> {
  await layOutAll(page);
  for (const width of widthsPx) {
    await page.setViewportSize({ width, height: 900 });
    await nextFrames(page);
    const hiddenPx = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(hiddenPx <= 0, `${what} at ${width} px scrolls sideways by ${hiddenPx} px`);
    assert.deepEqual(await overlapsOf(page), [], `${what} at ${width} px has overlaps`);
  }
}

/** Two parts of a page that share room, as a person would name them. */
type Overlap = `${string} over ${string}`;

/** Which texts, icons and controls of the page share more than a sliver, the first 12. What an ancestor cuts off or hides does not count. */
function overlapsOf(page: Page): Promise<Overlap[]> {
  return page.evaluate(() => {
    interface Part {
      name: string;
      element: Element;
      left: number;
      top: number;
      right: number;
      bottom: number;
    }
    type Box = Pick<Part, 'left' | 'top' | 'right' | 'bottom'>;
    /** Line boxes are a little higher than what is drawn in them. */
    const sliverPx = 3;
    const controls = 'button, input, select, a[href], vscode-icon, [role="tab"]';

    const parentOf = (node: Node): Element | null => {
      if (node instanceof Element && node.assignedSlot !== null) return node.assignedSlot;
      if (node.parentNode instanceof ShadowRoot) return node.parentNode.host;
      return node.parentElement;
    };
    const shared = (a: Box, b: Box): Box => ({
      left: Math.max(a.left, b.left),
      top: Math.max(a.top, b.top),
      right: Math.min(a.right, b.right),
      bottom: Math.min(a.bottom, b.bottom),
    });
    /** What of the boxes in an element can be seen; null where none of them can. */
    const views = new Map<Element, Box | null>();
    const everything: Box = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
    const viewIn = (element: Element | null): Box | null => {
      if (element === null) return everything;
      const known = views.get(element);
      if (known !== undefined) return known;
      const around = viewIn(parentOf(element));
      const style = getComputedStyle(element);
      const isHidden = style.visibility === 'hidden' || style.opacity === '0' || style.clipPath !== 'none';
      const isCut = style.overflowX !== 'visible' || style.overflowY !== 'visible';
      const view = around === null || isHidden ? null : isCut ? shared(around, element.getBoundingClientRect()) : around;
      views.set(element, view);
      return view;
    };

    const parts: Part[] = [];
    const put = (name: string, element: Element, boxes: Iterable<Box>): void => {
      const view = viewIn(element);
      if (view === null) return;
      for (const box of boxes) {
        const { left, top, right, bottom } = shared(box, view);
        if (right - left > sliverPx && bottom - top > sliverPx) parts.push({ name, element, left, top, right, bottom });
      }
    };
    const collect = (node: Node): void => {
      if (node instanceof Text) {
        const words = node.data.replaceAll(/\s+/g, ' ').trim();
        const element = parentOf(node);
        if (words === '' || element === null) return;
        const range = document.createRange();
        range.selectNodeContents(node);
        put(`“${words.slice(0, 60)}”`, element, range.getClientRects());
        return;
      }
      if (node instanceof Element) {
        if (node instanceof HTMLStyleElement || node instanceof HTMLScriptElement) return;
        if (node.matches(controls)) {
          const name = node.getAttribute('aria-label') ?? node.getAttribute('name') ?? node.getAttribute('title') ?? '';
          put(`${node.localName} ${name}`.trim(), node, [node.getBoundingClientRect()]);
        }
        // The font of icons is drawn by a pseudo-element, and shapes of charts are meant to cross.
        if (node.localName === 'vscode-icon' || node instanceof SVGSVGElement) return;
        const slotted = node instanceof HTMLSlotElement ? node.assignedNodes() : [];
        for (const child of slotted.length > 0 ? slotted : (node.shadowRoot ?? node).childNodes) collect(child);
      }
    };
    collect(document.body);

    const isWithin = (inner: Element, outer: Element): boolean => {
      for (let at: Element | null = inner; at !== null; at = parentOf(at)) if (at === outer) return true;
      return false;
    };
    const found: Overlap[] = [];
    const open: Part[] = [];
    for (const part of parts.toSorted((a, b) => a.top - b.top)) {
      for (let at = open.length - 1; at >= 0; at--) if ((open[at]?.bottom ?? 0) - part.top <= sliverPx) open.splice(at, 1);
      for (const other of open) {
        const both = shared(part, other);
        if (both.right - both.left <= sliverPx || both.bottom - both.top <= sliverPx) continue;
        if (isWithin(part.element, other.element) || isWithin(other.element, part.element)) continue;
        found.push(`${part.name} over ${other.name}`);
        if (found.length === 12) return found;
      }
      open.push(part);
    }
    return found;
  });
}
