/**
 * A window with the extension under development: on the newest VS Code, on the oldest, on a folder that is not trusted, in the web
 * extension host; or with the installed VSIX.
 * @typedef {'current' | 'minimum' | 'restricted' | 'web' | 'installed'} HostVariant
 */

/**
 * The tests that run in more windows than host-current, or in another. The rest of what the extension does is the same in all
 * windows and is tested in one.
 * @type {Readonly<Record<string, readonly HostVariant[]>>}
 */
const windowsOf = {
  // Activation, each command, a report, a dataset, an editor, a card, a plan, a tool: APIs that a window or an old VS Code lacks,
  // workers that were not packed.
  'smoke.test.ts': ['current', 'minimum', 'restricted', 'web', 'installed'],
  // Rows, exports and tokenizers: the web host has no threads and reads and writes through the editor.
  'panelMessages.test.ts': ['current', 'web'],
  // Requests of a browser, which stores have to let pages of other origins send.
  'webAddress.test.ts': ['current', 'web'],
  // Threads and file handles of the Node that the oldest VS Code comes with.
  'bandwidth.test.ts': ['current', 'minimum'],
  // Threads, files of the editor's file system, and paths outside of a folder that is not trusted.
  'compare.test.ts': ['current', 'restricted', 'web'],
  // What writes is refused: without trust, and without a machine.
  'bandwidthRefused.test.ts': ['restricted', 'web'],
  'restricted.test.ts': ['restricted'],
  'webHost.test.ts': ['web'],
  // Tests that replace parts of the editor's API do not reach an installed extension, which has an API object of its own.
  'installed.test.ts': ['installed'],
};

/**
 * The tests of a variant.
 * @param {string[]} files all of test/host
 * @param {HostVariant} variant
 */
export function hostTestFiles(files, variant) {
  const missing = Object.keys(windowsOf).filter((file) => !files.includes(file));
  if (missing.length > 0) throw new Error(`test/host has no ${missing.join(', ')}`);
  return files.filter((file) => (windowsOf[file] ?? ['current']).includes(variant));
}
