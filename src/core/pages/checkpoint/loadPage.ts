/** Whether a checkpoint loads, in words and tables for the panel, Markdown and terminals. */
import type { FittingValue, LoadCheckId, LoadReport, LoadVerdict } from '../../checkpoints/loadReport.js';
import { visibleText } from '../../text/visibleText.js';
import { counted } from '../../text/quantities.js';
import { formatBytes, formatCount } from '../../text/units.js';
import type { PageTable } from '../table.js';

export interface LoadPage {
  /** `Loads in transformers as LlamaForCausalLM.` */
  decision: string;
  why: string;
  tables: PageTable[];
}

export const loadVerdictWords: Readonly<Record<LoadVerdict, string>> = {
  loads: 'Loads',
  'loads-with-warnings': 'Loads, with warnings',
  fails: 'Fails',
  unknown: 'Not known',
};

const checkWords: Readonly<Record<LoadCheckId, string>> = {
  config: 'config against tensors',
  quantization: 'quantization',
  tokenizer: 'tokenizer against embedding',
  'generation-config': 'generation config',
  'chat-template': 'chat template',
  adapter: 'adapter against base model',
  index: 'index against shards',
  optimizer: 'optimizer against parameters',
  scheduler: 'scheduler against arguments',
};

/** @param mostRows of each table of tensors */
export function loadPage(load: LoadReport, mostRows = Infinity): LoadPage {
  return {
    decision: decisionOf(load),
    why: visibleText(load.why),
    tables: [
      // The value that is wrong explains all the tensors below it.
      fitsTable(load),
      ...differences(load, mostRows),
      checksTable(load),
      memoryTable(load),
      conversionsTable(load),
    ].filter(({ rows }) => rows.length > 0),
  };
}

/** `Loads in transformers as LlamaForCausalLM.` */
export function decisionOf(load: Pick<LoadReport, 'framework' | 'architecture' | 'verdict'>): string {
  return `${loadVerdictWords[load.verdict]}${loaderOf(load)}.`;
}

/** The card's line: what fits, or what decides. */
export function loadDetail(load: LoadReport): string {
  const { counts, checked, verdict } = load;
  if (verdict === 'loads' && checked.includes('config'))
    return `${counted(counts.expected, 'tensor')} as ${load.architecture === null ? 'the config asks for' : `${visibleText(load.architecture)} has them`}`;
  if (verdict === 'loads' && checked.includes('adapter') && counts.expected > 0)
    return `${counted(counts.expected, 'tensor')} as the base model takes ${counts.expected === 1 ? 'it' : 'them'}`;
  return verdict === 'loads' ? counted(checked.length, 'check') : visibleText(load.why);
}

function loaderOf({ framework, architecture }: Pick<LoadReport, 'framework' | 'architecture'>): string {
  if (framework === 'unknown') return '';
  return ` in ${visibleText(framework)}${architecture === null ? '' : ` as ${visibleText(architecture)}`}`;
}

const text = (label: string): PageTable['columns'][number] => ({ label, isNumber: false });
const number = (label: string): PageTable['columns'][number] => ({ label, isNumber: true });

function differences({ counts, missing, unexpected, mismatched }: LoadReport, mostRows: number): PageTable[] {
  const noteOf = (all: number, listed: number): string => {
    const left = all - Math.min(listed, mostRows);
    return left > 0 ? `${formatCount(left)} more.` : '';
  };
  return [
    {
      id: 'load-mismatched',
      caption: `${counted(counts.mismatched, 'tensor')} of another shape`,
      columns: [text('tensor'), text('config asks for'), text('stored')],
      rows: mismatched
        .slice(0, mostRows)
        .map(({ name, expected, found }) => [visibleText(name), shapeText(expected), shapeText(found)]),
      note: noteOf(counts.mismatched, mismatched.length),
    },
    {
      id: 'load-missing',
      caption: `${counted(counts.missing, 'tensor')} that the config asks for and no file has`,
      columns: [text('tensor'), text('shape')],
      rows: missing.slice(0, mostRows).map(({ name, shape }) => [visibleText(name), shapeText(shape)]),
      note: noteOf(counts.missing, missing.length),
    },
    {
      id: 'load-unexpected',
      caption: `${counted(counts.unexpected, 'tensor')} that the config does not ask for`,
      columns: [text('tensor'), text('shape')],
      rows: unexpected.slice(0, mostRows).map(({ name, shape }) => [visibleText(name), shapeText(shape)]),
      note: noteOf(counts.unexpected, unexpected.length),
    },
  ];
}

function fitsTable({ fits }: LoadReport): PageTable {
  return {
    id: 'load-fits',
    caption: 'Values of the config that the tensors would fit',
    columns: [text('key'), number('config'), number('tensors')],
    rows: fits.map(({ key, config, tensors }) => [visibleText(key), settingText(config), settingText(tensors)]),
    note: '',
  };
}

function settingText(value: FittingValue['config']): string {
  return typeof value === 'number' ? formatCount(value) : String(value);
}

function checksTable({ checked, notChecked, counts }: LoadReport): PageTable {
  // The numbers are those of the model, or of the adapter where there is no model.
  const ofNumbers = (['config', 'adapter'] as const).find((what) => checked.includes(what));
  return {
    id: 'load-checks',
    caption: 'What was compared',
    columns: [text('check'), text('result')],
    rows: [
      ...checked.map((what) => [checkWords[what], what === ofNumbers ? countsResult(counts) : 'compared']),
      ...notChecked.map(({ what, detail }) => [checkWords[what], `not compared: ${visibleText(detail)}`]),
    ],
    note: '',
  };
}

function countsResult({ expected, missing, unexpected, mismatched }: LoadReport['counts']): string {
  const found = [
    missing > 0 ? `${formatCount(missing)} missing` : '',
    unexpected > 0 ? `${formatCount(unexpected)} not asked for` : '',
    mismatched > 0 ? `${formatCount(mismatched)} of another shape` : '',
  ].filter((part) => part !== '');
  return found.length === 0
    ? `names and shapes of ${counted(expected, 'tensor')} agree`
    : `${counted(expected, 'tensor')}: ${found.join(', ')}`;
}

function memoryTable({ memory = [] }: LoadReport): PageTable {
  return {
    id: 'load-memory',
    caption: 'Memory of one rank',
    columns: [text('for'), text('weights as'), text('ranks'), number('memory'), text('what is summed')],
    rows: memory.map(({ purpose, dtype, tensorParallel, pipelineParallel, dataParallel, bytesPerRank, source }) => [
      purpose,
      visibleText(dtype),
      `tensor ${formatCount(tensorParallel)}, pipeline ${formatCount(pipelineParallel)}, data ${formatCount(dataParallel)}`,
      formatBytes(bytesPerRank),
      visibleText(source),
    ]),
    note: 'Without activations, the cache of keys and values, and what the framework itself takes.',
  };
}

function conversionsTable({ conversions = [] }: LoadReport): PageTable {
  return {
    id: 'load-conversions',
    caption: 'Commands that convert it (not run here)',
    columns: [text('to'), text('command'), number('memory'), number('disk')],
    rows: conversions.map(({ to, command, memoryBytes, diskBytes }) => [
      visibleText(to),
      visibleText(command),
      memoryBytes === null ? 'not known' : formatBytes(memoryBytes),
      diskBytes === null ? 'not known' : formatBytes(diskBytes),
    ]),
    note: [...new Set(conversions.map(({ source }) => visibleText(source)))].join(' '),
  };
}

function shapeText(shape: readonly number[]): string {
  return shape.length === 0 ? 'scalar' : shape.map(formatCount).join(' × ');
}
