/** The panel of an estimate: what is shown of a config, what a click opens, and that it follows the config. */
import assert from 'node:assert/strict';
import { estimateScenarios } from '../page/estimateScenarios.js';
import { themeNames } from '../page/themes.js';
import { graveViolationsInThemes } from './axe.js';
import { assertFits } from './fits.js';
import { deceptive, look } from './lookAtTexts.js';
import { assertShows, openTab, requestsOf, tabNames, type Spec, waitForRequest } from './spec.js';

const withTables = estimateScenarios.filter((scenario) => scenario !== 'estimate-none' && scenario !== 'estimate-failed');

export const specs: Spec[] = [
  ...themeNames.flatMap((theme) =>
    [1400, 600].map(
      (width) =>
        ({
          name: `an estimate looks as it should: ${theme} at ${width}`,
          pictures: 'only',
          async run({ open, keepPicture }) {
            for (const scenario of ['estimate', 'estimate-full', 'estimate-serving'] as const)
              await keepPicture(await open({ scenario, theme, width, height: 900 }), `${scenario}-${theme}-${width}`, 'view');
          },
        }) satisfies Spec,
    ),
  ),
  {
    name: 'every tab of an estimate has its picture, and every odd one',
    pictures: 'only',
    async run({ open, keepPicture }) {
      for (const scenario of ['estimate-adapter', 'estimate-full', 'estimate-hostile'] as const) {
        const page = await open({ scenario, width: 1280 });
        for (const tab of await tabNames(page)) {
          await openTab(page, tab);
          await keepPicture(page, `${scenario}-${tab.toLowerCase().replaceAll(/\W+/g, '-')}`);
        }
      }
      for (const scenario of ['estimate-model', 'estimate-unknown', 'estimate-none', 'estimate-failed'] as const)
        await keepPicture(await open({ scenario, width: 1100 }), scenario);
    },
  },
  ...estimateScenarios.map(
    (scenario) =>
      ({
        name: `nothing overlaps or scrolls sideways at any width: ${scenario}`,
        async run({ open }) {
          const page = await open({ scenario });
          await assertFits(page, scenario);
          for (const tab of await tabNames(page)) {
            await page.setViewportSize({ width: 1400, height: 900 });
            await openTab(page, tab);
            await assertFits(page, `${scenario}, ${tab}`);
          }
        },
      }) satisfies Spec,
  ),
  {
    name: 'an estimate: other values are tried, and those of the config come back',
    async run({ open }) {
      for (const width of [1400, 600]) {
        const page = await open({ scenario: 'estimate-adapter', width, height: 900 });
        const tried = page.locator('stowage-what-if');
        await tried.getByRole('button', { name: 'What if' }).click();
        await tried.getByRole('slider', { name: 'Rank' }).press('ArrowRight');
        await tried.getByText('times as much').first().waitFor();
        assert.match((await tried.locator('dl').textContent()) ?? '', /A checkpoint.*instead of .*2 times as much/s);
        await assertFits(page, `what if at ${width}`);
        await tried.getByRole('combobox', { name: 'Optimizer' }).selectOption({ index: 1 });
        await waitForRequest<{ changes: object }>(page, 'whatIf', ({ changes }) => Object.keys(changes).length === 2);
        await tried.getByRole('button', { name: 'As the config has it' }).click();
        await tried.locator('dl').waitFor({ state: 'detached' });
        assert.equal(await tried.getByRole('slider', { name: 'Rank' }).getAttribute('aria-valuetext'), '16');
      }
    },
  },
  {
    name: 'what if has its picture',
    pictures: 'only',
    async run({ open, keepPicture }) {
      for (const theme of themeNames)
        for (const width of [1280, 600]) {
          const page = await open({ scenario: 'estimate-adapter', theme, width, height: 900 });
          const tried = page.locator('stowage-what-if');
          await tried.getByRole('button', { name: 'What if' }).click();
          await tried.getByRole('slider', { name: 'Rank' }).press('ArrowRight');
          await tried.getByText('times as much').first().waitFor();
          await keepPicture(page, `what-if-${theme}-${width}`, 'view');
        }
    },
  },
  {
    name: 'an estimate answers whether it fits, how large it is and why',
    async run({ open }) {
      const page = await open({ scenario: 'estimate' });
      await assertShows(
        page,
        'stowage-headline',
        'Fits: the run keeps 289 GB, 385 GB while the next save is written; 900 GB are free here, of which it takes 42.8 %.',
        '96.4 GB',
        '8,030,261,248 parameters',
        '3 of 50 checkpoints stay on disk, one every 200 steps: 289 GB',
      );
      await assertShows(page, 'stowage-term-bar', 'weights (f32)', 'first moment (f32)');
      assert.deepEqual(await tabNames(page), ['Checkpoint', 'Tensors', 'Serving', 'Training', 'Assumed']);
      await openTab(page, 'Tensors');
      await assertShows(page, 'stowage-estimate-table', 'model.layers.N.mlp.up_proj.weight', '14336 × 4096', '1,879,048,192');
      await assertShows(page, 'stowage-report-header', '96.4 GB', 'Fits');
    },
  },
  {
    name: 'a config that serves has what the model takes in memory, and no storage to plan',
    async run({ open }) {
      const page = await open({ scenario: 'estimate-serving' });
      await assertShows(
        page,
        'stowage-headline',
        'Nothing is trained, so no checkpoint is written.',
        '16.1 GB',
        'of weights in memory: 8,030,261,248 parameters',
        '153 GB with 64 at once',
      );
      await assertShows(
        page,
        'stowage-estimate-table',
        'cache of one sequence of 32,768 tokens',
        '2,147,483,648',
        'longest sequence: as this config sets it',
      );
      assert.equal(await page.getByRole('button', { name: 'Plan storage' }).count(), 0);
      assert.equal(await page.locator('stowage-term-bar').count(), 0);
    },
  },
  {
    name: 'what an estimate lacks is said in its first line',
    async run({ open }) {
      await assertShows(await open({ scenario: 'estimate-model' }), 'stowage-headline', 'Free space here is not known');
      const unknown = await open({ scenario: 'estimate-unknown' });
      await assertShows(unknown, 'stowage-headline', './llama is not counted');
      assert.equal(await unknown.locator('stowage-term-bar').count(), 0);
      await assertShows(
        await open({ scenario: 'estimate-none' }),
        'stowage-headline',
        'not a supported model or training config',
      );
      await assertShows(await open({ scenario: 'estimate-failed' }), 'stowage-headline', 'could not be read', 'EACCES');
    },
  },
  {
    name: 'findings of an estimate open the config where they are, and so does its button',
    async run({ open }) {
      const page = await open({ scenario: 'estimate-full' });
      await assertShows(page, 'stowage-headline', 'Does not fit', '2 warnings.');
      const findings = page.getByRole('region', { name: 'Findings' });
      await findings.getByRole('button', { name: 'save_steps' }).first().click();
      const { offset } = await waitForRequest<{ offset: number }>(page, 'openConfig', () => true);
      assert.ok(offset > 0);
      await page.getByRole('button', { name: 'Open config' }).click();
      await page.getByRole('button', { name: 'Plan storage' }).click();
      await page.getByRole('button', { name: 'Copy as Markdown' }).click();
      await page.getByText('Copied: the estimate as Markdown').waitFor();
      assert.deepEqual(await requestsOf(page, 'openConfig'), [{ offset }, { offset }]);
      assert.equal((await requestsOf(page, 'plan')).length, 1);
      assert.equal((await requestsOf(page, 'copyMarkdown')).length, 1);
    },
  },
  {
    name: 'a value that is not resolved opens the config where it is',
    async run({ open }) {
      const page = await open({ scenario: 'estimate-hostile' });
      await openTab(page, 'Not resolved');
      await page.getByRole('button', { name: 'save_total_limit' }).click();
      const { offset } = await waitForRequest<{ offset: number }>(page, 'openConfig', () => true);
      assert.ok(offset > 100);
    },
  },
  {
    name: 'an adapter has its own modules before those of the base model, which is not saved',
    async run({ open }) {
      const page = await open({ scenario: 'estimate-adapter' });
      assert.deepEqual(await tabNames(page), [
        'Checkpoint',
        'Adapter',
        'Base model, not saved',
        'Serving',
        'Training',
        'Assumed',
      ]);
      await assertShows(page, 'stowage-headline', '41,943,040 saved parameters, 12.00 bytes each');
    },
  },
  {
    name: 'an estimate follows its config, and leaves the reader where they are',
    async run({ open }) {
      const page = await open({ scenario: 'estimate-model' });
      await openTab(page, 'Tensors');
      const text = JSON.stringify({
        model_type: 'llama',
        hidden_size: 64,
        num_hidden_layers: 2,
        num_attention_heads: 4,
        vocab_size: 128,
      });
      await page.evaluate((changed) => window.fakeHost.send('estimate' as never, changed as never), text);
      await page.getByText('128 × 64').first().waitFor();
      assert.equal(
        await page
          .getByRole('tab', { selected: true })
          .innerText()
          .then((label) => label.slice(0, 7)),
        'Tensors',
      );
      await page.evaluate(() => window.fakeHost.send('estimate' as never, '{}' as never));
      await page.getByText('not a supported model or training config').waitFor();
    },
  },
  {
    name: 'Ctrl+F leads to the search of the table of an estimate',
    async run({ open }) {
      const page = await open({ scenario: 'estimate' });
      await openTab(page, 'Tensors');
      await page.keyboard.press('Control+f');
      await page.keyboard.type('norm');
      await page.getByText('up_proj').first().waitFor({ state: 'detached' });
      await assertShows(page, 'stowage-estimate-table', 'model.norm.weight');
    },
  },
  {
    name: 'text of a config stays text in its estimate',
    async run({ open }) {
      const page = await open({ scenario: 'estimate-hostile' });
      for (const tab of await tabNames(page)) {
        await openTab(page, tab);
        const { texts, foreign, hacked } = await look(page);
        assert.equal(hacked, false, tab);
        assert.deepEqual(foreign, [], tab);
        assert.deepEqual(
          texts.filter((text) => deceptive.test(text)),
          [],
          tab,
        );
        assert.ok(
          texts.some((text) => text.includes('window.hacked=1')),
          tab,
        );
      }
    },
  },
  {
    name: 'axe finds nothing serious in estimates',
    async run({ open }) {
      for (const scenario of withTables) {
        const page = await open({ scenario, foreignScript: true });
        assert.deepEqual(await graveViolationsInThemes(page), [], scenario);
      }
    },
  },
];
