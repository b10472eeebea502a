/** Modules that run a program when they are imported. Nothing has to be called: the name alone does. */
const executing = new Set(['antigravity', 'this', 'idlelib.idle', '__hello__', '__phello__']);

/** True for a module whose import runs a program: `__main__` of a package, and those of the standard library that guard nothing. */
export function executesOnImport(module: string): boolean {
  return module.endsWith('.__main__') || executing.has(module);
}
