import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { PlanPanelRequests } from '../../../src/protocol/messages.js';
import { planScenarios } from '../page/planScenarios.js';
import { themeNames } from '../page/themes.js';
import { allViolations, allViolationsInThemes } from './axe.js';
import { assertFits } from './fits.js';
import { assertReachedInOrder, namesReachedByTab } from './focus.js';
import { deceptive, look } from './lookAtTexts.js';
import { assertShows, nextFrames, requestsOf, textOf, waitForRequest, type Spec } from './spec.js';

type Params<K extends keyof PlanPanelRequests> = Parameters<PlanPanelRequests[K]>[0];

function inputOf(page: Page, label: string): Locator {
  return page.getByRole('textbox', { name: label, exact: true });
}

/** Types a text into an input, as a reader does. */
async function type(page: Page, label: string, text: string): Promise<void> {
  const input = inputOf(page, label);
  if (!(await input.isVisible())) await openAllInputs(page);
  await input.fill(text);
  await nextFrames(page);
}

async function openAllInputs(page: Page): Promise<void> {
  const closed = page.locator('stowage-plan-inputs').getByRole('button', { expanded: false });
  while ((await closed.count()) > 0) await closed.first().click();
  await nextFrames(page);
}

/** Every group, formula and table, and what is closed within them. */
async function openAnswers(page: Page): Promise<void> {
  const closed = page.locator('main .columns').getByRole('button', { expanded: false });
  while ((await closed.count()) > 0) {
    await closed.evaluateAll((buttons) => buttons.forEach((button) => (button as HTMLElement).click()));
    await nextFrames(page);
  }
}

async function shows(page: Page, section: string, ...texts: string[]): Promise<void> {
  await assertShows(page, `stowage-plan-section:has(h2:text-is("${section}"))`, ...texts);
}

/** Waits until the host has got an input; undefined where it has its default again. */
async function given(page: Page, key: string, value: unknown): Promise<PlanFile> {
  const fileOf = ({ text }: Params<'change'>): PlanFile => JSON.parse(text) as PlanFile;
  return fileOf(await waitForRequest<Params<'change'>>(page, 'change', (params) => fileOf(params).inputs[key] === value));
}

interface PlanFile {
  inputs: Record<string, unknown>;
  origins: Record<string, { kind: string }>;
}

export const specs: Spec[] = [
  {
    name: 'planner: the plan is set beside itself with other inputs, and a text that is none says why',
    async run({ open }) {
      const page = await open({ scenario: 'plan-405b', width: 1400, height: 900 });
      const comparison = page.locator('stowage-plan-comparison');
      const input = comparison.getByRole('textbox', { name: 'Other inputs' });
      await input.fill('gpus=many');
      await input.press('Enter');
      await assertShows(page, 'stowage-plan-comparison', 'gpus takes an amount such as');
      assert.equal(await input.getAttribute('aria-invalid'), 'true');
      for (const text of ['gpus=16512', 'writeBytesPerSecond=20GB/s']) {
        await input.fill(text);
        await comparison.getByRole('button', { name: 'Add' }).click();
        await nextFrames(page);
      }
      await assertShows(page, 'stowage-plan-comparison', 'this plan', 'gpus=16512', '20 GB/s', 'for a billion tokens');
      await comparison.getByRole('button', { name: 'Remove gpus=16512' }).click();
      await nextFrames(page);
      assert.equal((await textOf(page, 'stowage-plan-comparison')).includes('16,512'), false);
      await page.evaluate(() => window.scrollTo(0, 0));
      await assertFits(page, 'a comparison');
    },
  },
  {
    name: 'planner: the cluster is read on request, and what it has is in the plan with its command',
    async run({ open }) {
      const page = await open({ scenario: 'plan' });
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Read from this cluster…' }).click();
      await given(page, 'gpus', 16);
      const { inputs, origins } = await given(page, 'walltimeSeconds', 172_800);
      assert.deepEqual([inputs['gpu'], inputs['store'], inputs['storeCapacityBytes']], ['h100', 'nfs', 1_024_000]);
      assert.deepEqual(origins['gpus'], { kind: 'read', text: 'sinfo, partition gpu' });
      await assertShows(page, 'stowage-planner', 'Taken: GPUs, GPUs a node, GPU model');
    },
  },
  {
    name: 'planner: what to do has its lines to paste',
    async run({ open }) {
      const page = await open({ scenario: 'plan-405b', width: 1400, height: 900 });
      const step = page.locator('stowage-plan-steps li').nth(1);
      await step.getByRole('button', { name: 'Copy' }).click();
      const { text } = await waitForRequest<Params<'copyText'>>(page, 'copyText', () => true);
      assert.equal(text, 'stowage bandwidth DIRECTORY --size 5.68TB --nodes 2048 --interval 331s');
    },
  },
  {
    name: 'planner: settings of a framework are copied as they stand',
    async run({ open }) {
      const page = await open({ scenario: 'plan-405b', width: 1400, height: 900 });
      await openAllInputs(page);
      await page.getByRole('combobox', { name: 'Framework', exact: true }).selectOption('torchtitan');
      await type(page, 'Time of a step', '6');
      const section = page.locator('stowage-plan-section:has(h2:text-is("Settings for torchtitan"))');
      // Out of view it is drawn when the typing pauses.
      await section.locator('pre', { hasText: 'interval' }).waitFor();
      const code = (await section.locator('pre').textContent()) ?? '';
      assert.match(code, /^\[checkpoint\]\nenable = true\ninterval = \d+\nkeep_latest_k = 3\nasync_mode = "async"$/);
      await section.getByRole('button', { name: 'Copy' }).click();
      const { text } = await waitForRequest<Params<'copyText'>>(page, 'copyText', () => true);
      assert.equal(text, code);
    },
  },
  {
    name: 'planner: the decision, its numbers and what to do stand above the inputs, and lead to their sections',
    async run({ open }) {
      for (const width of [1400, 600]) {
        const page = await open({ scenario: 'plan-405b', width, height: 900 });
        const parts = ['stowage-plan-advice', 'stowage-plan-tiles', 'stowage-plan-steps', 'stowage-plan-inputs'];
        const boxes = await Promise.all(parts.map((part) => page.locator(part).boundingBox()));
        const tops = boxes.map((box) => box?.y ?? NaN);
        assert.deepEqual(
          [...tops].sort((a, b) => a - b),
          tops,
        );
        assert.ok((tops[3] ?? Infinity) < 900, `${width}: ${tops.join(' ')}`);
        await assertShows(page, 'stowage-plan-advice', 'Save every 5.5 minutes to Lustre: needs 171 GB/s, keeps 94.1 % goodput.');
      }
      const page = await open({ scenario: 'plan-405b', width: 1400, height: 900 });
      await page.locator('stowage-plan-tiles').getByRole('button', { name: 'Goodput' }).click();
      const section = page.locator('stowage-plan-section:has(h2:text-is("What matters most"))');
      await nextFrames(page);
      const box = await section.boundingBox();
      assert.ok(box !== null && box.y > -5 && box.y < 900);
    },
  },
  {
    name: 'planner: five inputs are open, the others are folded to their values and open by a click',
    async run({ open }) {
      for (const width of [1400, 600]) {
        const page = await open({ scenario: 'plan-405b', width });
        const inputs = page.locator('stowage-plan-inputs');
        const names = await inputs
          .locator('stowage-plan-input')
          .evaluateAll((elements) => elements.map((element) => element.shadowRoot?.querySelector('label')?.textContent));
        assert.deepEqual(names, ['Parameters', 'GPUs', 'What is saved', 'Storage', 'Interval']);
        const cluster = inputs.getByRole('button', { name: 'Cluster 16,384 GPUs, TP 8, PP 16' });
        await type(page, 'GPUs', '8192');
        await inputs.getByRole('button', { name: 'Cluster 8,192 GPUs, TP 8, PP 16' }).waitFor();
        assert.equal(await cluster.count(), 0);
        await inputs.getByRole('button', { name: /^Cluster/ }).click();
        assert.equal(await inputOf(page, 'Tensor parallel').inputValue(), '8');
        // A plain number has no box for a unit.
        assert.equal(await page.locator('.unit:text-is("")').count(), 0);
      }
    },
  },
  {
    name: 'planner: tables beside the inputs show their last column, and a sign where they have to scroll',
    async run({ open }) {
      for (const width of [1400, 1000]) {
        const page = await open({ scenario: 'plan-405b', width });
        await openAnswers(page);
        const cut = await page.locator('stowage-plan-section').evaluateAll((sections) =>
          sections.flatMap((section) =>
            [...(section.shadowRoot?.querySelectorAll('stowage-table') ?? [])].flatMap((table) => {
              const frame = table.shadowRoot?.querySelector('.scroll-x');
              return frame != null && frame.scrollWidth > frame.clientWidth
                ? [frame.querySelector('caption')?.textContent.trim()]
                : [];
            }),
          ),
        );
        assert.ok(!cut.includes('Where saves go') && !cut.includes('What a failure costs'), `${width}: ${cut.join(', ')}`);
      }
      const page = await open({ scenario: 'plan-405b', width: 400 });
      await openAnswers(page);
      const frame = page.getByRole('group', { name: 'Where saves go' });
      assert.match((await frame.getAttribute('class')) ?? '', /cut/);
      await frame.evaluate((element) => (element.scrollLeft = element.scrollWidth));
      await page.locator('.scroll-x:not(.cut)', { has: page.getByText('Where saves go') }).waitFor();
    },
  },
  {
    name: 'planner: one row of links stays in sight and marks the answer that is read',
    async run({ open }) {
      for (const width of [1400, 600]) {
        const page = await open({ scenario: 'plan-405b', width, height: 700 });
        const links = page.getByRole('navigation', { name: 'Answers' });
        const marked = links.locator('[aria-current="true"]');
        assert.equal(await marked.count(), 0);
        for (const name of ['Restoring', 'How often to save']) {
          await links.getByRole('button', { name }).click();
          await links.locator('[aria-current="true"]', { hasText: name }).waitFor();
          const [row, heading] = await Promise.all([
            links.boundingBox(),
            page.locator(`stowage-plan-section h2:text-is("${name}")`).boundingBox(),
          ]);
          assert.ok(row !== null && heading !== null);
          assert.ok(Math.abs(row.y) < 2 && row.height < 44, `${width}: the row is at ${row.y}, ${row.height} high`);
          assert.ok(heading.y >= row.y + row.height && heading.y < 160, `${width}: ${name} is at ${heading.y}`);
        }
        await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
        await links.locator('[aria-current="true"]', { hasText: 'What matters most' }).waitFor();
      }
    },
  },
  {
    name: 'planner: what is wrong with an input stands at it, with an icon and a border',
    async run({ open }) {
      const page = await open({ scenario: 'plan-405b' });
      await type(page, 'GPUs', 'many');
      const input = page.locator('stowage-plan-input', { has: inputOf(page, 'GPUs') });
      await input.locator('.problem vscode-icon[name="error"]').waitFor();
      await input.locator('.frame.wrong').waitFor();
      assert.equal(await inputOf(page, 'GPUs').getAttribute('aria-describedby'), 'hint problem');
      assert.equal(await input.locator('#problem').innerText(), 'This is no amount. Write it like 16,384 or 405B.');
    },
  },
  {
    name: 'planner: a plan of Llama 3 405B gives its published numbers',
    async run({ open }) {
      const page = await open({ scenario: 'plan-405b' });
      await shows(page, 'A checkpoint', '5.68 TB', 'written by 16,384 of 16,384 GPUs: 347 MB each');
      await shows(page, 'How often to save', 'every 5.5 minutes');
      await shows(page, 'Storage against GPU time', '171 GB/s', 'is worth its money');
    },
  },
  {
    name: 'planner: the Megatron 1T run of 2021 comes out as it was published, typed by hand',
    async run({ open }) {
      const page = await open({ scenario: 'plan' });
      await openAllInputs(page);
      for (const [label, text] of [
        ['Parameters', '1,008,038,707,200'],
        ['Checkpoint', '13.8 TB'],
        ['GPUs', '3072'],
        ['Tensor parallel', '8'],
        ['Pipeline parallel', '64'],
        ['Interval', '4 h'],
        ['Write bandwidth', '273 GB/s'],
      ] as const)
        await type(page, label, text);
      await page.getByLabel('Way of saving').selectOption('synchronous');
      await openAnswers(page);
      await shows(page, 'A checkpoint', '13.8 TB', 'written by 512 of 3,072 GPUs');
      await shows(page, 'Write bandwidth', '50.5 s', '0.35 %');
      await shows(page, 'Restoring', '1.64 TB/s');
    },
  },
  {
    name: 'planner: typing a number of parameters gives the sizes that MLPerf Storage publishes',
    async run({ open }) {
      const page = await open({ scenario: 'plan' });
      for (const [parameters, size] of [
        ['8,030,261,248', '112 GB'],
        ['69,882,617,856', '978 GB'],
        ['405,853,388,800', '5.68 TB'],
        ['1183035102480', '16.6 TB'],
      ] as const) {
        await type(page, 'Parameters', parameters);
        await shows(page, 'A checkpoint', size);
      }
    },
  },
  {
    name: 'planner: 560 GB every 15 minutes for 90 days come to 4.838 PB before anything is deleted',
    async run({ open }) {
      const page = await open({ scenario: 'plan' });
      await openAllInputs(page);
      await type(page, 'Checkpoint', '560 GB');
      await type(page, 'Interval', '15 min');
      await type(page, 'Length of the run', '90 d');
      await page.getByRole('button', { name: 'formula of 4.84 PB' }).click();
      await page.getByText('4,838,400,000,000,000 B').waitFor();
    },
  },
  {
    name: 'planner: typing moves the answers within a frame and tells the host once, after a pause or at once on Enter',
    async run({ open }) {
      const page = await open({ scenario: 'plan-405b' });
      await openAllInputs(page);
      const input = inputOf(page, 'Overlap wanted');
      // Both digits in one task: however slow the machine is, no pause is between them.
      const givenAtOnce = await input.evaluate((element) => {
        for (const text of ['2', '20']) {
          (element as HTMLInputElement).value = text;
          element.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
        }
        return window.fakeHost.requests.some(({ method }) => method === 'change');
      });
      assert.equal(givenAtOnce, false);
      await nextFrames(page);
      await shows(page, 'Write bandwidth', '86 GB/s');
      await waitForRequest<Params<'change'>>(page, 'change', ({ text }) => text.includes('"overlapTarget": 0.2'));
      assert.equal((await requestsOf(page, 'change')).length, 1);
      await page.getByText('· changed').waitFor();
      await input.press('End');
      await page.keyboard.type('.5');
      await page.keyboard.press('Enter');
      const { origins } = await given(page, 'overlapTarget', 0.205);
      assert.equal(origins['overlapTarget']?.kind, 'set');
      assert.equal(await input.inputValue(), '20.5');
    },
  },
  {
    name: 'planner: units are understood, what is no number says so, and the last good value stays in force',
    async run({ open }) {
      const page = await open({ scenario: 'plan-405b' });
      await type(page, 'Write bandwidth', '2 TB/s');
      await page.keyboard.press('Enter');
      await given(page, 'writeBytesPerSecond', 2e12);
      assert.equal(await inputOf(page, 'Write bandwidth').inputValue(), '2000');
      for (const [text, problem] of [
        ['fast', 'This is no amount. Write it like 172 GB/s.'],
        ['400 gb/s', 'This may be 400 GB/s or 400 Gbit/s. Write one of them.'],
        ['-3', 'It must be at least 0.000001 GB/s.'],
        ['1e9', 'It must be at most 1,000,000 GB/s.'],
      ] as const) {
        await type(page, 'Write bandwidth', text);
        await page.getByText(problem).waitFor();
        assert.equal(await inputOf(page, 'Write bandwidth').getAttribute('aria-invalid'), 'true');
      }
      await type(page, 'Overlap wanted', '');
      await page.getByText('A number is needed, such as 10 %.').waitFor();
      await page.keyboard.press('Tab');
      await given(page, 'writeBytesPerSecond', 2e12);
      await page.getByRole('button', { name: 'Reset Write bandwidth' }).click();
      assert.equal(await page.getByText('This is no amount').count(), 0);
      await given(page, 'writeBytesPerSecond', undefined);
    },
  },
  {
    name: 'planner: an input that is derived shows its value and what derives it, and empty again derives it again',
    async run({ open }) {
      const page = await open({ scenario: 'plan-405b' });
      await openAllInputs(page);
      const input = inputOf(page, 'Data parallel');
      assert.equal(await input.getAttribute('placeholder'), '128');
      await type(page, 'Data parallel', '64');
      await page.keyboard.press('Enter');
      await given(page, 'dataParallel', 64);
      await type(page, 'Data parallel', '');
      await page.keyboard.press('Enter');
      await given(page, 'dataParallel', null);
      assert.equal(await input.getAttribute('placeholder'), '128');
      assert.ok((await textOf(page, 'stowage-plan-inputs')).includes('GPUs ÷ (TP × PP)'));
    },
  },
  {
    name: 'planner: each input says where it comes from: measured, read in a config, a preset, typed or assumed',
    async run({ open }) {
      const page = await open({ scenario: 'plan-measured' });
      await openAllInputs(page);
      await assertShows(page, 'stowage-plan-inputs', 'Parameters measured', 'GPUs from ds_config.json', 'GPUs a node assumed');
      await shows(page, 'A checkpoint', '128 GB');
      await type(page, 'GPUs a node', '4');
      await page.keyboard.press('Enter');
      assert.ok(!(await textOf(page, 'stowage-plan-inputs')).includes('GPUs a node assumed'));
    },
  },
  {
    name: 'planner: a preset fills the inputs, and what the host sends replaces what was typed',
    async run({ open }) {
      const page = await open({ scenario: 'plan' });
      await page.getByLabel('Preset').selectOption('405b');
      await shows(page, 'A checkpoint', '5.68 TB');
      const { text } = await waitForRequest<Params<'change'>>(page, 'change', (params) => params.text.includes('405853388800'));
      await page.getByLabel('Preset').selectOption('8b');
      await shows(page, 'A checkpoint', '112 GB');
      await page.evaluate(
        (undone) => window.fakeHost.send('plan' as never, { text: undone, fileName: 'undone.json' } as never),
        text,
      );
      await nextFrames(page);
      await shows(page, 'A checkpoint', '5.68 TB');
      assert.equal(await inputOf(page, 'Parameters').inputValue(), '405,853,388,800');
    },
  },
  {
    name: 'planner: save, open as text, copy and export ask the host, with what was typed before them',
    async run({ open }) {
      const page = await open({ scenario: 'plan-405b' });
      await type(page, 'GPUs', '8192');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await waitForRequest(page, 'save', () => true);
      const order = await page.evaluate(() => window.fakeHost.requests.map(({ method }) => method));
      assert.deepEqual(order, ['change', 'save']);
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Open as text' }).click();
      await waitForRequest(page, 'openText', () => true);
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Copy as Markdown' }).click();
      const { text } = await waitForRequest<Params<'copyText'>>(page, 'copyText', () => true);
      assert.ok(text.startsWith('# Storage plan'));
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Markdown with charts…' }).click();
      const sent = await waitForRequest<Params<'exportPlan'>>(page, 'exportPlan', () => true);
      await page.getByText('Exported: plan.md').waitFor();
      assert.equal(sent.folder, 'llama-405b-charts');
      assert.ok(sent.charts.length >= 3);
      for (const { name, svg } of sent.charts) {
        assert.ok(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg"'), name);
        assert.ok(sent.text.includes(`${sent.folder}/${name}`), name);
      }
    },
  },
  {
    name: 'planner: each export of the menu asks for a file, the volume claim for its class first',
    async run({ open }) {
      const page = await open({ scenario: 'plan-405b' });
      for (const [label, ending, beginning] of [
        ['JSON…', 'json', '{'],
        ['MLPerf Storage workload…', 'mlperf-storage.yaml', '# MLPerf Storage v2.0'],
        ['DLIO workload…', 'dlio.yaml', '# DLIO workload'],
        ['Kubernetes volume claim…', 'kubernetes.yaml', '# Room for the checkpoints'],
      ] as const) {
        await page.getByRole('button', { name: 'Export', exact: true }).click();
        await page.getByRole('menuitem', { name: label }).click();
        const sent = await waitForRequest<Params<'exportPlan'>>(page, 'exportPlan', (params) => params.ending === ending);
        assert.ok(sent.text.startsWith(beginning), sent.text.slice(0, 80));
        await page.getByText(`Exported: plan.${ending}`).waitFor();
      }
      const { hint } = await waitForRequest<Params<'askVolume'>>(page, 'askVolume', () => true);
      assert.match(hint, /^Storage class for Lustre/);
      const claims = await page.evaluate(() => window.fakeHost.requests.map(({ params }) => JSON.stringify(params)));
      assert.ok(claims.some((params) => params.includes('storageClassName: \\"fast-lustre\\"')));
    },
  },
  {
    name: 'planner: a formula, its steps and its source open by keys, and stay open after a reload',
    async run({ open }) {
      const page = await open({ scenario: 'plan-405b' });
      const formula = page.getByRole('button', { name: 'formula of 5.68 TB' });
      await formula.focus();
      assert.equal(await formula.getAttribute('aria-expanded'), 'false');
      await page.keyboard.press('Enter');
      assert.equal(await formula.getAttribute('aria-expanded'), 'true');
      await page.getByText('405,853,388,800').first().waitFor();
      await page.getByRole('button', { name: /^Show as table.*interval/ }).click();
      await page.evaluate(() => window.scrollTo(0, 700));
      await page.waitForFunction(() => {
        const { scroll } = JSON.parse(sessionStorage.getItem('view-state') ?? '{}') as { scroll?: number };
        return Math.abs((scroll ?? 0) - 700) < 3;
      });
      await page.reload();
      await formula.waitFor();
      assert.equal(await formula.getAttribute('aria-expanded'), 'true');
      await page.getByRole('button', { name: /^Hide the table.*interval/ }).waitFor();
      await page.waitForFunction(() => Math.abs(window.scrollY - 700) < 3);
    },
  },
  {
    name: 'planner: the values of a chart are shown under the pointer and by keys',
    pictures: 'also',
    async run({ open, keepPicture }) {
      const page = await open({ scenario: 'plan-405b' });
      const walk = page.getByRole('slider', { name: /Values of Time that trains/ });
      await walk.focus();
      const first = await walk.getAttribute('aria-valuetext');
      assert.match(first ?? '', /^5\.5\d* min: 94\.\d %/);
      await page.keyboard.press('ArrowRight');
      await nextFrames(page);
      assert.notEqual(await walk.getAttribute('aria-valuetext'), first);
      await page.keyboard.press('End');
      await nextFrames(page);
      assert.equal(await walk.getAttribute('aria-valuenow'), await walk.getAttribute('aria-valuemax'));
      await page.keyboard.press('Home');
      await nextFrames(page);
      assert.equal(await walk.getAttribute('aria-valuenow'), '1');
      const other = page.getByRole('slider', { name: /Values of Time that a save/ });
      await other.scrollIntoViewIfNeeded();
      const box = await other.boundingBox();
      assert.ok(box !== null);
      await page.mouse.move(box.x + box.width * 0.75, box.y + box.height / 2);
      await page.locator('.values', { hasText: 'GB/s' }).waitFor();
      await keepPicture(page, 'planner-values');
      await page.mouse.move(5, 5);
      await page.locator('.values', { hasText: 'GB/s' }).waitFor({ state: 'detached' });
    },
  },
  {
    name: 'planner: the whole panel is reached by keys: from the buttons through the inputs to the answers',
    async run({ open }) {
      const page = await open({ scenario: 'plan-405b' });
      const reached = await namesReachedByTab(page, 250);
      assertReachedInOrder(reached, [
        'Save',
        'Export',
        'Goodput',
        'Copy: Provide 171 GB/s on Lustre, and check it',
        'Preset',
        'Parameters',
        'GPUs',
        'What is saved',
        'Storage',
        'Interval',
        'Model 406 B parameters, 14 B each',
        'Cluster 16,384 GPUs, TP 8, PP 16',
        'A checkpoint',
        'formula of 5.68 TB',
      ]);
      assert.ok(reached.some((name) => name.startsWith('Values of')));
    },
  },
  {
    name: 'planner: a file that is no plan, or of another version, says so and offers the text',
    pictures: 'also',
    async run({ open, keepPicture }) {
      for (const [scenario, words] of [
        ['plan-broken', 'it is no JSON object'],
        ['plan-newer', 'it is of version 7'],
      ] as const) {
        const page = await open({ scenario });
        await page.getByRole('alert').getByText(words).waitFor();
        await keepPicture(page, scenario);
        await page.getByRole('button', { name: 'Open as text' }).click();
        await waitForRequest(page, 'openText', () => true);
        assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0);
      }
    },
  },
  {
    name: 'planner: what a file has that cannot be used is listed, and the rest of it stands',
    pictures: 'also',
    async run({ open, keepPicture }) {
      const page = await open({ scenario: 'plan-problems' });
      await assertShows(
        page,
        'stowage-plan-problems',
        'parameters (Parameters) must be at least 1',
        'speed is no input of a plan',
        'gpus (GPUs) must be a number',
      );
      await openAllInputs(page);
      assert.equal(await inputOf(page, 'Tensor parallel').inputValue(), '8');
      await keepPicture(page, 'plan-problems');
    },
  },
  {
    name: 'planner: what blocks a plan is said first, with the smallest change that helps',
    pictures: 'also',
    async run({ open, keepPicture }) {
      const page = await open({ scenario: 'plan-impossible' });
      const advice = await textOf(page, 'stowage-plan-advice');
      assert.ok(advice.startsWith('Save every 48.2 minutes, not every 60 s, to Lustre'), advice.slice(0, 200));
      assert.ok(advice.includes('Blockers Saves pile up'), advice.slice(0, 300));
      assert.ok(advice.includes('94.7 GB/s'), advice);
      await keepPicture(page, 'plan-impossible');
      await type(page, 'Write bandwidth', '200 GB/s');
      await type(page, 'Interval', '1 h');
      assert.ok(!(await textOf(page, 'stowage-plan-advice')).includes('Saves pile up'));
    },
  },
  {
    name: 'planner: text from files stays text, and nothing in it hides or reorders',
    pictures: 'also',
    async run({ open, keepPicture }) {
      const page = await open({ scenario: 'plan-hostile' });
      await openAllInputs(page);
      await openAnswers(page);
      const { texts, foreign, hacked } = await look(page);
      assert.equal(hacked, false);
      assert.deepEqual(foreign, []);
      assert.deepEqual(
        texts.filter((text) => deceptive.test(text)),
        [],
      );
      assert.ok(texts.some((text) => text.includes('window.hacked=1')));
      assert.ok(texts.some((text) => text.includes('\\u202emodel\\u2066weights')));
      await keepPicture(page, 'plan-hostile');
    },
  },
  {
    name: 'planner: nothing overlaps or scrolls sideways at any width',
    async run({ open }) {
      for (const scenario of planScenarios) {
        const page = await open({ scenario });
        await assertFits(page, scenario);
        await openAnswers(page);
        await assertFits(page, `${scenario}, all open`);
      }
    },
  },
  ...themeNames.map(
    (theme) =>
      ({
        name: `planner: looks as it should: ${theme}`,
        pictures: 'only',
        async run({ open, keepPicture }) {
          for (const width of [1280, 400])
            await keepPicture(await open({ scenario: 'plan-405b', theme, width }), `planner-${theme}-${width}`);
        },
      }) satisfies Spec,
  ),
  {
    name: 'planner: axe finds nothing, in any theme',
    async run({ open }) {
      const page = await open({ scenario: 'plan-405b', foreignScript: true });
      await openAllInputs(page);
      await page.getByRole('button', { name: 'formula of 5.68 TB' }).click();
      await page.getByRole('button', { name: /^Show as table.*interval/ }).click();
      await type(page, 'GPUs', 'none');
      await page.getByRole('slider').first().focus();
      await nextFrames(page);
      assert.deepEqual(await allViolationsInThemes(page), []);
    },
  },
  {
    name: 'planner: axe finds nothing in a narrow page, in a file with problems, in one that is no plan and in an impossible plan',
    async run({ open }) {
      for (const scenario of ['plan-405b', 'plan-problems', 'plan-broken', 'plan-impossible', 'plan-measured'] as const) {
        const page = await open({ scenario, theme: 'vscode-light', width: 400, foreignScript: true });
        assert.deepEqual(await allViolations(page), [], scenario);
      }
    },
  },
];
