/** Tensors that are zero, of one value or infinite by design. */
import type { ComponentId } from '../tensors/component.js';
import { isFloatDtype } from '../tensors/dtype.js';

/**
 * Zero or of one value before training, and sometimes after it: biases, norms and what scales them, the second factor of LoRA and its kin, which begins
 * as 0, running statistics, layers that begin as 0 (ControlNet, adaLN-Zero), and scales of quantized weights.
 */
const constantWords =
  /(?:^|[._/])(?:b|bias|biases|gamma|beta|running_mean|running_var|inv_freq|logit_scale|lora_up|lora_down)$|bias|norm|lora_?(?:embedding_)?b|hada_w2|zero_conv|adaln|scale|absmax|zero_point|(?:^|[._/])ln_|mask|buffer/i;

/** Last parts of the names of weights that quantizers store as integers. */
const packedWords =
  /(?:^|[._])(?:weight|qweight|qzeros|blocks|scales|weight_packed|weight_zero_point|q_weight|w_q|trellis|codes|qidxs(?:_0)?|weight_qdata|_data|b)$/i;

export function isPackedName(name: string): boolean {
  return packedWords.test(name);
}

/** Attention masks have -Inf where nothing is to be looked at. */
const maskWords = /mask|causal|(?:^|[._/])(?:attn\.bias|alibi)/i;

/** State that a run goes on from, where a value that is not finite spreads. */
const stateComponents: ReadonlySet<ComponentId> = new Set(['weights', 'masterWeights', 'optimizer', 'ema']);

/** Smaller ones are scales and constants of the program, whatever they are called. */
const leastElements = 64;

/** Whether values that are all equal are worth a word: of weights of two dimensions and more. */
export function isTrainedMatrix(name: string, dtype: string, shape: readonly number[], component: ComponentId): boolean {
  const isWeights = component === 'weights' || component === 'masterWeights' || component === 'ema';
  const elements = shape.reduce((product, size) => product * size, 1);
  if (elements < leastElements) return false;
  return isWeights && isFloatDtype(dtype) && shape.filter((size) => size > 1).length >= 2 && !constantWords.test(name);
}

/** Whether NaN and infinities of a tensor are damage. */
export function isDamage(
  name: string,
  component: ComponentId,
  { nan, positiveInf, negativeInf }: { nan: number; positiveInf: number; negativeInf: number },
): boolean {
  if (!stateComponents.has(component) || nan + positiveInf + negativeInf === 0) return false;
  const isOnlyNegative = nan === 0 && positiveInf === 0;
  return !(isOnlyNegative && component === 'weights' && maskWords.test(name));
}
