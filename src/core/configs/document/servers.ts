/** Programs that serve models or measure them, and train none: vLLM, SGLang, lm-evaluation-harness. */

/** Of their commands. They are values of flags, too: `lm_eval --model vllm`. */
export const serverNames: ReadonlySet<string> = new Set(['vllm', 'sglang', 'lm_eval', 'lm-eval']);

/** The image of vLLM's server, whose own command serves: what is given to it are options (`vllm/vllm-openai:v0.10.1`). */
export const vllmImage = 'vllm-openai';
const image = /(?:^|\/)vllm-openai(?:$|[:@])/;

export function isServerImage(text: string): boolean {
  return image.test(text);
}

/** Commands of `vllm` that load a model; `vllm bench serve` asks a server. */
const vllmCommands: ReadonlySet<string> = new Set(['serve', 'run-batch']);

/** `vllm serve`, `vllm.entrypoints.openai.api_server`, and its image. @param programs of one command, as `Launch` has them */
export function isVllm(programs: readonly string[]): boolean {
  return programs.some(
    (name, index) =>
      name.startsWith('vllm.entrypoints.') ||
      isServerImage(name) ||
      (name === 'vllm' && vllmCommands.has(programs[index + 1] ?? '')),
  );
}

/** `sglang serve`, `python -m sglang.launch_server`. @param programs as above */
export function isSglang(programs: readonly string[]): boolean {
  return programs.includes('sglang') || programs.includes('sglang.launch_server');
}

/** `lm_eval`, `lm-eval`, `python -m lm_eval`. @param programs as above */
export function isLmEvaluation(programs: readonly string[]): boolean {
  return programs.includes('lm_eval') || programs.includes('lm-eval');
}

/** Any of them, clients of their servers too. @param programs as above */
export function isOfServer(programs: readonly string[]): boolean {
  return programs.some((name) => serverNames.has(name)) || isVllm(programs) || isSglang(programs);
}
