/** The parts of the manifest, of its strings and of the README that follow from the tables. `npm run generate` writes them. */
import { activationEvents } from './activationEvents.js';
import { commandRows, type MenuId } from './commandTable.js';
import { commandIdOf } from './commandId.js';
import { editorNames, editorTable, viewTypeOf, type EditorName } from './editorTable.js';
import { walkthroughs, walkthroughStrings } from './walkthrough.js';
import { viewContainer, viewIds, viewTable } from './viewTable.js';

type ViewName = keyof typeof viewIds;
const viewNames = Object.keys(viewTable) as ViewName[];

/** The submenu that keeps the top level of the Explorer's context menu short. */
export const submenuId = 'stowage.explorer';

interface MenuItem {
  command?: string;
  submenu?: string;
  group?: string;
  when?: string;
}

/** The generated parts of package.json, and the strings of package.nls.json that they refer to. */
export function generatedManifest(): {
  activationEvents: readonly string[];
  contributes: object;
  strings: Record<string, string>;
} {
  return { activationEvents, contributes: contributions(), strings: strings() };
}

/** The README's table of commands and editors, in Markdown. */
export function commandsMarkdown(): string {
  const lines = [
    '| what | id | where |',
    '| --- | --- | --- |',
    ...commandRows.map(([name, { title, where }]) => `| **Stowage: ${title}** | \`${commandIdOf(name)}\` | ${where} |`),
    ...editorNames.map((name) => `| ${editorLabel(name)} | \`${viewTypeOf(name)}\` | ${editorWhere(name)} |`),
  ];
  return lines.join('\n');
}

function contributions(): object {
  return {
    commands: commandRows.map(([name, { icon, enablement }]) => ({
      command: commandIdOf(name),
      title: `%${titleKey(name)}%`,
      category: 'Stowage',
      ...(icon === undefined ? {} : { icon: `$(${icon})` }),
      ...(enablement === undefined ? {} : { enablement }),
    })),
    submenus: [{ id: submenuId, label: 'Stowage' }],
    menus: {
      'explorer/context': [...itemsOf('explorer/context'), { submenu: submenuId, group: 'navigation@51' } satisfies MenuItem],
      [submenuId]: itemsOf('stowage'),
      'editor/title': itemsOf('editor/title'),
      'editor/title/context': itemsOf('editor/title/context'),
      'webview/context': itemsOf('webview/context'),
      'view/title': itemsOf('view/title'),
      'view/item/context': itemsOf('view/item/context'),
      commandPalette: commandRows.flatMap(([name, { palette }]) =>
        palette === undefined ? [] : [{ command: commandIdOf(name), when: palette }],
      ),
    },
    viewsContainers: { activitybar: [viewContainer] },
    views: {
      [viewContainer.id]: viewNames.map((name) => ({
        id: viewIds[name],
        name: `%${viewKey(name)}%`,
        icon: viewContainer.icon,
      })),
    },
    viewsWelcome: viewNames.flatMap((name) =>
      viewTable[name].welcome.map(({ when }, index) => ({ view: viewIds[name], contents: `%${welcomeKey(name, index)}%`, when })),
    ),
    walkthroughs: walkthroughs(),
    customEditors: editorNames.map((name) => ({
      viewType: viewTypeOf(name),
      displayName: `%${nameKey(name)}%`,
      selector: editorTable[name].patterns.map((filenamePattern) => ({ filenamePattern })),
      priority: editorTable[name].priority,
    })),
  };
}

function strings(): Record<string, string> {
  return Object.fromEntries([
    ...commandRows.map(([name, { title }]) => [titleKey(name), title]),
    ...editorNames.map((name) => [nameKey(name), editorTable[name].name]),
    ...walkthroughStrings(),
    ...viewNames.map((name) => [viewKey(name), viewTable[name].name]),
    ...viewNames.flatMap((name) => viewTable[name].welcome.map(({ text }, index) => [welcomeKey(name, index), text])),
  ]) as Record<string, string>;
}

function itemsOf(menu: MenuId): MenuItem[] {
  return commandRows.flatMap(([name, { places }]) =>
    places.filter((place) => place.menu === menu).map(({ group, when }) => ({ command: commandIdOf(name), group, when })),
  );
}

function titleKey(command: string): string {
  return `command.${command}.title`;
}

function nameKey(editor: string): string {
  return `editor.${editor}.name`;
}

function viewKey(view: ViewName): string {
  return `view.${view}.name`;
}

function welcomeKey(view: ViewName, index: number): string {
  return `view.${view}.welcome.${index + 1}`;
}

function editorLabel(name: EditorName): string {
  const { name: label, shows } = editorTable[name];
  const text = `${label.slice(0, 1)}${label.slice(1).toLowerCase()}`;
  return shows === 'report' ? `${text} (read-only editor)` : `${text} (editor)`;
}

/** Without the ends that writers append: `.jsonl` stands for `.jsonl.gz`, too. */
function editorWhere(name: EditorName): string {
  const { priority } = editorTable[name];
  const patterns: readonly string[] = editorTable[name].patterns;
  const isEnded = (pattern: string): boolean => patterns.some((other) => /^(\.(gz|zstd?)|-\*-of-\*)$/.test(rest(pattern, other)));
  const files = patterns.filter((pattern) => !isEnded(pattern)).map((pattern) => `\`${pattern.slice(1)}\``);
  return priority === 'default' ? `opens ${files.join(', ')} files` : `"Reopen Editor With…" for ${files.join(', ')}`;
}

function rest(pattern: string, beginning: string): string {
  return pattern.startsWith(beginning) ? pattern.slice(beginning.length) : '';
}
