import type { Architecture } from '../architecture.js';
import { ernieVisionFamily } from './ernieVisionFamily.js';
import { florenceFamily } from './florenceFamily.js';
import { gemma3nFamily } from './gemma3nFamily.js';
import { gemma4Family, gemma4UnifiedFamily } from './gemma4Family.js';
import { hunyuanVisionFamily } from './hunyuanVisionFamily.js';
import { imageTextFamilies } from './imageTextFamilies.js';
import { inklingFamily } from './inklingVision.js';
import { glm5NextFamily } from './glm5NextFamily.js';
import { museFamily } from './museFamily.js';
import { molmoFamily } from './molmoFamily.js';
import { miniCpmVisionFamily } from './miniCpmVisionFamily.js';
import { diffusionGemmaFamily } from './diffusionGemmaFamily.js';
import { janusFamily } from './janusFamily.js';
import { apertusVisionFamily } from './apertusVisionFamily.js';
import { graniteVisionFamily } from './graniteVisionFamily.js';
import { multimodal } from './multimodalEntry.js';
import { omniFamily } from './omniFamily.js';
import { omniMoeFamily } from './omniMoeFamily.js';
import { soundTextFamilies } from './soundTextFamilies.js';
import { stepFamily } from './stepFamily.js';

/** Language models with towers for images or sound before them. */
export const multimodalFamilies: readonly Architecture[] = [
  omniFamily,
  omniMoeFamily,
  ...[
    ...imageTextFamilies,
    ...soundTextFamilies,
    ernieVisionFamily,
    gemma3nFamily,
    gemma4Family,
    gemma4UnifiedFamily,
    florenceFamily,
    hunyuanVisionFamily,
    stepFamily,
    inklingFamily,
    glm5NextFamily,
    museFamily,
    molmoFamily,
    miniCpmVisionFamily,
    diffusionGemmaFamily,
    janusFamily,
    apertusVisionFamily,
    graniteVisionFamily,
  ].map(multimodal),
];
