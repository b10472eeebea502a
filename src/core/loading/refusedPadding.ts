/**
 * Ids of padding tokens with which no model is made. Values of `model_type` whose class of transformers gives `pad_token_id` to `nn.Embedding`, which refuses one that is no row of it
 * (torch/nn/modules/sparse.py). Each was made with an id of as many as its `vocab_size`, and with one below all that count from the end
 * (transformers 5.24).
 */
import { memberOf } from '../formats/text/jsonMember.js';
import { formatCount } from '../text/units.js';
import { inWords, type RefusedSetting } from './refusedSetting.js';

const types =
  'afmoe albert apertus apertus1p5_text arcee aria_text axk1 axk2 bailing_hybrid bart beam bert bert-generation big_bird ' +
  'bigbird_pegasus biogpt bitnet blenderbot blenderbot-small bros camembert chameleon cohere cohere2 cohere2_moe ' +
  'cohere_asr cohere_compass_text convbert cosmos3_edge_text cwm data2vec-text dbrx deberta deberta-v2 deepseek_v2 ' +
  'deepseek_v3 deepseek_v32 deepseek_v4 diffllama distilbert doge dory dots1 dots3_note_text dpr electra ' +
  'embedding_gemma2_text ernie ernie4_5 ernie4_5_moe eurobert exaone exaone4 exaone_moe flaubert flex_olmo flint fnet ' +
  'fsmt gemma gemma2 gemma3_text gemma3n_text gemma4_text gemma4_unified_text git glm glm4 glm4_moe glm4_moe_lite ' +
  'glm4v_moe_text glm4v_text glm5_next_text glm_image_text glm_moe_dsa glm_ocr_text gpt_oss gradium_phonon_tts granite ' +
  'granite_docling_text granite_swa granitemoe granitemoe_swa granitemoehybrid granitemoeshared gte helium higgs_audio_v2 ' +
  'hrm_text hunyuan_v1_dense hunyuan_v1_moe hunyuan_vl_text hy_v3 hy_v4 hy_v4_vl_text hyperclovax idefics ' +
  'inkling2_loop_text inkling2_text inkling_text internlm3 iquestcoder jais2 jetmoe jina_embeddings_v3 kimi_linear ' +
  'kolibri1 laguna lara_mini layoutlm layoutlmv3 led lfm2 lfm2_moe lfm3 lilt llama llama4_text longcat_flash longformer ' +
  'luke m2m_100 marian markuplm mbart megatron-bert mellum mimo_v2_flash minicpm3 minimax minimax_m2 minimax_m3_vl_text ' +
  'ministral ministral3 mistral mistral4 mistral_large4_text mixtral mobilebert modernbert modernbert-decoder moonshine ' +
  'moonshine_streaming mra muse_glimmer_text muse_spark_text mvp nanochat nemotron nllb-moe nomic_bert nystromformer olmo ' +
  'olmo2 olmo3 olmo_hybrid olmoe openai_privacy_filter opt pegasus pegasus_x persimmon phi phi3 phi4_multimodal phimoe ' +
  'plbart pocket_tts prophetnet qwen2 qwen2_5_vl_text qwen2_moe qwen2_vl_text qwen3 qwen3_5_moe_text qwen3_5_text ' +
  'qwen3_moe qwen3_next qwen3_vl_moe_text qwen3_vl_text qwen4_exp_text rembert roberta roberta-prelayernorm roc_bert ' +
  'roformer sarvam_mla sarvam_moe seamless_m4t seamless_m4t_v2 seed_oss smollm3 solar_open splinter squeezebert stablelm ' +
  'starcoder2 tapas tvp ultrabert vaultgemma vilt visual_bert vits whisper xglm xlm xlm-roberta xlm-roberta-xl xmod yoso ' +
  'youtu zamba zamba2 zaya';

const checked: ReadonlySet<string> = new Set(types.split(' '));

/** Whether making a model of this type fails for a `pad_token_id` beyond its vocabulary. */
export function refusesPadding(modelType: unknown): boolean {
  return typeof modelType === 'string' && checked.has(modelType);
}

/** A negative id counts from the last row. @param config of one model */
export function refusedPadding(config: unknown): RefusedSetting | undefined {
  const [id, rows, type] = ['pad_token_id', 'vocab_size', 'model_type'].map((key) => memberOf(config, key));
  if (typeof id !== 'number' || typeof rows !== 'number' || id >= -rows || !refusesPadding(type)) return undefined;
  return { key: 'pad_token_id', value: inWords(id), needed: `at least -${formatCount(rows)} (vocab_size)`, isCertain: true };
}
