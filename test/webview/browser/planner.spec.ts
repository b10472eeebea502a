import type { Spec } from './spec.js';
import { themeNames } from '../page/themes.js';

export const specs: Spec[] = [
  ...themeNames.flatMap((theme) =>
    [1280, 400].map(
      (width) =>
        ({
          name: `a plan looks as it should: ${theme} at ${width}`,
          async run({ open, keepPicture }) {
            const page = await open({ scenario: 'plan-405b', theme, width });
            await keepPicture(page, `planner-${theme}-${width}`);
          },
        }) satisfies Spec,
    ),
  ),
];
