import type { ConfigSyntax } from './configNode.js';

const syntaxes: Readonly<Record<string, ConfigSyntax>> = {
  json: 'json',
  jsonc: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  toml: 'toml',
  sh: 'shell',
  bash: 'shell',
  sbatch: 'shell',
  slurm: 'shell',
  py: 'python',
};

/** The syntax of a file by the end of its name; null where Stowage reads no configs of that syntax. */
export function syntaxOf(name: string): ConfigSyntax | null {
  const extension = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(syntaxes, extension) ? (syntaxes[extension] ?? null) : null;
}
