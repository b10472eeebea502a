/** docs/design.md, from the table of the shared parts of the panels. */
import { importSource } from './importSource.mjs';

const page = 'docs/design.md';

/** @type {import('../generate.mjs').Target} */
export const design = {
  files: [page],
  async generate() {
    const { designMarkdown } = /** @type {typeof import('../../test/webview/browser/designParts.js')} */ (
      await importSource('test/webview/browser/designParts.ts')
    );
    return { [page]: designMarkdown() };
  },
};
