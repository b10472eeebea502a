import { describe, expect, it } from 'vitest';
import { planSuffix } from '../../src/core/planning/inputs/planDocument.js';
import { jsonSchemaOf } from '../../src/app/inputSchema.js';
import { useCases } from '../../src/app/useCases.js';
import { useCaseTable, type UseCaseDescription } from '../../src/app/useCaseTable.js';
import { commandIds, editorIds, inspectableExtensions, settingIds } from '../../src/host/ids.js';
import { manifest, readText } from './projectFiles.js';

const strings = JSON.parse(readText('package.nls.json')) as Record<string, string>;
const titleOf = (key: string): string => strings[key.replaceAll('%', '')] ?? key;

describe('manifest', () => {
  it('contributes the commands that the code registers', () => {
    expect(manifest.contributes.commands.map(({ command }) => command).sort()).toEqual(Object.values(commandIds).sort());
  });

  it('contributes the editors that the code registers', () => {
    expect(manifest.contributes.customEditors.map(({ viewType }) => viewType).sort()).toEqual(Object.values(editorIds).sort());
  });

  it('contributes the settings that the code reads', () => {
    expect(Object.keys(manifest.contributes.configuration.properties).sort()).toEqual(Object.values(settingIds).sort());
  });

  it('offers assistants the use cases that have a tool, with the inputs of the table', () => {
    const tools = manifest.contributes.languageModelTools.map(({ name, inputSchema }) => ({ name, inputSchema }));
    const described = Object.values<UseCaseDescription>(useCaseTable).flatMap(({ tool }) => (tool === null ? [] : [tool]));
    expect(tools).toEqual(described.map(({ name, input }) => ({ name, inputSchema: jsonSchemaOf(input) })));
  });

  it('describes these tools in the words of the table', () => {
    for (const { tool, description } of Object.values<UseCaseDescription>(useCaseTable)) {
      const described = manifest.contributes.languageModelTools.find(({ name }) => name === tool?.name);
      if (described !== undefined) expect(described.modelDescription.startsWith(`${description} `), tool?.name).toBe(true);
    }
  });

  it('offers assistants only inputs that the use case has, and nothing that writes', () => {
    for (const { title, tool, input, sideEffects } of Object.values<UseCaseDescription>(useCaseTable)) {
      if (tool === null) continue;
      expect(Object.keys(input.entries), title).toEqual(expect.arrayContaining(Object.keys(tool.input.entries)));
      expect(sideEffects, title).toBe('reads');
    }
  });

  it('has something that runs each use case, and a schema for each documented report', () => {
    expect(Object.keys(useCases)).toEqual(Object.keys(useCaseTable));
    for (const { output } of Object.values<UseCaseDescription>(useCaseTable))
      for (const schema of output) expect(JSON.parse(readText(schema)), schema).toMatchObject({ type: 'object' });
  });

  it('gives every command a category and a title from the strings', () => {
    for (const { command, category, title } of manifest.contributes.commands) {
      expect(category, command).toBe('Stowage');
      expect(title, command).toMatch(/^%[\w.]+%$/);
    }
  });

  it('names in its menus only commands that it contributes', () => {
    const known = new Set(Object.values(commandIds) as string[]);
    for (const items of Object.values(manifest.contributes.menus)) {
      for (const { command } of items) expect(known).toContain(command);
    }
  });

  it('has a string for every %key% and a use for every string', () => {
    const used = [...readText('package.json').matchAll(/"%([\w.]+)%"/g)].map((match) => match[1] ?? '');
    expect([...new Set(used)].sort()).toEqual(Object.keys(strings).sort());
  });

  it('offers the inspection of the same files in menus and editors as the code', () => {
    for (const menu of ['explorer/context', 'editor/title/context']) {
      const when = manifest.contributes.menus[menu]?.[0]?.when ?? '';
      const listed = /\\\.\(([\w|]+)\)\$\/i/.exec(when)?.[1]?.split('|');
      expect(listed, menu).toEqual(inspectableExtensions);
    }
    const patterns = manifest.contributes.customEditors
      .flatMap(({ selector }) => selector.map(({ filenamePattern }) => filenamePattern.slice(1)))
      .filter((pattern) => pattern !== planSuffix)
      .map((pattern) => pattern.slice(1));
    for (const extension of patterns) expect(inspectableExtensions).toContain(extension);
  });

  it('checks plan files by their schema, and nothing else', () => {
    expect(manifest.contributes.jsonValidation).toEqual([
      { fileMatch: `*${planSuffix}`, url: './media/stowage-plan.schema.json' },
    ]);
  });

  it('opens by default only files that nothing else opens', () => {
    const defaults = manifest.contributes.customEditors.filter(({ priority }) => priority === 'default');
    expect(defaults.flatMap(({ selector }) => selector)).toEqual([
      { filenamePattern: `*${planSuffix}` },
      { filenamePattern: '*.safetensors' },
    ]);
  });

  it('is activated by its own contributions and by files that may be configs, in Restricted Mode too', () => {
    const languages = ['json', 'jsonc', 'yaml', 'toml', 'shellscript', 'python'];
    expect(manifest.activationEvents).toEqual(languages.map((language) => `onLanguage:${language}`));
    expect(manifest.capabilities.untrustedWorkspaces.supported).toBe('limited');
    expect(manifest.extensionKind).toEqual(['workspace']);
  });

  it('offers to write files only where the workspace is trusted and there is a machine to write on', () => {
    const { enablement } = manifest.contributes.commands.find(({ command }) => command === commandIds.checkBandwidth) ?? {};
    expect(enablement).toBe('isWorkspaceTrusted && (!isWeb || remoteName)');
    const item = manifest.contributes.menus['explorer/context']?.find(({ command }) => command === commandIds.checkBandwidth);
    expect(item?.when).toContain('isWorkspaceTrusted');
  });

  it('states the oldest VS Code that the tests run', async () => {
    const { minimumHost } = (await import('../../scripts/host/pins.mjs')) as { minimumHost: { vscode: string } };
    const minor = minimumHost.vscode.split('.').slice(0, 2).join('.');
    expect(manifest.engines.vscode).toBe(`^${minor}.0`);
    expect(manifest.devDependencies['@types/vscode']).toBe(`${minor}.0`);
  });

  it('is what the README says', () => {
    const readme = readText('README.md');
    for (const { command, title } of manifest.contributes.commands) {
      expect(readme, command).toContain(`Stowage: ${titleOf(title)}`);
    }
    for (const { selector } of manifest.contributes.customEditors) {
      for (const { filenamePattern } of selector) expect(readme).toContain(`\`${filenamePattern.slice(1)}\``);
    }
    for (const script of ['npm start', 'npm test']) expect(readme).toContain(script);
  });

  it('pins every package exactly', () => {
    for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
    }
  });
});
