/**
 * The `payload` parameter of the workbench's address: an array of [key, value] pairs. The keys about extensions are honoured only
 * by servers with `--enable-smoke-test-driver`.
 * @param {object} options
 * @param {string} options.authority of the server, e.g. `127.0.0.1:1234`
 * @param {string} [options.extension] folder of the extension under development
 * @param {string} [options.tests] module that exports `run`
 * @param {boolean} [options.web] run the extension in the web extension host
 */
export function workbenchPayload({ authority, extension, tests, web = false }) {
  const remote = (/** @type {string} */ path) => `vscode-remote://${authority}${path}`;
  /** @type {[string, string][]} */
  const pairs = [
    ['skipWelcome', 'true'],
    ['skipReleaseNotes', 'true'],
  ];
  if (extension !== undefined) pairs.push(['extensionDevelopmentPath', remote(extension)]);
  if (tests !== undefined) pairs.push(['extensionTestsPath', remote(tests)]);
  if (web) pairs.push(['extensionDevelopmentKind', 'web']);
  return JSON.stringify(pairs);
}
