import assert from 'node:assert/strict';
import type { Scenario } from '../page/fakeHost.js';
import { themeNames } from '../page/themes.js';
import { openTab, tabNames, type Spec } from './spec.js';

const oddScenarios: Scenario[] = ['empty', 'loading', 'failed', 'hostile', 'clean', 'broken'];

const datasetScenarios = ['dataset', 'dataset-huge', 'dataset-text', 'dataset-hostile', 'dataset-empty'] as const;

/** How far the page, not a table within it, can be scrolled sideways. */
const overflow = (): number => document.documentElement.scrollWidth - document.documentElement.clientWidth;

export const specs: Spec[] = [
  ...themeNames.flatMap((theme) =>
    [1280, 400].map(
      (width) =>
        ({
          name: `looks as it should: ${theme} at ${width}`,
          pictures: 'only',
          async run({ open, keepPicture }) {
            const page = await open({ scenario: 'sample', theme, width });
            await page.getByRole('treegrid').or(page.getByRole('table')).first().waitFor();
            await keepPicture(page, `report-${theme}-${width}`);
          },
        }) satisfies Spec,
    ),
  ),
  ...oddScenarios.map(
    (scenario) =>
      ({
        name: `looks as it should: ${scenario}`,
        pictures: 'only',
        async run({ open, keepPicture }) {
          await keepPicture(await open({ scenario, width: 1100 }), scenario);
        },
      }) satisfies Spec,
  ),
  ...themeNames.flatMap((theme) =>
    [1280, 480].map(
      (width) =>
        ({
          name: `a dataset looks as it should: ${theme} at ${width}`,
          pictures: 'only',
          async run({ open, keepPicture }) {
            for (const scenario of ['dataset', 'dataset-text'] as const) {
              const page = await open({ scenario, theme, width });
              await keepPicture(page, `${scenario}-${theme}-${width}`);
            }
          },
        }) satisfies Spec,
    ),
  ),
  {
    name: 'every tab of a dataset has its picture',
    pictures: 'only',
    async run({ open, keepPicture }) {
      for (const [scenario, theme, width] of [
        ['dataset', 'vscode-dark', 1280],
        ['dataset', 'vscode-light', 480],
        ['dataset', 'vscode-high-contrast', 1280],
        ['dataset-huge', 'vscode-dark', 1280],
        ['dataset-hostile', 'vscode-dark', 1280],
        ['dataset-empty', 'vscode-dark', 1280],
      ] as const) {
        const page = await open({ scenario, theme, width });
        for (const tab of await tabNames(page)) {
          await openTab(page, tab);
          await keepPicture(page, `${scenario}-${tab.toLowerCase().replace(' ', '-')}-${theme}-${width}`);
        }
      }
    },
  },
  {
    name: 'every tab has its picture',
    pictures: 'only',
    async run({ open, keepPicture }) {
      for (const [theme, width] of [
        ['vscode-dark', 1280],
        ['vscode-light', 1280],
        ['vscode-light', 400],
        ['vscode-high-contrast', 800],
      ] as const) {
        const page = await open({ scenario: 'sample', theme, width });
        for (const tab of await tabNames(page)) {
          await openTab(page, tab);
          await keepPicture(page, `tab-${tab.toLowerCase()}-${theme}-${width}`);
        }
      }
    },
  },
  {
    name: 'a page of 360 pixels never scrolls sideways, whatever the tab and the names',
    async run({ open }) {
      for (const scenario of [...datasetScenarios, 'sample', 'hostile', 'run', 'ranks', 'empty', 'loading', 'failed'] as const) {
        const page = await open({ scenario, width: 360, height: 700 });
        assert.ok((await page.evaluate(overflow)) <= 0, scenario);
        if (scenario === 'loading' || scenario === 'failed') continue;
        for (const tab of await tabNames(page)) {
          await openTab(page, tab);
          assert.ok((await page.evaluate(overflow)) <= 0, `${scenario}, ${tab}`);
        }
      }
    },
  },
];
