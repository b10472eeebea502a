/** DiffusionGemma: an encoder, and a decoder of the same tensors (transformers/models/diffusion_gemma/modeling_diffusion_gemma.py). */
import type { MultimodalEntry } from './multimodalShape.js';
import { addGemma4Vision } from './gemma4Family.js';

const encoder = 'model.encoder.language_model.';
const decoder = 'model.decoder.';

export const diffusionGemmaFamily: MultimodalEntry = {
  modelTypes: ['diffusion_gemma'],
  name: 'DiffusionGemma',
  task: 'BlockDiffusion',
  textType: 'diffusion_gemma_text',
  isTied: true,
  textPrefix: encoder,
  towers(model, config, { groups, hidden }) {
    const width = groups.find(({ name }) => name.endsWith('mlp.up_proj.weight'))?.shape[0];
    const states = addGemma4Vision(model, 'model.encoder.vision_tower.', config.at('vision_config'));
    if (states === null || width === undefined) return false;
    model.linear('model.encoder.embed_vision.embedding_projection', states, hidden);
    // One flag ties the output layer and both halves.
    const isTied = config.flag('tie_word_embeddings') ?? true;
    for (const group of groups)
      if (group.kind !== 'head')
        model.groups.push({ ...group, name: group.name.replace('model.', decoder), ...(isTied ? { isTied } : {}) });
    const conditioning = `${decoder}self_conditioning`;
    model
      .norm(`${conditioning}.pre_norm`, hidden)
      .linear(`${conditioning}.gate_proj`, hidden, width)
      .linear(`${conditioning}.up_proj`, hidden, width)
      .linear(`${conditioning}.down_proj`, width, hidden);
    return true;
  },
};
