/** Models of llama.cpp and its family: one GGUF file, or splits of one, with projectors beside them. */
import type { StateFact } from '../../checkpoints/checkpointReport.js';
import { memberOf } from '../../formats/text/jsonMember.js';
import type { Layout } from '../../checkpoints/layout.js';
import type { StateObject } from '../../checkpoints/parts.js';
import { readFiles } from '../../checkpoints/readFiles.js';

/** GGUF files are for inference: there is nothing to resume from. */
export const ggufModel: Layout = {
  id: 'gguf',
  match: (listing) => (listing.hasMatch(/\.gguf$/i) ? 0.7 : 0),
  async read(context, listing) {
    const result = await readFiles(context, listing);
    const { parts } = result;
    const [first] = [...parts.metadata.values()];
    parts.layout = this.id;
    parts.framework = { name: 'gguf', version: first?.get('version') ?? null };
    parts.facts = parts.objects.flatMap(factsOf);
    return result;
  },
};

/** Key-values that people look for first (ggml/docs/gguf.md). */
const factKeys: readonly (readonly [key: string, id: string, label: string])[] = [
  ['general.architecture', 'architecture', 'architecture'],
  ['general.name', 'modelName', 'model'],
  ['general.size_label', 'sizeLabel', 'size'],
  ['general.file_type', 'fileType', 'file type'],
  ['general.quantization_version', 'quantizationVersion', 'quantization version'],
];

function factsOf({ path, value }: StateObject): StateFact[] {
  const { root } = value;
  return factKeys.flatMap(([key, id, label]): StateFact[] => {
    const stored = value.kind === 'json' ? memberOf(root, key) : undefined;
    if (typeof stored !== 'string' && typeof stored !== 'number') return [];
    const text = id === 'fileType' ? (fileTypes[Number(stored)] ?? String(stored)) : String(stored);
    return [{ id, label, value: text, path, keyPath: key }];
  });
}

/** enum llama_ftype of llama.h: what most tensors of the file are. */
const fileTypes: Readonly<Record<number, string>> = {
  0: 'all F32',
  1: 'mostly F16',
  2: 'mostly Q4_0',
  3: 'mostly Q4_1',
  7: 'mostly Q8_0',
  8: 'mostly Q5_0',
  9: 'mostly Q5_1',
  10: 'mostly Q2_K',
  11: 'mostly Q3_K, small',
  12: 'mostly Q3_K, medium',
  13: 'mostly Q3_K, large',
  14: 'mostly Q4_K, small',
  15: 'mostly Q4_K, medium',
  16: 'mostly Q5_K, small',
  17: 'mostly Q5_K, medium',
  18: 'mostly Q6_K',
  19: 'mostly IQ2_XXS',
  20: 'mostly IQ2_XS',
  21: 'mostly Q2_K, small',
  22: 'mostly IQ3_XS',
  23: 'mostly IQ3_XXS',
  24: 'mostly IQ1_S',
  25: 'mostly IQ4_NL',
  26: 'mostly IQ3_S',
  27: 'mostly IQ3_M',
  28: 'mostly IQ2_S',
  29: 'mostly IQ2_M',
  30: 'mostly IQ4_XS',
  31: 'mostly IQ1_M',
  32: 'mostly BF16',
  36: 'mostly TQ1_0',
  37: 'mostly TQ2_0',
  38: 'mostly MXFP4, experts',
  39: 'mostly NVFP4',
};
