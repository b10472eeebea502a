import type { FrameLocator, Page } from 'playwright-core';

/** The parts of the VS Code window that the specs touch. Nothing else of its DOM is relied on. */
export class Workbench {
  constructor(readonly page: Page) {}

  /** Waits until the Explorer shows the workspace. */
  async ready(): Promise<void> {
    await this.page.locator('.explorer-folders-view .monaco-list-row').first().waitFor({ timeout: 60_000 });
  }

  /** A row of the Explorer by its label. */
  row(label: string) {
    return this.page
      .locator('.explorer-folders-view .monaco-list-row')
      .filter({ has: this.page.getByText(label, { exact: true }) });
  }

  /** Opens a folder of the Explorer and waits for a row in it. */
  async expand(folder: string, child: string): Promise<void> {
    await this.row(folder).click();
    await this.row(child).waitFor();
  }

  /** Picks an entry of a row's context menu. */
  async pickInContextMenu(row: string, entry: string): Promise<void> {
    const item = this.page.getByRole('menuitem', { name: entry });
    const isShown = (): Promise<boolean> =>
      item.waitFor({ timeout: 2_000 }).then(
        () => true,
        () => false,
      );
    // Before the extension is known to the window, the menu has no entry of it.
    for (let tries = 0; tries < 10; tries++) {
      await this.row(row).click({ button: 'right' });
      if (await isShown()) break;
      await this.page.keyboard.press('Escape');
    }
    // A menu that has just opened takes no clicks for a moment, so that the click that opened it does not choose from it.
    for (let tries = 0; tries < 10 && (await item.isVisible()); tries++) {
      await item.click({ timeout: 1_000 }).catch(() => undefined);
      await item.waitFor({ state: 'hidden', timeout: 500 }).catch(() => undefined);
    }
  }

  /** Runs a command by its title in the command palette. */
  async run(title: string): Promise<void> {
    const input = this.page.locator('.quick-input-widget input[type="text"]');
    const entry = this.page.locator('.quick-input-list').getByRole('option', { name: title }).first();
    // A palette that was opened before the extension is known to the window never shows its commands.
    for (let tries = 0; tries < 10 && !(await entry.isVisible()); tries++) {
      await this.page.keyboard.press('Escape');
      await this.page.keyboard.press('F1');
      await input.fill(`>${title}`);
      await entry.waitFor({ timeout: 3_000 }).catch(() => undefined);
    }
    await entry.click();
  }

  /** Answers VS Code's own file dialog with a path. */
  async answerFileDialog(path: string): Promise<void> {
    const input = this.page.locator('.quick-input-widget input[type="text"]');
    await input.waitFor();
    for (let tries = 0; tries < 10 && (await input.isVisible()); tries++) {
      // The dialog puts its own suggestion there a moment after it is shown; until it has looked a path up, Enter does nothing.
      await input.fill(path);
      await this.page.waitForTimeout(300);
      if ((await input.inputValue()) !== path) continue;
      await input.press('Enter');
      await input.waitFor({ state: 'hidden', timeout: 1_000 }).catch(() => undefined);
    }
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
