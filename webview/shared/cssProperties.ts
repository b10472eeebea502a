import { noChange } from 'lit';
import { directive, Directive, type ElementPart, PartType, type PartInfo } from 'lit/directive.js';

/**
 * Sets style properties through the CSSOM. The content security policy blocks style attributes, which is what Lit's own `styleMap`
 * writes on the first render.
 */
class CssPropertiesDirective extends Directive {
  private previous: Record<string, string> = {};

  constructor(info: PartInfo) {
    super(info);
    if (info.type !== PartType.ELEMENT) throw new Error('cssProperties belongs on an element, outside of its attributes');
  }

  render(_properties: Record<string, string>): typeof noChange {
    return noChange;
  }

  override update(part: ElementPart, [properties]: [Record<string, string>]): typeof noChange {
    const { style } = part.element as HTMLElement;
    for (const name of Object.keys(this.previous)) {
      if (!(name in properties)) style.removeProperty(name);
    }
    for (const [name, value] of Object.entries(properties)) {
      if (this.previous[name] !== value) style.setProperty(name, value);
    }
    this.previous = { ...properties };
    return noChange;
  }
}

/** `<div ${cssProperties({ width: '40%' })}>`. */
export const cssProperties = directive(CssPropertiesDirective);
