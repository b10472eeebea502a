/** Decoders with rotary positions whose classes of transformers 5.24 were tried with each setting that is named as refused. */
export const rotaryTypes: ReadonlySet<unknown> = new Set(
  (
    'afmoe apertus apertus1p5_text arcee aria_text axk1 axk2 bailing_hybrid bitnet cohere cohere2 cwm dbrx deepseek_v2 deepseek_v3 ' +
    'deepseek_v32 diffllama doge dots1 dots3_note_text ernie4_5 ernie4_5_moe eurobert exaone4 exaone_moe falcon flex_olmo flint ' +
    'gemma gemma2 glm glm4 glm4_moe glm4_moe_lite glm_moe_dsa gpt_neox gpt_neox_japanese gpt_oss granite granite_swa granitemoe ' +
    'granitemoe_swa granitemoeshared gte helium hrm_text hunyuan_v1_dense hunyuan_v1_moe hy_v3 hy_v4 hyperclovax internlm3 ' +
    'iquestcoder jais2 jetmoe kolibri1 lara_mini lfm2 lfm2_moe llama llama4_text longcat_flash minicpm3 minimax minimax_m2 ' +
    'minimax_m3_vl_text ministral ministral3 mistral mistral4 mixtral nanochat nemotron nomic_bert olmo olmo2 olmo_hybrid olmoe ' +
    'persimmon phi phimoe qwen2 qwen2_moe qwen3 qwen3_5_moe_text qwen3_5_text qwen3_moe qwen3_next qwen4_exp_text seed_oss smollm3 ' +
    'solar_open stablelm starcoder2 vaultgemma youtu'
  ).split(' '),
);
