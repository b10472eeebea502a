/** Where package managers install: test files and bundled models of packages lie there, and none of the project's own. */
const installed = /(?:^|\/)(?:\.venv|site-packages|dist-packages|node_modules)\//;

/** Whether a path is of a package that a project uses. */
export function isInstalledPackage(path: string): boolean {
  return installed.test(path);
}
