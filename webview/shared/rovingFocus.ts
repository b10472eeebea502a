import type { ReactiveController, ReactiveElement } from 'lit';

/** Makes buttons beside each other one stop of the Tab key, with the arrow keys, Home and End among them. */
export class RovingFocus implements ReactiveController {
  /** The button that Tab reaches. */
  private at = 0;

  /** @param selector of the buttons, in their order */
  constructor(
    private readonly element: ReactiveElement,
    private readonly selector: string,
  ) {
    element.addController(this);
  }

  /** For the `tabindex` of a button, by its place among them. */
  tabIndexOf(place: number): 0 | -1 {
    return place === this.at ? 0 : -1;
  }

  /** Buttons may have gone since: Tab has to reach one. */
  hostUpdated(): void {
    if (this.at > 0 && this.at >= this.buttons().length) this.moveTo(0);
  }

  /** For the `keydown` of what holds the buttons. */
  readonly onKey = (event: KeyboardEvent): void => {
    const last = this.buttons().length - 1;
    const place = {
      ArrowRight: this.at === last ? 0 : this.at + 1,
      ArrowLeft: this.at === 0 ? last : this.at - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (place === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    this.moveTo(place);
    this.buttons()[place]?.focus();
  };

  /** For the `focusin` of what holds the buttons: a click moves the stop as well. */
  readonly onFocus = (event: FocusEvent): void => {
    const place = this.buttons().findIndex((button) => button === event.target);
    if (place !== -1 && place !== this.at) this.moveTo(place);
  };

  private moveTo(place: number): void {
    this.at = place;
    this.element.requestUpdate();
  }

  private buttons(): HTMLElement[] {
    return [...this.element.renderRoot.querySelectorAll<HTMLElement>(this.selector)];
  }
}
