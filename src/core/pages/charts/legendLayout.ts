/** The names of a chart's tones in rows above it. */
import type { ChartTone } from '../chart.js';
import type { ChartArea, ChartSample, ChartText } from './chartShapes.js';
import { lineHeight } from './labelPlaces.js';
import { textWidth } from './textWidth.js';

export interface LegendEntry {
  label: string;
  tone: ChartTone;
  as: 'line' | 'area';
}

export interface Legend {
  height: number;
  areas: ChartArea[];
  samples: ChartSample[];
  texts: ChartText[];
}

const swatchWidth = 22;
const space = 6;
const between = 18;
const rowHeight = 20;

/** Entries one after the other, in as many rows as they need. */
export function legendLayout(entries: readonly LegendEntry[], left: number, width: number): Legend {
  const legend: Legend = { height: 0, areas: [], samples: [], texts: [] };
  let x = left;
  let row = 0;
  for (const { label, tone, as } of entries) {
    const wide = swatchWidth + space + textWidth(label);
    if (x > left && x + wide > left + width) {
      x = left;
      row += 1;
    }
    const y = row * rowHeight + lineHeight / 2;
    if (as === 'line') legend.samples.push({ tone, x1: x, x2: x + swatchWidth, y });
    else legend.areas.push({ role: 'swatch', tone, x, y: y - 6, width: swatchWidth, height: 12, title: '' });
    legend.texts.push({ role: 'legend', text: label, x: x + swatchWidth + space, y: y + 4, anchor: 'start' });
    x += wide + between;
  }
  if (entries.length > 0) legend.height = (row + 1) * rowHeight + 6;
  return legend;
}
