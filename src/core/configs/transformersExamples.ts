/** Examples of transformers that train with the Trainer (examples/pytorch of its repository), by the names of their scripts. */
const tasks = new Set([
  ...['clm', 'fim', 'mlm', 'plm', 'glue', 'xnli', 'classification', 'ner', 'qa', 'qa_beam_search', 'seq2seq_qa', 'swag'],
  ...['summarization', 'translation', 'image_classification', 'mae', 'mim', 'clip', 'object_detection'],
  ...['instance_segmentation', 'semantic_segmentation', 'audio_classification', 'speech_recognition_ctc'],
  ...['speech_recognition_ctc_adapter', 'speech_recognition_seq2seq'],
]);

/** Whether one of them runs; each trains with `--do_train` alone. */
export function isTransformersExample(programs: readonly string[]): boolean {
  return programs.some((program) => tasks.has(/(?:^|\/)run_(\w+)\.py$/.exec(program)?.[1] ?? ''));
}
