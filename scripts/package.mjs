/**
 * Builds the extension and packs it into a VSIX: `node scripts/package.mjs [FILE]`. Everything that runs is bundled, so no
 * node_modules go along.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { cacheRoot, projectRoot } from './host/project.mjs';
import { runRequired } from './host/runCommand.mjs';

/** What may be packed; .vscodeignore chooses from it. */
const candidates = ['.vscodeignore', 'CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'l10n', 'media', 'package.nls.json'];

const manifest = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8'));
const vsix = path.resolve(process.argv[2] ?? path.join(projectRoot, `${manifest.name}-${manifest.version}.vsix`));

await runRequired(process.execPath, [path.join(projectRoot, 'esbuild.mjs'), '--production'], { cwd: projectRoot });

// vsce looks at every file below its folder, and the caches beside the sources hold 20,000: it is given a folder of its own.
mkdirSync(cacheRoot, { recursive: true });
const stage = mkdtempSync(path.join(cacheRoot, 'package-'));
process.once('exit', () => rmSync(stage, { recursive: true, force: true }));
for (const candidate of candidates.filter((name) => existsSync(path.join(projectRoot, name)))) {
  cpSync(path.join(projectRoot, candidate), path.join(stage, candidate), { recursive: true });
}
// Only what VS Code reads: scripts and packages belong to the sources.
const sourcesOnly = new Set(['scripts', 'devDependencies', 'dependencies', 'overrides']);
const packed = Object.fromEntries(Object.entries(manifest).filter(([key]) => !sourcesOnly.has(key)));
writeFileSync(path.join(stage, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`);

mkdirSync(path.dirname(vsix), { recursive: true });
await createVSIX({
  cwd: stage,
  packagePath: vsix,
  dependencies: false,
  // The manifest names no repository: links in the README are written so that they need none.
  allowMissingRepository: true,
  rewriteRelativeLinks: false,
});
