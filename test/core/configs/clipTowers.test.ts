/** The second config of each tower in older configs of CLIP, against the parameters that transformers 5.24 makes on the meta device. */
import { expect, it } from 'vitest';
import { estimateText } from '../../builders/estimateText.js';

const tower = { hidden_size: 16, intermediate_size: 24, num_hidden_layers: 1, num_attention_heads: 4 };
const text = { ...tower, vocab_size: 20, max_position_embeddings: 8 };
const vision = { ...tower, image_size: 8, patch_size: 4 };
const clip = { model_type: 'clip', projection_dim: 8, text_config: text, vision_config: vision };

async function parametersOf(settings: object): Promise<number | undefined> {
  return (await estimateText('config.json', JSON.stringify({ ...clip, ...settings }))).report.parameters?.unique;
}

it.each([
  [{ architectures: ['CLIPModel'] }, 5585],
  [{ architectures: ['CLIPModel'], text_config_dict: { ...text, hidden_size: 32 } }, 10_177],
  [{ architectures: ['CLIPModel'], text_config_dict: null, vision_config_dict: { ...vision, num_hidden_layers: 2 } }, 7545],
  [{ architectures: ['CLIPTextModel'], text_config_dict: { ...text, hidden_size: 32 } }, 2440],
])('%j', async (settings, parameters) => {
  expect(await parametersOf(settings)).toBe(parameters);
});
