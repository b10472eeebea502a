/** How weights were packed, and tied embeddings, from config.json of transformers and MLX and the settings that quantizers write beside it. */
import { memberOf } from '../formats/text/jsonMember.js';
import type { ModuleQuantization, QuantizationFacts } from '../tensors/packedWeights.js';

/** @param json JSON files of the checkpoint by their paths */
export function quantizationFacts(json: ReadonlyMap<string, unknown>): QuantizationFacts {
  const config = json.get('config.json');
  const text = memberOf(config, 'text_config');
  // MLX calls it `quantization`; AutoGPTQ and AutoAWQ write a file of their own.
  const quantization =
    memberOf(config, 'quantization_config') ??
    memberOf(text, 'quantization_config') ??
    memberOf(config, 'quantization') ??
    json.get('quantize_config.json') ??
    json.get('quant_config.json');
  const method = memberOf(quantization, 'quant_method');
  const groups = weightGroups(quantization);
  return {
    method: typeof method === 'string' ? method : undefined,
    weightBits: bitsOf(quantization) ?? onlyOf(groups.map((group) => widthIn(memberOf(group, 'num_bits')))),
    groupSize: sizeIn(groupSizeOf(quantization)) ?? onlyOf(groups.map((group) => sizeIn(memberOf(group, 'group_size')))),
    ofModule: (module) => ofModule(quantization, module),
    tiesEmbeddings: (memberOf(config, 'tie_word_embeddings') ?? memberOf(text, 'tie_word_embeddings')) === true,
  };
}

/** Weights of compressed-tensors' groups of modules. */
function weightGroups(quantization: unknown): unknown[] {
  const groups = memberOf(quantization, 'config_groups');
  if (typeof groups !== 'object' || groups === null) return [];
  return Object.values(groups as Record<string, unknown>).map((group) => memberOf(group, 'weights'));
}

/** HQQ has the settings of weights two levels below. */
function hqqSettings(quantization: unknown): unknown {
  return memberOf(memberOf(quantization, 'quant_config'), 'weight_quant_params');
}

function bitsOf(quantization: unknown): number | undefined {
  // EXL2 has the mean of the widths there, GPTQ may have others for single modules.
  if (memberOf(quantization, 'dynamic') !== undefined) return undefined;
  const candidates = [
    memberOf(quantization, 'bits'),
    memberOf(quantization, 'w_bit'),
    memberOf(hqqSettings(quantization), 'nbits'),
    // Quanto: `int4`.
    /^q?u?int(\d)$/.exec(String(memberOf(quantization, 'weights')))?.[1],
  ];
  return candidates.map(widthIn).find((bits) => bits !== undefined);
}

function groupSizeOf(quantization: unknown): unknown {
  return (
    memberOf(quantization, 'group_size') ??
    memberOf(quantization, 'q_group_size') ??
    memberOf(hqqSettings(quantization), 'group_size')
  );
}

/** MLX has an object by the name of a module that differs, VPTQ one for each. */
function ofModule(quantization: unknown, module: string): ModuleQuantization | undefined {
  const own = memberOf(quantization, module) ?? memberOf(memberOf(quantization, 'config_for_layers'), module);
  if (typeof own !== 'object' || own === null) return undefined;
  return {
    groupSize: sizeIn(memberOf(own, 'group_size')),
    bits: widthIn(memberOf(own, 'bits')),
    inputs: sizeIn(memberOf(own, 'in_features')),
    outputs: sizeIn(memberOf(own, 'out_features')),
  };
}

function widthIn(value: unknown): number | undefined {
  const bits = Number(value);
  return [1, 2, 3, 4, 5, 6, 8, 16].includes(bits) ? bits : undefined;
}

/** Sizes above 2^31 are none, and would make the products inexact. */
function sizeIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 2 ** 31 ? value : undefined;
}

/** The value that all have; undefined where they differ. */
function onlyOf(values: readonly (number | undefined)[]): number | undefined {
  const distinct = new Set(values);
  return distinct.size === 1 ? values[0] : undefined;
}
