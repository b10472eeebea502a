/** What tells a chart's tones apart besides their colours. */
import type { ChartTone } from '../chart.js';

export type TonePattern = 'plain' | 'rising' | 'falling' | 'dots';

interface ToneLook {
  /** SVG `stroke-dasharray` of a line; empty for a whole one. */
  dash: string;
  /** Of an area. */
  pattern: TonePattern;
}

export const toneLooks: Readonly<Record<ChartTone, ToneLook>> = {
  line: { dash: '', pattern: 'plain' },
  second: { dash: '7 4', pattern: 'rising' },
  third: { dash: '2 3', pattern: 'falling' },
  fourth: { dash: '9 3 2 3', pattern: 'dots' },
  good: { dash: '', pattern: 'plain' },
  warning: { dash: '5 3', pattern: 'rising' },
  bad: { dash: '2 3', pattern: 'falling' },
  muted: { dash: '1 3', pattern: 'dots' },
};

export const chartTones = Object.keys(toneLooks) as ChartTone[];

/** Side of the square that a pattern repeats, in pixels. */
export const patternSize = 8;

/** SVG path data of each pattern's lines in its square; plain has none. */
export const patternPaths: Readonly<Record<TonePattern, string>> = {
  plain: '',
  rising: 'M-2 2 L2 -2 M0 8 L8 0 M6 10 L10 6',
  falling: 'M-2 6 L2 10 M0 0 L8 8 M6 -2 L10 2',
  dots: 'M2 2 h0.01 M6 6 h0.01',
};
