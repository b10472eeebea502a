import { css, unsafeCSS, type CSSResult } from 'lit';
import type { ByteKind } from '../../src/core/datasets/datasetReport.js';
import type { ComponentId, TensorPart } from '../../src/core/tensors/component.js';

/** What is drawn in one colour: a component, one of the optimizer's moments, a kind of a dataset's bytes, or the rest that is too small to draw. */
export type FillId = ComponentId | 'firstMoment' | 'secondMoment' | ByteKind | 'rest';

type Pattern = 'plain' | 'stripes' | 'backStripes' | 'bars' | 'lines' | 'dots' | 'checks' | 'grid';

/**
 * The one place that says how a component looks. Neighbours of similar colour differ in pattern, so that nothing depends on colour alone;
 * in high contrast themes, where several chart colours fall together, the pattern is what tells them apart.
 */
const fills: Record<FillId, { color: string; pattern: Pattern }> = {
  weights: { color: chart('blue'), pattern: 'plain' },
  masterWeights: { color: chart('purple'), pattern: 'lines' },
  optimizer: { color: orange(), pattern: 'plain' },
  firstMoment: { color: orange(), pattern: 'stripes' },
  secondMoment: { color: chart('yellow'), pattern: 'backStripes' },
  gradients: { color: chart('red'), pattern: 'bars' },
  ema: { color: faded(chart('blue')), pattern: 'dots' },
  gradScaler: { color: faded(chart('red')), pattern: 'dots' },
  scheduler: { color: faded(chart('purple')), pattern: 'dots' },
  rng: { color: chart('green'), pattern: 'plain' },
  dataLoader: { color: faded(chart('green')), pattern: 'stripes' },
  trainerState: { color: faded(chart('yellow')), pattern: 'checks' },
  tokenizer: { color: grey(70), pattern: 'plain' },
  config: { color: grey(55), pattern: 'lines' },
  container: { color: grey(40), pattern: 'grid' },
  unexplained: { color: chart('red'), pattern: 'checks' },
  tokens: { color: chart('blue'), pattern: 'plain' },
  masks: { color: orange(), pattern: 'stripes' },
  text: { color: chart('purple'), pattern: 'lines' },
  values: { color: chart('yellow'), pattern: 'backStripes' },
  index: { color: chart('green'), pattern: 'plain' },
  metadata: { color: grey(55), pattern: 'lines' },
  framing: { color: grey(40), pattern: 'grid' },
  rest: { color: grey(45), pattern: 'plain' },
};

const patterns: Record<Pattern, string> = {
  plain: 'none',
  stripes: 'repeating-linear-gradient(45deg, var(--ink) 0 1px, transparent 1px var(--pitch))',
  backStripes: 'repeating-linear-gradient(-45deg, var(--ink) 0 1px, transparent 1px var(--pitch))',
  bars: 'repeating-linear-gradient(90deg, var(--ink) 0 1px, transparent 1px var(--pitch))',
  lines: 'repeating-linear-gradient(0deg, var(--ink) 0 1px, transparent 1px var(--pitch))',
  dots: 'radial-gradient(circle at 3px 3px, var(--ink) 1px, transparent 1.5px)',
  checks: 'repeating-conic-gradient(var(--ink) 0 25%, transparent 0 50%)',
  grid: 'linear-gradient(var(--ink) 1px, transparent 1px), linear-gradient(90deg, var(--ink) 1px, transparent 1px)',
};

function chart(name: string): string {
  return `var(--vscode-charts-${name})`;
}

/**
 * Mixed, as VS Code's own chart orange is the minimap's find colour: half transparent in its light and dark themes, and wholly so in
 * high contrast.
 */
function orange(): string {
  return `color-mix(in srgb, ${chart('red')}, ${chart('yellow')})`;
}

function faded(color: string): string {
  return `color-mix(in srgb, ${color} 60%, var(--vscode-editor-background))`;
}

function grey(percent: number): string {
  return `color-mix(in srgb, var(--vscode-foreground) ${percent}%, var(--vscode-editor-background))`;
}

/** Which fill belongs to a component or to a part of one. */
export function fillOf(component: ComponentId, part: TensorPart = 'whole'): FillId {
  if (component !== 'optimizer') return component;
  return part === 'firstMoment' || part === 'secondMoment' ? part : 'optimizer';
}

/**
 * Rules for `class="fill weights"`: the colour, its pattern, and a text colour (black or white, whichever the fill's luminance gives the
 * higher contrast, 4.5 at least). Give it to every component that draws fills.
 */
export const fillStyles: CSSResult = css`
  .fill {
    --text: color(
      from var(--fill) xyz-d65 clamp(0, (0.18 - y) * 9999, 0.9505) clamp(0, (0.18 - y) * 9999, 1)
        clamp(0, (0.18 - y) * 9999, 1.089)
    );
    --ink: color-mix(in srgb, var(--text) 13%, transparent);
    --pitch: 9px;
    background-color: var(--fill);
    background-image: var(--pattern);
    background-size: var(--pattern-size, auto);
    color: var(--text);
    forced-color-adjust: none;
  }
  .fill.swatch {
    --ink: color-mix(in srgb, var(--text) 50%, transparent);
    --pitch: 4px;
    display: inline-block;
    flex: none;
    width: 10px;
    height: 10px;
    border-radius: 2px;
    border: 1px solid var(--vscode-contrastBorder, transparent);
    vertical-align: -0.5px;
  }
  ${unsafeCSS(
    Object.entries(fills)
      .map(([id, fill]) => ruleOf(id, fill.color, fill.pattern))
      .join('\n'),
  )}
`;

function ruleOf(id: string, color: string, pattern: Pattern): string {
  const size = pattern === 'dots' || pattern === 'checks' || pattern === 'grid' ? '--pattern-size: 7px 7px;' : '';
  return `.fill.${id} { --fill: ${color}; --pattern: ${patterns[pattern]}; ${size} }`;
}
