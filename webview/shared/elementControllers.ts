import type { ReactiveElement } from 'lit';

/** Calls back with the content box of an element, at first and whenever it changes, while the element is in the page. */
export function onResize(element: ReactiveElement, listener: (size: DOMRectReadOnly) => void): void {
  // Tests of single components have no layout.
  if (typeof ResizeObserver === 'undefined') return;
  const observer = new ResizeObserver(([entry]) => {
    if (entry !== undefined) listener(entry.contentRect);
  });
  element.addController({
    hostConnected: () => observer.observe(element),
    hostDisconnected: () => observer.disconnect(),
  });
}

/** Calls back when a pointer goes down outside of an element, while the element is in the page. */
export function onPointerOutside(element: ReactiveElement, listener: () => void): void {
  const onPointerDown = (event: Event): void => {
    if (!event.composedPath().includes(element)) listener();
  };
  element.addController({
    hostConnected: () => document.addEventListener('pointerdown', onPointerDown),
    hostDisconnected: () => document.removeEventListener('pointerdown', onPointerDown),
  });
}
