/** The shared parts of the panels with their states: docs/design.md is generated from this table, and its pictures are taken by it. */
import type { OpenOptions } from './spec.js';

/** A part of the panels that several of them have. */
export interface DesignPart {
  name: string;
  /** What it is for, and the rule that it follows. */
  text: string;
  /** Where it is made. */
  file: string;
  states: readonly DesignState[];
}

/** A state of a part, as one picture shows it. */
export interface DesignState extends Required<Pick<OpenOptions, 'scenario' | 'width'>>, Pick<OpenOptions, 'theme'> {
  /** What the picture is called, and its file: `verdict-error.png`. */
  id: string;
  label: string;
  /** Of the element in the picture; the first that there is. */
  selector: string;
  /** A tab that is opened before. */
  tab?: string;
  /** Text that is typed into the first input before. */
  typed?: string;
}

export const designParts: readonly DesignPart[] = [
  {
    name: 'Verdict header',
    text: 'The answer first: icon, colour and words of the verdict, then how big it is and why. What does not load says so in its first line.',
    file: 'webview/panel/headlineView.ts',
    states: [
      { id: 'verdict', label: 'usual', scenario: 'clean', width: 1000, selector: 'stowage-headline' },
      { id: 'verdict-error', label: 'error', scenario: 'broken', width: 1000, selector: 'stowage-headline' },
      { id: 'verdict-long', label: 'long', scenario: 'hostile', width: 1000, selector: 'stowage-headline' },
      { id: 'verdict-estimate', label: 'of an estimate', scenario: 'estimate-full', width: 1000, selector: 'stowage-headline' },
      { id: 'verdict-narrow', label: 'narrow', scenario: 'broken', width: 400, selector: 'stowage-headline' },
    ],
  },
  {
    name: 'Breadcrumb and name',
    text: 'The folders around what was inspected, with Copy Path and Reveal in Explorer; its name is the heading below. Refreshing is in the title bar of the editor.',
    file: 'webview/panel/breadcrumb.ts',
    states: [
      { id: 'breadcrumb', label: 'usual', scenario: 'sample', width: 1000, selector: 'stowage-report-header' },
      { id: 'breadcrumb-long', label: 'long', scenario: 'hostile', width: 1000, selector: 'stowage-report-header' },
      { id: 'breadcrumb-narrow', label: 'narrow', scenario: 'sample', width: 400, selector: 'stowage-report-header' },
    ],
  },
  {
    name: 'Tiles',
    text: 'Short answers in a strip of one, two or four columns. The heading is the way to the proof; the number comes first, and more of the text is in its title.',
    file: 'webview/shared/card.ts',
    states: [
      { id: 'tiles', label: 'usual', scenario: 'sample', width: 1000, selector: 'stowage-summary-cards' },
      { id: 'tiles-plan', label: 'of a plan', scenario: 'plan-405b', width: 1000, selector: 'stowage-plan-tiles' },
      { id: 'tiles-narrow', label: 'narrow', scenario: 'sample', width: 400, selector: 'stowage-summary-cards' },
    ],
  },
  {
    name: 'Bar',
    text: 'Parts that sum to a total. A component has the same colour and pattern in every panel; labels that do not fit are in the legend. One stop of the Tab key, arrow keys inside.',
    file: 'webview/shared/stackedBar.ts',
    states: [
      { id: 'bar', label: 'usual', scenario: 'sample', width: 1000, selector: 'stowage-stacked-bar' },
      {
        id: 'bar-light',
        label: 'light',
        scenario: 'sample',
        width: 1000,
        theme: 'vscode-light',
        selector: 'stowage-stacked-bar',
      },
      {
        id: 'bar-contrast',
        label: 'high contrast',
        scenario: 'sample',
        width: 1000,
        theme: 'vscode-high-contrast',
        selector: 'stowage-stacked-bar',
      },
      { id: 'bar-estimate', label: 'of an estimate', scenario: 'estimate', width: 1000, selector: 'stowage-term-bar' },
      { id: 'bar-narrow', label: 'narrow', scenario: 'sample', width: 400, selector: 'stowage-stacked-bar' },
    ],
  },
  {
    name: 'Table',
    text: 'Words to the left, numbers to the right with the digits below each other. Headings wrap and columns come closer before a table scrolls; a fading edge says that it does.',
    file: 'webview/shared/tableView.ts',
    states: [
      { id: 'table', label: 'usual', scenario: 'bandwidth-done', width: 1000, selector: 'stowage-table' },
      { id: 'table-narrow', label: 'narrow', scenario: 'bandwidth-done', width: 360, selector: 'stowage-table' },
    ],
  },
  {
    name: 'Filter chips',
    text: 'What a table is narrowed to, each with the way to change it and to remove it.',
    file: 'webview/shared/filterChip.ts',
    states: [
      { id: 'chips', label: 'usual', scenario: 'sample', width: 1000, tab: 'Tensors', selector: 'stowage-tensor-filters' },
      { id: 'chips-narrow', label: 'narrow', scenario: 'sample', width: 400, tab: 'Tensors', selector: 'stowage-tensor-filters' },
    ],
  },
  {
    name: 'Findings',
    text: 'What happened, where, what it means and what to do; the worse first. Without findings the checks that were made are named, and those that were not.',
    file: 'webview/panel/findingsView.ts',
    states: [
      { id: 'findings', label: 'usual', scenario: 'dataset', width: 1000, tab: 'Findings', selector: 'stowage-findings-view' },
      {
        id: 'findings-empty',
        label: 'empty',
        scenario: 'clean',
        width: 1000,
        tab: 'Findings',
        selector: 'stowage-findings-view',
      },
      {
        id: 'findings-narrow',
        label: 'narrow',
        scenario: 'dataset',
        width: 400,
        tab: 'Findings',
        selector: 'stowage-findings-view',
      },
    ],
  },
  {
    name: 'Inputs',
    text: 'The unit behind the number, where it comes from beside its name, what is wrong with it below, with an icon and a border. Groups are folded to their values.',
    file: 'webview/shared/inputStyles.ts',
    states: [
      { id: 'inputs', label: 'usual', scenario: 'plan-405b', width: 1000, selector: 'stowage-plan-inputs' },
      { id: 'inputs-error', label: 'error', scenario: 'plan-405b', width: 400, typed: 'many', selector: 'stowage-plan-input' },
    ],
  },
  {
    name: 'Empty',
    text: 'An empty or odd case has words: what was seen and what was expected.',
    file: 'webview/checkpoint/oddCase.ts',
    states: [{ id: 'empty', label: 'an empty folder', scenario: 'empty', width: 700, selector: 'stowage-report-view .odd' }],
  },
  {
    name: 'Loading',
    text: 'Nothing for 100 ms, then the shapes of what is to come at their places, after 500 ms how far it is and the way out. Nothing moves when the answer comes.',
    file: 'webview/shared/waiting.ts',
    states: [
      { id: 'loading', label: 'after 500 ms', scenario: 'loading', width: 1000, selector: 'stowage-loading-view' },
      { id: 'loading-narrow', label: 'narrow', scenario: 'loading', width: 400, selector: 'stowage-loading-view' },
    ],
  },
  {
    name: 'Error',
    text: 'What happened, to which path, what to do, and the button that does it.',
    file: 'webview/panel/failureView.ts',
    states: [
      { id: 'error', label: 'usual', scenario: 'failed', width: 700, selector: 'stowage-failure-view' },
      {
        id: 'error-plan',
        label: 'a plan that is impossible',
        scenario: 'plan-impossible',
        width: 1000,
        selector: 'stowage-plan-advice',
      },
    ],
  },
];

/** docs/design.md. */
export function designMarkdown(): string {
  return [
    '# Design',
    '',
    'The shared parts of the panels with their states. This page is generated from `test/webview/browser/designParts.ts` by `npm run generate`; its pictures are of the',
    'panels as they are, taken in a browser by `npm run pictures -- --write-docs`.',
    '',
    '- Texts have four sizes: 20, 15, 13 and 12 px at the usual size of the editor (`webview/shared/tokens.css`). Colours are those of the theme.',
    '- Numbers have three significant digits and thousands separators; the exact value is in the title and in copies. What takes less than a second is `< 1 s`.',
    '- Severity has an icon, a colour and words. No meaning is in colour alone.',
    '- Headlines are decisions, details are a click away, and a click that opens something says so with `aria-expanded`.',
    ...designParts.flatMap(({ name, text, file, states }) => [
      '',
      `## ${name}`,
      '',
      `${text} (\`${file}\`)`,
      ...states.flatMap(({ id, label }) => ['', `${label}:`, '', `![${name}: ${label}](design/${id}.png)`]),
    ]),
    '',
  ].join('\n');
}
