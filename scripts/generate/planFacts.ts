/** Everything about plans that pages and schemas list, in one module: it is bundled once. */
export { planKeys } from '../../src/core/planning/inputs/planInputs.js';
export { guidanceRules } from '../../src/core/planning/systems/guidance.js';
export { failureClasses } from '../../src/core/planning/systems/storageSystem.js';
export { systemIds } from '../../src/core/planning/systems/systemNames.js';
export { answerDescription, planAnswers, planAnswerTable } from './planAnswers.js';
export { addForms, sampleAnswers } from './planForms.js';
export { planFileSchema, planInputSchemas } from './planFileSchema.js';
export { planGpuTable } from './planGpuTable.js';
export { planRunTable } from './planRunTable.js';
export { planInputTable } from './planInputTable.js';
export { sitesFileSchema, sitesFileTable } from './sitesFileSchema.js';
