import { html, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { visibleText } from '../../src/core/text/visibleText.js';
import type { HostConnection } from './hostApi.js';

/** How long a message is shown, in milliseconds. */
const sayMs = 6000;

type SavedState = Pick<HostConnection<object, object, object>, 'readState' | 'writeState'>;

export interface PanelOptions<View> {
  /** Reads a view state that was saved; undefined the first time. */
  restore: (saved: unknown) => View;
  /** An error as text; its message without it. */
  errorText?: (error: unknown) => string;
}

/**
 * What every panel has: the connection to its host, the view state that survives a reload of the page, and the message at its bottom
 * edge that is shown for a while and read out.
 */
export class PanelController<Host extends SavedState, View extends object> implements ReactiveController {
  /** Where the reader is; `changeView` sets it. */
  view: View;
  /** Null until the panel is connected. */
  connection: Host | null = null;
  /** The address of what is shown, by which the editor gives the panel back after the window was reloaded. */
  private source: string | undefined;
  private readonly errorText: (error: unknown) => string;
  private said = '';
  private sayTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly element: ReactiveControllerHost,
    private readonly options: PanelOptions<View>,
  ) {
    this.view = options.restore(undefined);
    this.errorText = options.errorText ?? messageOf;
    element.addController(this);
  }

  /** Takes the connection and the view state that the page had before it was reloaded. */
  connect(connection: Host): void {
    this.connection = connection;
    this.view = this.options.restore(connection.readState());
    this.element.requestUpdate();
  }

  hostDisconnected(): void {
    clearTimeout(this.sayTimer);
    this.said = '';
  }

  /** Changes parts of the view state and has it saved. */
  changeView(change: Partial<View>): void {
    this.view = { ...this.view, ...change };
    this.save();
    this.element.requestUpdate();
  }

  /** Keeps the address of what is shown with the view state. */
  keepSource(uri: string): void {
    this.source = uri;
    this.save();
  }

  private save(): void {
    const { source } = this;
    this.connection?.writeState(source === undefined ? this.view : { ...this.view, source });
  }

  /** Shows a message for a while, in place of the one before. */
  say(text: string): void {
    clearTimeout(this.sayTimer);
    this.sayTimer = setTimeout(() => this.show(''), sayMs);
    this.show(text);
  }

  /**
   * Waits for a request and shows how it ended.
   * @param failure what is shown before the error's own text
   * @param done what is shown for a result; empty for nothing
   * @returns undefined after a failure
   */
  async attempt<Result>(
    failure: string,
    request: Promise<Result> | undefined,
    done: (result: Result) => string = () => '',
  ): Promise<Result | undefined> {
    if (request === undefined) return undefined;
    try {
      const result = await request;
      const text = done(result);
      if (text !== '') this.say(text);
      return result;
    } catch (error) {
      this.say(`${failure}: ${visibleText(this.errorText(error))}`);
      return undefined;
    }
  }

  /** The message, for the end of the panel; `saidStyles` are its styles. */
  renderSaid(): TemplateResult {
    return html`<div class="said ${this.said === '' ? '' : 'shown'}" role="status">${this.said}</div>`;
  }

  private show(text: string): void {
    this.said = text;
    this.element.requestUpdate();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
