import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The licences of all packages of which code or assets are shipped.
 * @param {string} root the project
 * @param {import('esbuild').Metafile[]} metafiles of the shipped bundles
 */
export function thirdPartyNotices(root, metafiles) {
  const notices = bundledPackages(metafiles).map((name) => {
    const folder = path.join(root, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    return `${'='.repeat(78)}\n${name} ${version} (${license})\n${'='.repeat(78)}\n\n${licenceTexts(folder)}`;
  });
  return `Stowage contains code of the following packages.\n\n${notices.join('\n')}`;
}

/**
 * Names of the packages that went into the bundles, in order. The icon font is copied rather than bundled.
 * @param {import('esbuild').Metafile[]} metafiles
 */
export function bundledPackages(metafiles) {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const names = inputs.map((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(input)?.[1]);
  return [...new Set([...names.filter((name) => name !== undefined), '@vscode/codicons'])].sort();
}

/** @param {string} folder */
function licenceTexts(folder) {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file)) : [];
  return files.map((file) => `${readFileSync(path.join(folder, file), 'utf8').trim()}\n`).join('\n');
}
