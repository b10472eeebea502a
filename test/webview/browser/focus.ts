/** What the keyboard stands on, and what it reaches. */
import assert from 'node:assert/strict';
import type { ElementHandle, Page } from 'playwright-core';

/** The element that has the focus, across shadow roots; the body where none has it. */
export function focusedElement(page: Page): Promise<ElementHandle<Element>> {
  return page.evaluateHandle(() => {
    let element = document.activeElement ?? document.body;
    while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element;
  });
}

/** Presses Tab until nothing with a name has the focus, at most so many times. Answers the names of what had it, in order. */
export async function namesReachedByTab(page: Page, atMost: number): Promise<string[]> {
  const reached: string[] = [];
  for (let presses = 0; presses < atMost; presses += 1) {
    await page.keyboard.press('Tab');
    const name = await (await focusedElement(page)).evaluate(nameOf);
    if (name === '') break;
    reached.push(name);
  }
  return reached;
}

/** Fails unless all of these were reached, each after the one before it. */
export function assertReachedInOrder(reached: readonly string[], order: readonly string[]): void {
  const places = order.map((name) => reached.indexOf(name));
  assert.ok(!places.includes(-1), `${order[places.indexOf(-1)]} is not reached; reached are ${reached.join(' | ')}`);
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
  );
}

/** Runs in the page, so it uses nothing from outside of itself. */
function nameOf(element: Element): string {
  const root = element.getRootNode();
  const label = root instanceof ShadowRoot ? root.querySelector(`label[for="${element.id}"]`)?.textContent : undefined;
  return (element.getAttribute('aria-label') ?? label ?? element.textContent ?? '').trim().replaceAll(/\s+/g, ' ');
}
