import type { Conversion } from '../../checkpoints/loadReport.js';
import { isModelDirectory } from '../../checkpoints/ownWeights.js';
import { memberOf } from '../../formats/text/jsonMember.js';
import { commandOf, type Place } from './conversionPlace.js';
import { noBytes, halfBytes, fullBytes } from './directoryBytes.js';

/** llama.cpp knows some hundred classes of language models, and says so of the others. */
export function gguf({ parts, json, place, bytes }: Place): Conversion[] {
  const config = json.get('config.json');
  const [name] = [memberOf(config, 'architectures')].flat();
  const hasTokenizer = parts.files.some(({ path }) => path === 'tokenizer.json' || path === 'tokenizer.model');
  const isKnown =
    typeof name === 'string' &&
    name.endsWith('ForCausalLM') &&
    ['quantization_config', 'quantization'].every((key) => memberOf(config, key) === undefined);
  if (!isModelDirectory(parts) || !isKnown || !hasTokenizer) return [];
  const { weightElements, vectorElements } = bytes().get('') ?? noBytes;
  return [
    {
      to: 'GGUF',
      command: commandOf([
        'python convert_hf_to_gguf.py',
        { path: place },
        '--outfile',
        { path: `${place}.gguf` },
        '--outtype bf16',
      ]),
      memoryBytes: null,
      diskBytes: (weightElements - vectorElements) * halfBytes + vectorElements * fullBytes,
      source:
        'convert_hf_to_gguf.py of llama.cpp: tensors are read one after the other; vectors are written in 32 bits. The tokenizer in the file is not counted.',
    },
  ];
}
