import { scenarios, type Scenario } from '../page/scenarios.js';
import { themeNames } from '../page/themes.js';
import { assertFits } from './fits.js';
import { openTab, tabNames, type Spec } from './spec.js';

const oddScenarios: Scenario[] = ['empty', 'loading', 'failed', 'hostile', 'clean', 'broken'];

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
  {
    name: 'a collection and a cache have their pictures',
    pictures: 'only',
    async run({ open, keepPicture }) {
      for (const scenario of ['collection', 'hub-cache'] as const)
        for (const [theme, width] of [
          ['vscode-dark', 1280],
          ['vscode-light', 480],
          ['vscode-high-contrast', 1280],
        ] as const)
          await keepPicture(await open({ scenario, theme, width }), `${scenario}-${theme}-${width}`);
    },
  },
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
  ...scenarios
    .filter((scenario) => scenario !== 'many')
    .map(
      (scenario) =>
        ({
          name: `nothing overlaps or scrolls sideways at any width: ${scenario}`,
          async run({ open }) {
            const page = await open({ scenario });
            if (scenario === 'loading') await page.getByRole('button', { name: 'Cancel' }).waitFor();
            await assertFits(page, scenario);
            for (const tab of await tabNames(page)) {
              await page.setViewportSize({ width: 1400, height: 900 });
              await openTab(page, tab);
              await assertFits(page, `${scenario}, ${tab}`);
            }
          },
        }) satisfies Spec,
    ),
];
