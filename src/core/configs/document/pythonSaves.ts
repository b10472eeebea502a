/** What a Python file saves of the model by itself, mostly when training has ended. */
import { limits } from '../../bytes/limits.js';
import type { ConfigMember } from './configNode.js';
import { pythonCalls } from './pythonCalls.js';
import { textMember } from './pythonMembers.js';

/** The model, or its adapter alone: `Trainer.save_model`, `save_pretrained` of the model. No argument has these names. */
export const endSaveKey = 'save_model';
/** The whole model with its adapter merged into it. */
export const mergedSaveKey = 'merge_and_unload';

/** @param text as `withoutDocumentation` gives it */
export function endSaves(text: string): ConfigMember[] {
  const trained = text.slice(Math.max(0, text.lastIndexOf('.train(')));
  const merged = leadsOf(trained, '.merge_and_unload(').map(
    (lead) => /\b(\w{1,80})\s{0,20}=\s{0,20}[\w.]{1,80}$/.exec(lead)?.[1],
  );
  const saved = leadsOf(trained, '.save_pretrained(').map((lead) => /[\w.]{1,80}(?:\([^()\n]{0,100}\))?$/.exec(lead)?.[0] ?? '');
  const isMerged = (receiver: string): boolean => /\bmerge_and_unload\(/.test(receiver) || merged.includes(receiver);
  // Unsloth merges where it is not to save the adapter alone (unsloth/save.py).
  const ofUnsloth = pythonCalls(trained, ['save_pretrained_merged'], () => undefined).map(
    ({ keywords }) => !keywords.some(({ value }) => value.kind === 'scalar' && value.value === 'lora'),
  );
  const isSaved =
    text.includes('.save_model(') || saved.some((one) => isModel(one) && !isMerged(one)) || ofUnsloth.includes(false);
  return [
    ...(isSaved ? [textMember(endSaveKey, 'True')] : []),
    ...(saved.some(isMerged) || ofUnsloth.includes(true) ? [textMember(mergedSaveKey, 'True')] : []),
  ];
}

/** Characters before a call that say what it is of. */
const mostOfLead = 300;

/** What stands before the calls of a method. */
function leadsOf(text: string, method: string): string[] {
  const leads: string[] = [];
  for (let at = text.indexOf(method); at !== -1 && leads.length < limits.callsOfFunction; at = text.indexOf(method, at + 1))
    leads.push(text.slice(Math.max(0, at - mostOfLead), at));
  return leads;
}

/** `model`, `trainer.model`, `unwrap_model(model)`; tokenizers, processors and configs are saved in the same way. */
function isModel(receiver: string): boolean {
  const last =
    receiver
      .replace(/\([^()]*\)$/, '')
      .split('.')
      .at(-1) ?? '';
  return /model/i.test(last) && !/tokenizer|processor|extractor|config/i.test(last);
}
