import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';

/**
 * VS Code's own themes, and the class that the window has in each. A name of older versions does not do: VS Code would write the new one
 * into the settings, and so undo a change that a spec has just made there.
 */
const themeClasses = {
  'Light Modern': 'vs',
  'Dark Modern': 'vs-dark',
  'Default High Contrast': 'hc-black',
  'Default High Contrast Light': 'hc-light',
} as const;

export type WindowTheme = keyof typeof themeClasses;

/** How often a gesture without an effect is repeated, and how often at most: that ends a hang. */
const repeatEveryMs = 5_000;
const repeats = 24;

/** The parts of the VS Code window that the specs touch. Nothing else of its DOM is relied on. */
export class Workbench {
  constructor(readonly page: Page) {}

  /** Waits until the Explorer shows the workspace and the window has what extensions contribute to menus and the palette. */
  async ready(): Promise<void> {
    await this.page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
    await this.page.waitForFunction(() => performance.getEntriesByName('code/didLoadExtensions').length > 0);
  }

  async themeShown(theme: WindowTheme): Promise<void> {
    await this.page.locator(`.monaco-workbench.${themeClasses[theme]}`).waitFor();
  }

  /** Waits until the icons of panels are loaded, and what fades in, like a card, is there. */
  async settled(): Promise<void> {
    for (const frame of this.page.frames())
      await frame
        .evaluate(async () => {
          // Fonts load once something that needs them is laid out; that of the icons once the style sheet of each is there.
          document.body.getBoundingClientRect();
          const roots: (Document | ShadowRoot)[] = [document];
          for (const root of roots)
            for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot !== null) roots.push(shadowRoot);
          const links = roots.flatMap((root) => [...root.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')]);
          const waiting = links.filter(({ sheet }) => sheet === null);
          // A sheet that was refused before is in no picture.
          const isLate = new Promise((late) => setTimeout(late, 3_000));
          await Promise.race([
            isLate,
            Promise.all(waiting.map((link) => new Promise((done) => (link.onload = link.onerror = done)))),
          ]);
          await document.fonts.load('16px codicon');
          await document.fonts.ready;
        })
        // A document that is being closed is in no picture.
        .catch(() => undefined);
    await this.page.evaluate(async () => {
      const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
      await Promise.all(ending.map(({ finished }) => finished.catch(() => undefined)));
    });
  }

  /** Closes what specs open: dialogs, editors, notifications and folders. */
  async tidy(): Promise<void> {
    const { page } = this;
    await page.mouse.move(0, 0);
    const input = page.locator('.quick-input-widget input[type="text"]');
    if (await input.isVisible()) {
      await input.press('Escape');
      await input.waitFor({ state: 'hidden' });
    }
    const editor = page.locator('.editor-group-container .tab').first();
    if (await editor.isVisible()) {
      await this.run('View: Close All Editors');
      const discard = page.getByRole('button', { name: "Don't Save" });
      const closed = editor.waitFor({ state: 'detached' });
      await Promise.race([closed, discard.waitFor().then(() => discard.click())]);
      await closed;
    }
    await page.locator('iframe.webview').first().waitFor({ state: 'detached' });
    const notification = page.locator('.notification-toast').first();
    if (await notification.isVisible()) {
      await this.run('Notifications: Clear All Notifications');
      await notification.waitFor({ state: 'detached' });
    }
    const expanded = page.locator('.explorer-folders-view .monaco-list-row[aria-expanded="true"]').first();
    if (await expanded.isVisible()) {
      await this.run('Collapse Folders in Explorer');
      await expanded.waitFor({ state: 'detached' });
    }
  }

  /** A row of the Explorer by its label. */
  row(label: string) {
    return this.page
      .locator('.explorer-folders-view .monaco-list-row')
      .filter({ has: this.page.getByText(label, { exact: true }) });
  }

  /** Opens a folder of the Explorer and waits for a row in it. */
  async expand(folder: string, child: string): Promise<void> {
    const collapsed = this.row(folder).and(this.page.locator('[aria-expanded="false"]'));
    // The list uses its rows again for other entries: a click while it still moves them may hit another entry.
    await this.repeatUntil(this.row(child), async () => {
      if (await collapsed.isVisible()) await collapsed.click({ timeout: repeatEveryMs });
    });
  }

  /** Opens a file of the Explorer in an editor that stays. */
  async openFile(file: string): Promise<void> {
    await this.repeatUntil(this.tab(file), () => this.row(file).dblclick({ timeout: repeatEveryMs }));
  }

  /** Picks an entry of a row's context menu, or of the submenu **Stowage** in it. */
  async pickInContextMenu(row: string, entry: string, submenu?: 'Stowage'): Promise<void> {
    const item = this.page.getByRole('menuitem', { name: entry });
    // A menu has what held when it was opened: that a workspace is trusted holds only some time after the window is shown.
    for (let times = 0; times < repeats && !(await item.isVisible()); times += 1) {
      await this.openContextMenu(row, submenu ?? entry, submenu !== undefined);
      if (submenu === undefined) break;
      await this.page.keyboard.press('ArrowRight');
      await item.waitFor({ timeout: repeatEveryMs }).catch(() => this.closeMenus());
    }
    // A menu that has just opened takes no clicks, so that the click that opened it does not choose from it; keys it takes.
    await item.hover();
    await this.page.keyboard.press('Enter');
    await item.waitFor({ state: 'hidden' });
  }

  /** Opens the context menu of a row until it has an entry, which then has the focus. */
  private async openContextMenu(row: string, entry: string, exact: boolean): Promise<void> {
    const item = this.page.getByRole('menuitem', { name: entry, exact });
    const focused = this.row(row).and(this.page.locator('.focused'));
    await this.row(row).click({ button: 'right' });
    const giveUpAt = performance.now() + repeats * repeatEveryMs;
    // A menu is of the row that was hit.
    const isRight = async () => (await item.isVisible()) && (await focused.isVisible());
    for (await this.anyItem().waitFor(); !(await isRight()) && performance.now() < giveUpAt; await this.anyItem().waitFor()) {
      await this.closeMenus();
      await this.row(row).click({ button: 'right' });
    }
    await item.hover();
  }

  /** The button of the window's own menu has the same role, and is always there. */
  private anyItem(): Locator {
    return this.page.locator('[role="menuitem"]:not(.menubar-menu-button)').last();
  }

  /** Escape closes a submenu, and then the menu that it is of. */
  private async closeMenus(): Promise<void> {
    for (let times = 0; times < repeats && (await this.anyItem().isVisible()); times += 1) {
      await this.page.keyboard.press('Escape');
      await this.anyItem()
        .waitFor({ state: 'hidden', timeout: repeatEveryMs })
        .catch(() => undefined);
    }
  }

  /** Runs a command by its title in the command palette. */
  async run(title: string): Promise<void> {
    const input = this.page.locator('.quick-input-widget input[type="text"]');
    const entry = this.page.locator('.quick-input-list').getByRole('option', { name: title }).first();
    // The palette closes when a report that is just being shown takes the focus.
    for (let isShown = false, times = 0; !isShown && times < repeats; times += 1) {
      await this.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await this.page.keyboard.press('F1');
      isShown = await this.typed(input, `>${title}`, entry);
    }
    await entry.click();
  }

  /** Types into the palette; answers whether the entry was shown before the palette closed, which it may do at any moment. */
  private async typed(input: Locator, text: string, entry: Locator): Promise<boolean> {
    const filled = await input.fill(text, { timeout: repeatEveryMs }).then(
      () => true,
      () => false,
    );
    return filled && Promise.race([entry.waitFor().then(() => true), input.waitFor({ state: 'hidden' }).then(() => false)]);
  }

  /** Answers VS Code's own file dialog with a path. */
  async answerFileDialog(file: string): Promise<void> {
    const input = this.page.locator('.quick-input-widget input[type="text"]');
    const entries = this.page.locator('.quick-input-list').getByRole('option');
    // Until the dialog has listed the folder that it begins with, it replaces what is typed.
    await entries.first().waitFor();
    await input.fill(file);
    // While it lists another folder, it takes no Enter.
    const names = ['..', ...(await readdir(path.dirname(file)))];
    await this.page.waitForFunction((allowed) => {
      const shown = [...document.querySelectorAll('.quick-input-list [role="option"] .label-name')];
      return shown.length > 0 && shown.every(({ textContent }) => allowed.includes((textContent ?? '').replace(/\/$/, '')));
    }, names);
    await input.press('Enter');
    await input.waitFor({ state: 'hidden' });
  }

  /** Repeats a gesture until it has shown something: an editor loses a gesture at what it is drawing anew. */
  async repeatUntil(shown: Locator, gesture: () => Promise<void>): Promise<void> {
    for (let times = 0; times < repeats; times += 1) {
      await gesture().catch(() => undefined);
      const isShown = await shown.waitFor({ timeout: repeatEveryMs }).then(
        () => true,
        () => false,
      );
      if (isShown) return;
    }
    await shown.waitFor();
  }

  /** The document of the report in front. */
  get report(): FrameLocator {
    return this.page.frameLocator('iframe.webview').frameLocator('iframe#active-frame');
  }

  /** Waits until the report in front is shown. */
  async reportShown(): Promise<void> {
    await this.report.getByRole('tab', { name: /^Components/ }).waitFor();
  }

  /** Waits until the report of a dataset in front is shown. */
  async datasetShown(): Promise<void> {
    await this.report.getByRole('tab', { name: /^Columns/ }).waitFor();
  }

  /** Waits until the report in front says so somewhere. */
  async reportSays(text: string | RegExp): Promise<void> {
    await this.report.getByText(text).first().waitFor();
  }

  tab(label: string) {
    return this.page.getByRole('tab', { name: label });
  }
}
