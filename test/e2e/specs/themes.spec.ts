import assert from 'node:assert/strict';
import type { Spec } from '../spec.js';

const themes = [
  ['light', 'Light Modern'],
  ['dark', 'Dark Modern'],
  ['high-contrast', 'Default High Contrast'],
  ['high-contrast-light', 'Default High Contrast Light'],
] as const;

const widths = [
  ['wide', 1600],
  ['narrow', 760],
] as const;

/** Pictures for a person to look at. */
const pictured: Spec[] = themes.map(([id, theme]) => ({
  name: `the report in the ${id} theme`,
  needs: 'own window',
  pictures: 'only',
  async run({ workbench, setTheme, keepPicture }) {
    await setTheme(theme);
    await workbench.expand('llama-tiny-trainer', 'checkpoint-30');
    await workbench.pickInContextMenu('checkpoint-30', 'Inspect Checkpoint or Dataset');
    await workbench.reportShown();
    for (const [width, pixels] of widths) {
      if (width === 'narrow') await workbench.run('View: Toggle Primary Side Bar Visibility');
      await workbench.page.setViewportSize({ width: pixels, height: 1000 });
      await workbench.reportShown();
      await keepPicture(`${id}-${width}`);
    }
  },
}));

export const specs: Spec[] = [
  ...pictured,
  {
    name: 'an open report follows the window into a high-contrast theme, with the colours of VS Code',
    async run({ workbench, setTheme }) {
      await workbench.pickInContextMenu('deepspeed-zero3', 'Inspect Checkpoint or Dataset');
      await workbench.reportShown();
      await setTheme('Default High Contrast');
      await workbench.report.locator('body.vscode-high-contrast').waitFor();
      await workbench.reportShown();
      const seen = await workbench.report.locator('stowage-report').evaluate((report) => {
        const style = getComputedStyle(report);
        return { border: style.getPropertyValue('--vscode-contrastBorder').trim(), text: style.color };
      });
      assert.deepEqual(seen, { border: '#6fc3df', text: 'rgb(255, 255, 255)' });
    },
  },
];
