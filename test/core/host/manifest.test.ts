import { describe, expect, it } from 'vitest';
import { commandRows } from '../../../src/host/manifest/commandTable.js';
import { conditions } from '../../../src/host/manifest/conditions.js';
import { commandsMarkdown, generatedManifest, submenuId } from '../../../src/host/manifest/contributions.js';
import { editorTable } from '../../../src/host/manifest/editorTable.js';
import { editorIds, panelIds } from '../../../src/host/ids.js';

interface Contributions {
  commands: { command: string; title: string; enablement?: string }[];
  menus: Record<string, { command?: string; submenu?: string; group?: string; when?: string }[]>;
}

const { activationEvents, contributes, strings } = generatedManifest();
const { commands, menus } = contributes as Contributions;

/** Whether a `key =~ /…/i` of a condition matches. */
function matches(condition: string, key: string, value: string): boolean {
  const [, source = '', flags] = new RegExp(`${key} =~ /(.*?)/(i?)(?: |$)`).exec(condition) ?? [];
  expect(source).not.toBe('');
  return new RegExp(source, flags).test(value);
}

describe('the generated menus', () => {
  it('show a folder the inspection, comparisons where the editor has its own, and all else in one submenu', () => {
    const items = menus['explorer/context'] ?? [];
    const inGroup = (start: string) =>
      items.filter(({ group }) => group?.startsWith(start)).map(({ command, submenu }) => command ?? submenu);
    expect(inGroup('navigation@')).toEqual(['stowage.inspect', submenuId]);
    const compare = ['stowage.selectForCompare', 'stowage.compareWithSelected', 'stowage.compareSelected'];
    expect(inGroup('3_compare@')).toEqual(compare);
    expect(items).toHaveLength(5);
    expect(menus[submenuId]?.map(({ command }) => command)).toEqual([
      'stowage.estimate',
      'stowage.plan',
      'stowage.checkBandwidth',
      'stowage.verify',
      'stowage.showSaves',
    ]);
  });

  it('offer the inspection of readable files and indexes alone', () => {
    const isOffered = (name: string): boolean => matches(conditions.isReadableFile, 'resourceFilename', name);
    for (const name of [
      '__0_0.distcp',
      'a.PT',
      'a.jsonl.zst',
      'b.tfrecord-00000-of-00008',
      'm.safetensors.index.json',
      'index.json',
    ])
      expect(isOffered(name), name).toBe(true);
    for (const name of ['package.json', 'a.txt', 'state.json', 'pt', 'my-index.json', 'a.pt.py'])
      expect(isOffered(name), name).toBe(false);
  });

  it('open formats of training by a double click, and offer the report for files that others use too', () => {
    const patternsOf = (name: keyof typeof editorTable): readonly string[] => editorTable[name].patterns;
    for (const name of ['pt', 'pth', 'gguf', 'safetensors', 'ckpt', 'distcp'])
      expect(patternsOf('checkpointEditor'), name).toContain(`*.${name}`);
    for (const name of ['bin', 'pkl', 'npz', 'safetensors.index.json'])
      expect(patternsOf('checkpointEditorOption'), name).toContain(`*.${name}`);
  });

  it('offer Refresh Report on every report, and on no plan', () => {
    const isReport = (editor: string): boolean => matches(conditions.isReportInFront, 'activeCustomEditorId', editor);
    for (const [name, id] of Object.entries(editorIds)) expect(isReport(id), name).toBe(name !== 'planEditor');
    expect(conditions.isReportInFront).toContain(`activeWebviewPanelId == ${panelIds.report} `);
    const [title] = menus['editor/title'] ?? [];
    expect(title).toMatchObject({ command: 'stowage.refreshReport', when: conditions.isReportInFront });
  });

  it('name commands of the table, which have titles in the strings', () => {
    const known = commands.map(({ command }) => command);
    for (const { command } of Object.values(menus).flat()) if (command !== undefined) expect(known).toContain(command);
    for (const { title } of commands) expect(Object.keys(strings).map((key) => `%${key}%`)).toContain(title);
  });

  it('hold no slash within a regular expression: a when clause ends there', () => {
    for (const condition of Object.values(conditions)) expect(condition.split('/').length % 2, condition).toBe(1);
  });
});

describe('the activation events', () => {
  it('load nothing before a document is opened, or a panel that was open before a reload is shown', () => {
    for (const event of activationEvents)
      expect(event).toMatch(
        /^(onLanguage:\w+|onFileSystem:(hf|s3|gs|az|abfs)|onWebviewPanel:stowage\.(report|estimate|run|compare))$/,
      );
  });
});

describe('the table of the README', () => {
  it('has a row for each command and editor', () => {
    const rows = commandsMarkdown().split('\n').slice(2);
    expect(rows).toHaveLength(commandRows.length + Object.keys(editorIds).length);
    for (const [, { title }] of commandRows) expect(rows.join('\n')).toContain(`**Stowage: ${title}**`);
  });

  it('leaves out the ends that compression and numbers add', () => {
    expect(commandsMarkdown()).toContain('`.jsonl`, `.ndjson`');
    expect(commandsMarkdown()).not.toMatch(/`\.(jsonl|mds)\.gz`|-of-/);
    expect(commandsMarkdown()).toContain('`.bin.index.json`');
  });
});
