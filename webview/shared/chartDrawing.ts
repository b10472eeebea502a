/** The shapes of a chart as elements. */
import { nothing, svg, type SVGTemplateResult } from 'lit';
import type { ChartArea, ChartDot, ChartLayout, ChartText } from '../../src/core/pages/charts/chartShapes.js';
import type { ChartStop } from '../../src/core/pages/charts/chartStops.js';
import { chartTones, patternPaths, patternSize, toneLooks } from '../../src/core/pages/charts/chartTones.js';
import type { ChartTone } from '../../src/core/pages/chart.js';
import { visibleText } from '../../src/core/text/visibleText.js';

/** @param stop what is pointed at, if anything is */
export function drawChart(layout: ChartLayout, stop: ChartStop | null): SVGTemplateResult {
  const { areas, rules, samples, dots, texts } = layout;
  return svg`<defs>${chartTones.map(drawPattern)}</defs>
    ${areas.filter(({ role }) => role === 'band').map(drawArea)}
    ${rules.filter(({ role }) => role === 'grid').map(drawRule)}
    ${areas.filter(({ role }) => role !== 'band').map(drawArea)}
    ${rules.filter(({ role }) => role === 'limit').map(drawRule)}
    ${drawPaths(layout)}
    ${samples.map(({ tone, x1, x2, y }) => svg`<line class="line tone-${tone}" x1=${x1} x2=${x2} y1=${y} y2=${y}></line>`)}
    ${dots.map(drawDot)}
    ${texts.map(drawText)}
    ${stop === null ? nothing : drawStop(layout, stop)}`;
}

function drawPattern(tone: ChartTone): SVGTemplateResult {
  const size = patternSize;
  return svg`<pattern id=${`tone-${tone}`} class=${`tone-${tone}`} width=${size} height=${size} patternUnits="userSpaceOnUse">
    <rect class="tint" width=${size} height=${size}></rect>
    <path class="hatch" d=${patternPaths[toneLooks[tone].pattern]}></path>
  </pattern>`;
}

function drawArea({ role, tone, x, y, width, height }: ChartArea): SVGTemplateResult {
  const look = `tone-${tone} ${role === 'band' ? '' : 'edge'}`;
  return svg`<rect class=${look} fill=${`url(#tone-${tone})`} x=${x} y=${y} width=${width} height=${height}></rect>`;
}

function drawRule({ role, x1, y1, x2, y2 }: ChartLayout['rules'][number]): SVGTemplateResult {
  return svg`<line class=${role} x1=${x1} y1=${y1} x2=${x2} y2=${y2}></line>`;
}

/** Lines in a picture of their own, which cuts them off at the plot's edges. */
function drawPaths({ plot, paths }: ChartLayout): SVGTemplateResult {
  return svg`<svg x=${plot.left} y=${plot.top} width=${plot.right - plot.left} height=${plot.bottom - plot.top}>
    ${paths.map(({ tone, fill }) => (fill === null ? nothing : svg`<path class=${`tint tone-${tone}`} d=${fill}></path>`))}
    ${paths.map(({ tone, path }) => svg`<path class=${`line tone-${tone}`} d=${path}></path>`)}
  </svg>`;
}

function drawDot({ x, y, isMain, tone }: ChartDot): SVGTemplateResult {
  const look = tone === undefined ? (isMain ? 'own' : '') : `one tone-${tone}`;
  return svg`<circle class=${`dot ${look}`} cx=${x} cy=${y} r=${isMain ? 5 : 4}></circle>`;
}

function drawText({ role, text, x, y, anchor }: ChartText): SVGTemplateResult {
  const look = role === 'band' ? 'band-name' : role;
  return svg`<text class=${look} x=${x} y=${y} text-anchor=${anchor}>${visibleText(text)}</text>`;
}

function drawStop({ plot }: ChartLayout, { position, dots }: ChartStop): SVGTemplateResult {
  if (dots.length === 0) return svg``;
  return svg`<line class="pointer" x1=${position} x2=${position} y1=${plot.top} y2=${plot.bottom}></line>
    ${dots.map(({ x, y, tone }) => svg`<circle class=${`at tone-${tone}`} cx=${x} cy=${y} r="4.5"></circle>`)}`;
}
