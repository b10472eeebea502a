import { planFileVersion, planKind } from '../../core/planning/inputs/planDocument.js';
import type { presetNames } from '../../core/planning/inputs/presetNames.js';

/** The text of a plan file that begins with a preset. It names the preset, so that its numbers need not be loaded here. */
export function planTextOfPreset({ id, name }: Pick<(typeof presetNames)[number], 'id' | 'name'>): string {
  return `${JSON.stringify({ kind: planKind, schemaVersion: planFileVersion, name, preset: id }, null, 2)}\n`;
}
