import type { Spec } from '../spec.js';

const themes = [
  ['light', 'Default Light Modern'],
  ['dark', 'Default Dark Modern'],
  ['high-contrast', 'Default High Contrast'],
  ['high-contrast-light', 'Default High Contrast Light'],
] as const;

const widths = [
  ['wide', 1600],
  ['narrow', 760],
] as const;

/** Pictures for a person to look at; that the report is shown is all that is asserted. */
export const specs: Spec[] = themes.map(([id, theme]) => ({
  name: `the report in the ${id} theme`,
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
