/** A chart as a file of its own: for Markdown, where there is neither a theme nor a style sheet. */
import type { ChartTone, PageChart } from '../chart.js';
import { visibleText } from '../../text/visibleText.js';
import { chartLayout } from './chartLayout.js';
import type { ChartArea, ChartDot, ChartLayout, ChartText, ChartTextRole } from './chartShapes.js';
import { chartTones, patternPaths, patternSize, toneLooks } from './chartTones.js';
import { chartFontSize } from './textWidth.js';

const fileWidth = 760;

/** Dark enough to be read on white; areas are the same, lighter. */
const colors: Readonly<Record<ChartTone, string>> = {
  line: '#005fb8',
  second: '#8a3ea8',
  third: '#a85400',
  fourth: '#7d6608',
  good: '#2e7d32',
  warning: '#9a6700',
  bad: '#c62828',
  muted: '#6a6f76',
};

const ink = '#1f2328';
const pale = '#59636e';
const textColors: Readonly<Record<ChartTextRole, string>> = {
  tick: pale,
  axis: pale,
  band: pale,
  mark: pale,
  main: ink,
  row: ink,
  bar: ink,
  legend: ink,
};

/** The chart as an SVG document on white; every text in it is escaped. Ends with a line break. */
export function chartSvg(chart: PageChart): string {
  const layout = chartLayout(chart, fileWidth);
  const { width, height } = layout;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif" font-size="${chartFontSize}">`,
    `<title>${escaped(chart.title)}</title>`,
    `<desc>${escaped(chart.summary)}</desc>`,
    `<defs>${chartTones.map(patternOf).join('')}</defs>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...layout.areas.filter(({ role }) => role === 'band').map(areaOf),
    ...layout.rules.filter(({ role }) => role === 'grid').map(ruleOf),
    ...layout.areas.filter(({ role }) => role !== 'band').map(areaOf),
    ...layout.rules.filter(({ role }) => role === 'limit').map(ruleOf),
    ...pathsOf(layout),
    ...layout.samples.map(({ tone, x1, x2, y }) => `<path d="M${round(x1)} ${round(y)} H${round(x2)}" ${strokeOf(tone)}/>`),
    ...layout.dots.map(dotOf),
    ...layout.texts.map(textOf),
  ];
  return `${parts.join('\n')}\n</svg>\n`;
}

/** Two decimals: half a hundredth of a pixel is invisible. */
function round(pixels: number): number {
  return Math.round(pixels * 100) / 100;
}

function patternOf(tone: ChartTone): string {
  const path = patternPaths[toneLooks[tone].pattern];
  const lines = path === '' ? '' : `<path d="${path}" stroke="${colors[tone]}" stroke-opacity="0.35" stroke-linecap="round"/>`;
  return `<pattern id="${tone}" width="${patternSize}" height="${patternSize}" patternUnits="userSpaceOnUse"><rect width="${patternSize}" height="${patternSize}" fill="${colors[tone]}" fill-opacity="0.14"/>${lines}</pattern>`;
}

function areaOf({ role, tone, x, y, width, height, title }: ChartArea): string {
  const border = role === 'band' ? '' : ` stroke="${colors[tone]}"`;
  const place = `x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"`;
  return `<rect ${place} fill="url(#${tone})"${border}>${title === '' ? '' : `<title>${escaped(title)}</title>`}</rect>`;
}

function ruleOf({ role, x1, y1, x2, y2 }: ChartLayout['rules'][number]): string {
  const place = `x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"`;
  return role === 'grid' ? `<line ${place} stroke="#d0d7de"/>` : `<line ${place} stroke="${ink}" stroke-dasharray="4 3"/>`;
}

function dotOf({ x, y, isMain, tone }: ChartDot): string {
  const place = `cx="${round(x)}" cy="${round(y)}" r="${isMain ? 5 : 4}"`;
  if (tone !== undefined) return `<circle ${place} fill="${colors[tone]}" fill-opacity="0.45" stroke="${colors[tone]}"/>`;
  return `<circle ${place} fill="${isMain ? colors.line : '#ffffff'}" stroke="${isMain ? colors.line : ink}"/>`;
}

function strokeOf(tone: ChartTone): string {
  const { dash } = toneLooks[tone];
  return `fill="none" stroke="${colors[tone]}" stroke-width="2"${dash === '' ? '' : ` stroke-dasharray="${dash}"`}`;
}

/** Lines in a picture of their own, which cuts them off at the plot's edges. */
function pathsOf({ plot, paths }: ChartLayout): string[] {
  if (paths.length === 0) return [];
  const [width, height] = [round(plot.right - plot.left), round(plot.bottom - plot.top)];
  return [
    `<svg x="${round(plot.left)}" y="${round(plot.top)}" width="${width}" height="${height}" overflow="hidden">`,
    ...paths.map(({ tone, fill }) => (fill === null ? '' : `<path d="${fill}" fill="${colors[tone]}" fill-opacity="0.14"/>`)),
    ...paths.map(({ tone, path }) => `<path d="${path}" ${strokeOf(tone)}/>`),
    '</svg>',
  ].filter((part) => part !== '');
}

function textOf({ role, text, x, y, anchor }: ChartText): string {
  const weight = role === 'main' ? ' font-weight="600"' : '';
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" fill="${textColors[role]}"${weight}>${escaped(text)}</text>`;
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (character) => escapes[character] ?? '');
}
