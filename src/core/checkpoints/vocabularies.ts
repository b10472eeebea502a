/** Files in formats of models that hold a vocabulary and no tensor: they are tokenizers. */
import { memberOf } from '../formats/text/jsonMember.js';
import type { FilePart, Parts } from './parts.js';

/**
 * llama.cpp has such GGUF files for its tests (`models/ggml-vocab-*.gguf`), whisper.cpp such ggml files (`models/for-tests-*.bin`). The first
 * of a split model may have no tensors either (`llama-gguf-split --no-tensor-first-split`), and a damaged one may have lost them.
 */
export function describeVocabularies({ files, objects, tensors, findings }: Parts): void {
  const withTensors = new Set<number>();
  for (let piece = 0; piece < tensors.pieceCount; piece++) withTensors.add(tensors.pieceFile(piece));
  const damaged = new Set(findings.map(({ path }) => path));
  const roots = new Map(objects.map(({ path, value }) => [path, value.kind === 'json' ? value.root : undefined]));
  files.forEach((file, at) => {
    if (withTensors.has(at) || damaged.has(file.path)) return;
    if (file.format === 'ggml' || (file.format === 'gguf' && isVocabulary(roots.get(file.path))))
      Object.assign(file, { role: 'tokenizer', component: 'tokenizer' } satisfies Partial<FilePart>);
  });
}

/** @param keyValues of a GGUF file */
function isVocabulary(keyValues: unknown): boolean {
  const splits = memberOf(keyValues, 'split.count');
  return memberOf(keyValues, 'tokenizer.ggml.model') !== undefined && !(typeof splits === 'number' && splits > 1);
}
