/**
 * A window with the extension under development (trusted or not, Node or web host), or with the installed VSIX.
 * @typedef {'node' | 'restricted' | 'web' | 'installed'} HostVariant
 */

/** Which kinds of test run where, by the middle part of their file's name; '' are the tests without one. */
const kinds = {
  node: ['', 'node', 'internal'],
  restricted: ['', 'node', 'internal', 'restricted'],
  web: ['', 'web', 'internal'],
  // Tests that replace parts of the editor's API reach only an extension that shares it with them.
  installed: ['', 'node'],
};

/**
 * The tests of a variant. `x.test.ts` runs everywhere, `x.node.test.ts` where there are threads and local files.
 * @param {string[]} files
 * @param {HostVariant} variant
 */
export function hostTestFiles(files, variant) {
  return files.filter((file) => kinds[variant].includes(/\.(\w+)\.test\.ts$/.exec(file)?.[1] ?? ''));
}
