import type { Browser, Page } from 'playwright-core';
import type { PageServer } from '../page/pageServer.js';
import type { OpenOptions } from './spec.js';

/** Ends a hang. No result depends on it: a busy machine may take many times as long as an idle one. */
const hangMs = 60_000;

/**
 * A tab that shows one panel after the other, each in a new document. A tab for each would cost a process each, and of several
 * tabs in a window the browser draws only the one in front.
 */
export class PanelTab {
  private page: Page | undefined;
  /** What the document in the tab has reported. */
  private problems: string[] = [];
  /** Whether a script of the test makes the document report what it would not report by itself. */
  private isForeign = false;

  constructor(
    private readonly browser: Browser,
    private readonly server: PageServer,
  ) {}

  /** Shows a panel in place of the one before. */
  async open({
    scenario,
    theme = 'vscode-dark',
    width = 1280,
    height = 1000,
    foreignScript = false,
  }: OpenOptions): Promise<Page> {
    await this.empty();
    const page = (this.page ??= await this.newPage());
    this.isForeign = foreignScript;
    await page.setViewportSize({ width, height });
    await page.goto(this.server.url(scenario, theme));
    await page
      .locator(
        'stowage-report h1, stowage-estimate h1, stowage-planner h1, stowage-bandwidth h1, stowage-run h1, stowage-compare h1',
      )
      .first()
      .waitFor();
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    return page;
  }

  /** Takes the document, what it stored and the pointer out of the tab. Fails if the document has reported an error. */
  async empty(): Promise<void> {
    const { page } = this;
    if (page === undefined) return;
    const violations = await page.evaluate(() => window.violations ?? []);
    const problems = this.isForeign ? [] : [...this.problems, ...violations];
    await page.goto(this.server.emptyUrl);
    await page.evaluate(() => sessionStorage.clear());
    await page.mouse.move(0, 0);
    this.problems = [];
    this.isForeign = false;
    if (problems.length > 0) throw new Error(`the page reported: ${problems.join('\n')}`);
  }

  async keepPicture(path: string): Promise<void> {
    await this.page?.screenshot({ path }).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.page?.context().close();
    this.page = undefined;
    this.problems = [];
  }

  private async newPage(): Promise<Page> {
    const context = await this.browser.newContext({ reducedMotion: 'reduce' });
    const page = await context.newPage();
    page.setDefaultTimeout(hangMs);
    page.on('pageerror', (error) => this.problems.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.problems.push(message.text());
    });
    return page;
  }
}
