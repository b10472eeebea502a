import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../scripts/host/project.mjs';

/** Each picture of docs/images, and the one of `npm run pictures` that it is. */
export const docPictures = {
  'compare.png': 'webview/compare-values-vscode-dark-1400.png',
  'collection.png': 'e2e/collection.png',
  'hub-cache.png': 'e2e/hub-cache.png',
  'load.png': 'webview/load-vscode-dark-1400.png',
  'mixed-directory.png': 'e2e/mixed-directory.png',
  'bandwidth.png': 'webview/bandwidth-result-in-view.png',
  'config-hover.png': 'e2e/config-hover-editor.png',
  'dataset.png': 'e2e/dataset.png',
  'plan.png': 'e2e/plan-interval.png',
  'ranks.png': 'e2e/ranks.png',
  'report.png': 'e2e/dark-wide.png',
  'saves.png': 'webview/saves-vscode-dark-1400.png',
};

/** Replaces the pictures of docs/images and docs/design by those of the run that has just ended. */
export function writeDocPictures() {
  for (const [name, taken] of Object.entries(docPictures))
    copyFileSync(path.join(projectRoot, '.artifacts', taken), path.join(projectRoot, 'docs', 'images', name));
  writeDesignPictures();
}

/** Those that docs/design.md shows, and no other. */
function writeDesignPictures() {
  const folder = path.join(projectRoot, 'docs', 'design');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const page = readFileSync(path.join(projectRoot, 'docs', 'design.md'), 'utf8');
  for (const [, name = ''] of page.matchAll(/\]\(design\/([\w-]+\.png)\)/g))
    copyFileSync(path.join(projectRoot, '.artifacts', 'webview', 'design', name), path.join(folder, name));
}
