// @vitest-environment happy-dom
import { LitElement, type TemplateResult } from 'lit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PanelController } from '../../webview/shared/panelController.js';

interface View {
  tab: string;
  opened: number;
}

interface Connection {
  readState(): unknown;
  writeState(state: unknown): void;
}

class SomePanel extends LitElement {
  readonly panel = new PanelController<Connection, View>(this, {
    restore: (saved) => ({ tab: 'first', opened: 0, ...(saved as Partial<View> | undefined) }),
  });

  override render(): TemplateResult {
    return this.panel.renderSaid();
  }
}
customElements.define('some-panel', SomePanel);

/** A panel in the document; `shown` is the message at its bottom edge. */
function openPanel(): { element: SomePanel; panel: SomePanel['panel']; shown: () => Promise<string> } {
  const element = new SomePanel();
  document.body.append(element);
  const shown = async (): Promise<string> => {
    await element.updateComplete;
    const said = element.renderRoot.querySelector('.said');
    expect(said?.getAttribute('role')).toBe('status');
    expect(said?.classList.contains('shown')).toBe(said?.textContent !== '');
    return said?.textContent ?? '';
  };
  return { element, panel: element.panel, shown };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  document.body.replaceChildren();
  vi.useRealTimers();
});

describe('a message of a panel', () => {
  it('is shown for six seconds', async () => {
    const { panel, shown } = openPanel();
    expect(await shown()).toBe('');
    panel.say('Copied');
    vi.advanceTimersByTime(5999);
    expect(await shown()).toBe('Copied');
    vi.advanceTimersByTime(1);
    expect(await shown()).toBe('');
  });

  it('gives the next one its full time', async () => {
    const { panel, shown } = openPanel();
    panel.say('Copied');
    vi.advanceTimersByTime(5000);
    panel.say('Saved');
    vi.advanceTimersByTime(5000);
    expect(await shown()).toBe('Saved');
    vi.advanceTimersByTime(1000);
    expect(await shown()).toBe('');
  });

  it('leaves no timer behind in a panel that is removed', () => {
    const { element, panel } = openPanel();
    panel.say('Copied');
    element.remove();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a request of a panel', () => {
  it('answers its result, and shows what is to be said of it', async () => {
    const { panel, shown } = openPanel();
    expect(await panel.attempt('Not saved', Promise.resolve('a.md'), (name) => `Saved: ${name}`)).toBe('a.md');
    expect(await shown()).toBe('Saved: a.md');
  });

  it('says nothing of a result without words, and nothing before there is a connection', async () => {
    const { panel, shown } = openPanel();
    expect(await panel.attempt('Not saved', Promise.resolve(null), () => '')).toBeNull();
    expect(await panel.attempt('Not saved', Promise.resolve(7))).toBe(7);
    expect(await panel.attempt<string>('Not saved', undefined, () => 'Saved')).toBeUndefined();
    expect(await shown()).toBe('');
  });

  it.each([
    ['an error', new Error('the disk is full'), 'Not saved: the disk is full'],
    ['a text', 'no', 'Not saved: no'],
    ['a name that reorders text', new Error('a\u202eb'), 'Not saved: a\\u202eb'],
  ])('shows that it failed: %s', async (_, error, expected) => {
    const { panel, shown } = openPanel();
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- whatever is thrown has to be shown
    expect(await panel.attempt('Not saved', Promise.reject(error), () => 'Saved')).toBeUndefined();
    expect(await shown()).toBe(expected);
  });

  it('shows an error in the words that the panel has for it', async () => {
    const { element, shown } = openPanel();
    const panel = new PanelController<Connection, View>(element, {
      restore: () => ({ tab: '', opened: 0 }),
      errorText: () => 'full',
    });
    await panel.attempt('Not saved', Promise.reject(new Error('ENOSPC')));
    expect(await shown()).toBe('');
    expect(panel.renderSaid().values).toContain('Not saved: full');
  });
});

describe('the view state of a panel', () => {
  it('is what was saved, and is saved with each change', async () => {
    const { element, panel } = openPanel();
    expect(panel.connection).toBeNull();
    expect(panel.view).toEqual({ tab: 'first', opened: 0 });
    await element.updateComplete;
    const states: unknown[] = [];
    const connection: Connection = { readState: () => ({ opened: 2 }), writeState: (state) => states.push(state) };
    panel.connect(connection);
    expect(panel.connection).toBe(connection);
    expect(panel.view).toEqual({ tab: 'first', opened: 2 });
    expect(element.isUpdatePending).toBe(true);
    await element.updateComplete;
    panel.changeView({ tab: 'files' });
    expect(element.isUpdatePending).toBe(true);
    expect(states).toEqual([{ tab: 'files', opened: 2 }]);
  });

  it('has the address of what is shown from the first moment on, and with each change', () => {
    const { panel } = openPanel();
    const states: unknown[] = [];
    panel.connect({ readState: () => undefined, writeState: (state) => states.push(state) });
    panel.keepSource('file:///run/config.json');
    panel.changeView({ opened: 3 });
    expect(states).toEqual([
      { tab: 'first', opened: 0, source: 'file:///run/config.json' },
      { tab: 'first', opened: 3, source: 'file:///run/config.json' },
    ]);
  });
});
