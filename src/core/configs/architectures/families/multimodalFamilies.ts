import type { Architecture } from '../architecture.js';
import { ernieVisionFamily } from './ernieVisionFamily.js';
import { florenceFamily } from './florenceFamily.js';
import { gemma3nFamily } from './gemma3nFamily.js';
import { gemma4Family, gemma4UnifiedFamily } from './gemma4Family.js';
import { hunyuanVisionFamily } from './hunyuanVisionFamily.js';
import { imageTextFamilies } from './imageTextFamilies.js';
import { multimodal } from './multimodalEntry.js';
import { soundTextFamilies } from './soundTextFamilies.js';
import { stepFamily } from './stepFamily.js';

/** Language models with towers for images or sound before them. */
export const multimodalFamilies: readonly Architecture[] = [
  ...imageTextFamilies,
  ...soundTextFamilies,
  ernieVisionFamily,
  gemma3nFamily,
  gemma4Family,
  gemma4UnifiedFamily,
  florenceFamily,
  hunyuanVisionFamily,
  stepFamily,
].map(multimodal);
