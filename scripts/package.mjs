/** Packs the extension into a VSIX: `node scripts/package.mjs [FILE]`. Everything that runs was bundled, so no node_modules go along. */
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { projectRoot } from './host/project.mjs';

const { name, version } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8'));
const vsix = path.resolve(process.argv[2] ?? path.join(projectRoot, `${name}-${version}.vsix`));
mkdirSync(path.dirname(vsix), { recursive: true });
await createVSIX({
  cwd: projectRoot,
  packagePath: vsix,
  dependencies: false,
  // The manifest names no repository: links in the README are written so that they need none.
  allowMissingRepository: true,
  rewriteRelativeLinks: false,
});
