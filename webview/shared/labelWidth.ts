/** Padding of a header cell, and its sort arrow, in pixels. */
const aroundPx = 32;
/** Of a character in a window without a canvas, in pixels. */
const characterPx = 8;

const widthsPx = new Map<string, number>();
let context: CanvasRenderingContext2D | null | undefined;

/** What a column needs to show its label whole, in the font of the element. */
export function labelWidthPx(element: Element, label: string): number {
  const { font } = getComputedStyle(element);
  const key = `${font}\n${label}`;
  const known = widthsPx.get(key);
  if (known !== undefined) return known;
  context ??= document.createElement('canvas').getContext('2d');
  if (context !== null) context.font = font;
  const widthPx = aroundPx + (context?.measureText(label).width ?? label.length * characterPx);
  widthsPx.set(key, widthPx);
  return widthPx;
}
