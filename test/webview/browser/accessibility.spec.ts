import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { graveViolations, graveViolationsInThemes } from './axe.js';
import { assertTree, treesKept } from './accessibilityTree.js';
import { focusedElement, namesReachedByTab } from './focus.js';
import { nextFrames, openTab, tabNames, type Spec } from './spec.js';

export const specs: Spec[] = [
  {
    name: 'texts of every panel have one of four sizes',
    async run({ open }) {
      for (const scenario of [
        'sample',
        'ranks',
        'dataset',
        'plan-405b',
        'estimate-full',
        'estimate-serving',
        'saves',
        'compare-values',
        'compare-tensors',
        'plan-impossible',
        'bandwidth',
        'bandwidth-done',
      ] as const) {
        const page = await open({ scenario });
        for (const tab of await page.getByRole('tab').all()) {
          await tab.click();
          await nextFrames(page);
          assert.deepEqual(await sizesOfTexts(page), [], scenario);
        }
        assert.deepEqual(await sizesOfTexts(page), [], scenario);
      }
    },
  },
  {
    name: 'the accessibility tree of each panel is the one that is kept',
    async run({ open }) {
      for (const { scenario, width = 1280 } of treesKept) {
        const page = await open({ scenario, width });
        await page
          .getByText(
            /nothing was executed|Show details|Start check|Writing, repeat|Use in a plan|Cancel|Inspect again|At most 2 fit|Nothing is trained|Follow|Check bandwidth|Swap sides|Compare again/,
          )
          .first()
          .waitFor();
        // What readers hear of the progress comes a while after what is shown.
        if (scenario === 'loading')
          await page.getByRole('status').filter({ hasText: 'of 64 files' }).waitFor({ state: 'attached' });
        await nextFrames(page);
        await assertTree(scenario, await page.locator('body').ariaSnapshot());
      }
    },
  },
  {
    name: 'forced colours leave what is chosen and how far it is to be seen',
    async run({ open }) {
      for (const [scenario, marked, property] of [
        ['plan-405b', 'stowage-plan-contents [aria-current="true"]', 'border-bottom-color'],
        ['sample', '[role=tab][aria-selected="true"]', 'border-bottom-color'],
        ['loading', '.track .done', 'background-color'],
        ['bandwidth-running', '.track .done', 'background-color'],
      ] as const) {
        const page = await open({ scenario });
        const answers = page.getByRole('navigation', { name: 'Answers' });
        if (scenario === 'plan-405b') await answers.getByRole('button', { name: 'Restoring' }).click();
        const colour = (): Promise<string> =>
          page
            .locator(marked)
            .first()
            .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
        const chosen = await colour();
        await page.emulateMedia({ forcedColors: 'active' });
        try {
          const highlight = await page.evaluate(() => {
            const probe = document.createElement('div');
            document.body.append(probe);
            probe.style.setProperty('background-color', 'Highlight');
            const { backgroundColor } = getComputedStyle(probe);
            probe.remove();
            return backgroundColor;
          });
          assert.equal(await colour(), highlight, scenario);
        } finally {
          await page.emulateMedia({ forcedColors: 'none' });
        }
        assert.equal(await colour(), chosen, scenario);
      }
    },
  },
  {
    name: 'nothing moves by itself where less motion is asked for',
    async run({ open }) {
      for (const scenario of ['sample', 'loading', 'plan-405b', 'bandwidth-running'] as const) {
        const page = await open({ scenario });
        const moving = await page.evaluate(() => {
          const found: string[] = [];
          const visit = (root: ParentNode): void => {
            for (const element of root.querySelectorAll('*')) {
              const { transitionDuration, animationName } = getComputedStyle(element);
              if (/[1-9]/.test(transitionDuration) || animationName !== 'none')
                found.push(`${element.localName}.${element.className}`);
              // Icons and buttons of the toolkit have styles of their own.
              if (element.shadowRoot !== null && element.localName.startsWith('stowage-')) visit(element.shadowRoot);
            }
          };
          visit(document);
          return found;
        });
        assert.deepEqual(moving, [], scenario);
      }
    },
  },
  {
    name: 'the bar and the sum are one stop of Tab each, with arrow keys inside',
    async run({ open }) {
      const page = await open({ scenario: 'sample' });
      const reached = await namesReachedByTab(page, 12);
      assert.equal(reached.filter((name) => name.includes(': show ')).length, 1, reached.join(' | '));
      assert.equal(reached.filter((name) => /^[\d.,]+ (bytes per parameter|weights|master|parameters)/.test(name)).length, 1);
      for (const [group, first, second, last] of [
        ['stowage-stacked-bar', /^weights/, /^master weights/, /^second moment/],
        ['stowage-bytes-per-parameter', /bytes per parameter/, /weights, bf16/, /parameters$/],
      ] as const) {
        const buttons = page.locator(group).getByRole('button');
        await buttons.first().focus();
        for (const [key, name] of [
          ['ArrowRight', second],
          ['End', last],
          ['ArrowRight', first],
          ['ArrowLeft', last],
          ['Home', first],
        ] as const) {
          await page.keyboard.press(key);
          await nextFrames(page);
          const focused = await (
            await focusedElement(page)
          ).evaluate(
            (element) => element.getAttribute('aria-label') ?? (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim(),
          );
          assert.match(focused, name, `${group}, ${key}`);
        }
        // The stop stays where the keys left it.
        assert.equal(await page.locator(`${group} [tabindex="0"]`).count(), 1);
      }
    },
  },
  {
    name: 'axe finds nothing serious on any tab, in any theme',
    async run({ open }) {
      const page = await open({ scenario: 'sample', foreignScript: true });
      await page.getByRole('button', { name: /4\.00 first moment/ }).click();
      for (const tab of await tabNames(page)) {
        await openTab(page, tab);
        if (tab === 'Objects') await page.getByRole('treeitem').first().click();
        if (tab === 'Tensors') {
          await page.locator('[id="row-1"] bdi').first().waitFor();
          await page.getByRole('grid').focus();
          await page.keyboard.press('ArrowDown');
          await page.keyboard.press('Enter');
          await page.getByRole('complementary').getByText('at byte').waitFor();
          await page.getByRole('button', { name: 'Layer', exact: true }).click();
          await page.getByRole('listbox').waitFor();
        }
        assert.deepEqual(await graveViolationsInThemes(page), [], tab);
      }
    },
  },
  {
    name: 'axe finds nothing serious on any tab of a dataset, in any theme',
    async run({ open }) {
      const page = await open({ scenario: 'dataset', foreignScript: true });
      await page.getByRole('button', { name: 'Bytes a token: where' }).click();
      for (const tab of await tabNames(page)) {
        await openTab(page, tab);
        if (tab === 'Lengths') await page.getByRole('button', { name: 'Show as table' }).click();
        if (tab === 'Read load') await page.getByLabel('Sequence length').fill('none');
        assert.deepEqual(await graveViolationsInThemes(page), [], tab);
      }
    },
  },
  {
    name: 'axe finds nothing serious in datasets that are estimated, huge or empty',
    async run({ open }) {
      for (const scenario of ['dataset-text', 'dataset-huge', 'dataset-empty'] as const) {
        const page = await open({ scenario, theme: 'vscode-light', width: 480, foreignScript: true });
        if (scenario === 'dataset-text') await page.getByRole('button', { name: 'Tokens: where' }).click();
        if (scenario === 'dataset-huge') await openTab(page, 'Lengths');
        assert.deepEqual(await graveViolations(page), [], scenario);
      }
    },
  },
  {
    name: 'axe finds nothing serious while loading, after a failure, in an empty folder, in an open menu, in a run and with many ranks',
    async run({ open }) {
      for (const scenario of ['loading', 'failed', 'empty', 'sample', 'run', 'ranks'] as const) {
        const page = await open({ scenario, theme: 'vscode-light', width: 400, foreignScript: true });
        if (scenario === 'ranks') await openTab(page, 'Ranks');
        if (scenario === 'sample') await page.getByRole('button', { name: 'Export' }).click();
        assert.deepEqual(await graveViolations(page), [], scenario);
      }
    },
  },
];

/** Sizes of texts that are none of the four, with the texts. SVG labels are scaled with their chart. */
function sizesOfTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const known = new Set(['20px', '15px', '13px', '12px']);
    const odd = new Set<string>();
    const visit = (node: Node): void => {
      if (node instanceof Text) {
        const element = node.parentElement;
        if (element === null || node.data.trim() === '' || element instanceof HTMLStyleElement) return;
        const { fontSize } = getComputedStyle(element);
        if (!known.has(fontSize)) odd.add(`${fontSize}: ${node.data.trim().slice(0, 40)}`);
        return;
      }
      if (node instanceof SVGElement) return;
      if (node instanceof Element && node.shadowRoot !== null) visit(node.shadowRoot);
      for (const child of node.childNodes) visit(child);
    };
    visit(document.body);
    return [...odd];
  });
}
