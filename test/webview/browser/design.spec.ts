import { designParts, type DesignState } from './designParts.js';
import { nextFrames, openTab, type Spec } from './spec.js';

/** One picture of each state of each shared part, for docs/design.md. */
export const specs: Spec[] = designParts
  .flatMap(({ states }) => states)
  .map(
    (state) =>
      ({
        name: `design: ${state.id}`,
        pictures: 'only',
        run: (context) => takePicture(state, context),
      }) satisfies Spec,
  );

async function takePicture(
  { id, scenario, width, theme, selector, tab, typed }: DesignState,
  { open, keepPicture }: Parameters<Spec['run']>[0],
): Promise<void> {
  const page = await open({ scenario, width, ...(theme === undefined ? {} : { theme }) });
  if (tab !== undefined) await openTab(page, tab);
  if (typed !== undefined) await page.getByRole('textbox').first().fill(typed);
  if (scenario === 'loading') await page.getByRole('button', { name: 'Cancel' }).waitFor();
  await nextFrames(page);
  await keepPicture(page, `design/${id}`, page.locator(selector).first());
}
