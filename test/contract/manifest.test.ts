import { describe, expect, it } from 'vitest';
import { planSuffix } from '../../src/core/planning/inputs/planDocument.js';
import { holdsPath } from '../../src/core/retention/holds.js';
import { policyPath } from '../../src/core/retention/retentionPolicy.js';
import { changedFiles } from '../../scripts/generate.mjs';
import { jsonSchemaOf } from '../../src/app/inputSchema.js';
import { useCases } from '../../src/app/useCases.js';
import { useCaseTable, type UseCaseDescription } from '../../src/app/useCaseTable.js';
import { globsOf } from '../../src/core/files/namePattern.js';
import { readableFiles } from '../../src/core/files/readableRows.js';
import { settingIds } from '../../src/host/ids.js';
import { commandIds } from '../../src/host/manifest/commandIds.js';
import { manifest, readText } from './projectFiles.js';

const strings = JSON.parse(readText('package.nls.json')) as Record<string, string>;

describe('manifest', () => {
  it('is what the tables generate: `npm run generate` writes it', async () => {
    expect([...(await changedFiles()).keys()]).toEqual([]);
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

  it('has a string for every %key% and a use for every string', () => {
    const used = [...readText('package.json').matchAll(/"%([\w.]+)%"/g)].map((match) => match[1] ?? '');
    expect([...new Set(used)].sort()).toEqual(Object.keys(strings).sort());
  });

  it('checks plan files by their schema, and nothing else', () => {
    expect(manifest.contributes.jsonValidation).toEqual([
      { fileMatch: `*${planSuffix}`, url: './media/stowage-plan.schema.json' },
    ]);
  });

  it('offers the schemas of retention policies and holds to who checks YAML', () => {
    expect(manifest.contributes.yamlValidation).toEqual([
      { fileMatch: policyPath, url: './media/stowage-retention.schema.json' },
      { fileMatch: holdsPath, url: './media/stowage-holds.schema.json' },
    ]);
  });

  it('opens by default only files that nothing else opens', () => {
    const defaults = manifest.contributes.customEditors.filter(({ priority }) => priority === 'default');
    const patterns = defaults.flatMap(({ selector }) => selector.map(({ filenamePattern }) => filenamePattern));
    expect(patterns.length).toBeGreaterThan(5);
    const others = readableFiles.filter(({ isOwn }) => !isOwn).flatMap(globsOf);
    expect(patterns.filter((pattern) => others.includes(pattern))).toEqual([]);
    // Programs of any kind write and open these.
    expect(
      patterns.filter((pattern) => /^\*\.(bin|data?|db|json|ya?ml|txt|csv|log|zip|tar|gz|zst|index|idx|model|pb)$/.test(pattern)),
    ).toEqual([]);
  });

  it('contributes no language that others have a name for', () => {
    expect(manifest.contributes.languages.map(({ id }) => id)).toEqual(['stowage-index']);
  });

  it('works in Restricted Mode, on the machine that has the files', () => {
    expect(manifest.capabilities.untrustedWorkspaces.supported).toBe('limited');
    expect(manifest.extensionKind).toEqual(['workspace']);
  });

  it('offers to write files only where the workspace is trusted and there is a machine to write on', () => {
    const { enablement } = manifest.contributes.commands.find(({ command }) => command === commandIds.checkBandwidth) ?? {};
    expect(enablement).toBe('isWorkspaceTrusted && (!isWeb || remoteName)');
    const items = Object.values(manifest.contributes.menus).flat();
    const offered = items.filter(({ command }) => command === commandIds.checkBandwidth);
    expect(offered).toHaveLength(1);
    expect(offered[0]?.when).toContain('isWorkspaceTrusted');
  });

  it('states the oldest VS Code that the tests run', async () => {
    const { minimumHost } = (await import('../../scripts/host/pins.mjs')) as { minimumHost: { vscode: string } };
    const minor = minimumHost.vscode.split('.').slice(0, 2).join('.');
    expect(manifest.engines.vscode).toBe(`^${minor}.0`);
    expect(manifest.devDependencies['@types/vscode']).toBe(`${minor}.0`);
  });

  it('is what the README says', () => {
    const readme = readText('README.md');
    for (const script of ['npm start', 'npm test']) expect(readme).toContain(script);
  });

  it('pins every package exactly', () => {
    for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
    }
  });
});
