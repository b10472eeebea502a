/** docs/design.md, from the table of the shared parts of the panels. */
import { importSource } from './importSource.mjs';

const page = 'docs/design.md';

/** @type {import('../generate.mjs').Target} */
export const design = {
  files: [page],
  async generate() {
    // Not the module's own type: it rests on types of the page, which scripts do not have.
    const { designMarkdown } = /** @type {{ designMarkdown: () => string }} */ (
      await importSource('test/webview/browser/designParts.ts')
    );
    return { [page]: designMarkdown() };
  },
};
