import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

export interface Manifest {
  name: string;
  version: string;
  license: string;
  main: string;
  browser: string;
  bin: Record<string, string>;
  engines: { vscode: string };
  extensionKind: string[];
  capabilities: { untrustedWorkspaces: { supported: unknown }; virtualWorkspaces: { supported: unknown; description?: string } };
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  contributes: {
    commands: { command: string; enablement?: string }[];
    menus: Record<string, { command?: string; submenu?: string; when?: string; group?: string }[]>;
    languages: { id: string }[];
    configuration: { properties: Record<string, unknown> };
    languageModelTools: { name: string; modelDescription: string; inputSchema: unknown }[];
    jsonValidation: { fileMatch: string; url: string }[];
    /** Of the extensions that read YAML. */
    yamlValidation: { fileMatch: string; url: string }[];
    customEditors: { selector: { filenamePattern: string }[]; priority: string }[];
  };
}

export function readText(file: string): string {
  return readFileSync(path.join(projectRoot, file), 'utf8');
}

export const manifest = JSON.parse(readText('package.json')) as Manifest;

/** Every file of the repository: those that git tracks or would track. */
export function repositoryFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: projectRoot,
    encoding: 'utf8',
  });
  return listed.split('\0').filter((file) => file !== '' && existsSync(path.join(projectRoot, file)));
}

/** What went into each bundle of the build that is in dist/. */
export function readMetafiles(): Record<string, { inputs: Record<string, unknown>; outputs: Record<string, { bytes: number }> }> {
  return JSON.parse(readText('.cache/metafiles.json')) as ReturnType<typeof readMetafiles>;
}
