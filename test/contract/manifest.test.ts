import { describe, expect, it } from 'vitest';
import { planSuffix } from '../../src/core/planning/inputs/planDocument.js';
import { changedFiles } from '../../scripts/generate.mjs';
import { commandIds, settingIds, toolIds } from '../../src/host/ids.js';
import { manifest, readText } from './projectFiles.js';

const strings = JSON.parse(readText('package.nls.json')) as Record<string, string>;

describe('manifest', () => {
  it('is what the tables generate: `npm run generate` writes it', async () => {
    expect([...(await changedFiles()).keys()]).toEqual([]);
  });

  it('contributes the settings and tools that the code knows', () => {
    expect(Object.keys(manifest.contributes.configuration.properties).sort()).toEqual(Object.values(settingIds).sort());
    expect(manifest.contributes.languageModelTools.map(({ name }) => name).sort()).toEqual(Object.values(toolIds).sort());
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

  it('opens by default only files that nothing else opens', () => {
    const defaults = manifest.contributes.customEditors.filter(({ priority }) => priority === 'default');
    const patterns = defaults.flatMap(({ selector }) => selector.map(({ filenamePattern }) => filenamePattern));
    expect(patterns.filter((pattern) => /^\*\.\w+$/.test(pattern)).sort()).toEqual(
      ['*.array_record', '*.arrayrecord', '*.gguf', '*.mds', '*.msgpack', '*.nemo', '*.safetensors'].sort(),
    );
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
