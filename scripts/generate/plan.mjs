/** The schemas of plan files and of their reports, and the tables of docs/plan.md, from the inputs, answers and systems of plans. */
import { replaceSection } from '../sections.mjs';
import { importSource } from './importSource.mjs';
import { formatJson } from './json.mjs';

/** @typedef {typeof import('./planFacts.js')} PlanFacts */

const page = 'docs/plan.md';
const reportSchema = 'docs/plan-report.schema.json';
const fileSchema = 'media/stowage-plan.schema.json';
const sitesSchema = 'docs/stowage-sites.schema.json';

/** @type {import('../generate.mjs').Target} */
export const plan = {
  files: [page, reportSchema, fileSchema, sitesSchema],
  async generate(read) {
    const facts = /** @type {PlanFacts} */ (await importSource('scripts/generate/planFacts.ts'));
    const withAnswers = replaceSection(read(page), 'generated: answers', facts.planAnswerTable());
    const withGpus = replaceSection(withAnswers, 'generated: gpus', facts.planGpuTable());
    const withRuns = replaceSection(withGpus, 'generated: runs', facts.planRunTable());
    const withSites = replaceSection(withRuns, 'generated: sites', facts.sitesFileTable());
    return {
      [page]: replaceSection(withSites, 'generated: inputs', facts.planInputTable()),
      [reportSchema]: await formatJson(reportSchema, withFacts(JSON.parse(read(reportSchema)), facts)),
      [fileSchema]: await formatJson(fileSchema, facts.planFileSchema()),
      [sitesSchema]: await formatJson(sitesSchema, facts.sitesFileSchema()),
    };
  },
};

/**
 * The schema of the report with what the tables have. Forms of lists and objects are written by hand, those of single members are added.
 * @param {any} schema
 * @param {PlanFacts} facts
 */
function withFacts(
  schema,
  {
    addForms,
    answerDescription,
    failureClasses,
    guidanceRules,
    planAnswers,
    planInputSchemas,
    planKeys,
    sampleAnswers,
    systemIds,
  },
) {
  const { inputs, answers } = schema.properties;
  inputs.properties = planInputSchemas();
  inputs.required = planKeys;
  Object.assign(schema.$defs.inputName, { enum: planKeys });
  Object.assign(schema.$defs.system, { enum: systemIds });
  Object.assign(schema.$defs.failureClass, { enum: failureClasses });
  const { points } = answers.properties.guidance.properties.verdicts.items.properties;
  points.properties = Object.fromEntries(
    guidanceRules.map(({ id, most }) => [id, { type: 'number', minimum: 0, maximum: most }]),
  );
  points.required = guidanceRules.map(({ id }) => id);
  addForms(answers, sampleAnswers(), schema.$defs);
  answers.required = Object.keys(planAnswers);
  const forms = Object.keys(answers.properties);
  if (String(forms) !== String(answers.required)) throw new Error(`${reportSchema} must have these answers: ${answers.required}`);
  for (const [key, words] of Object.entries(planAnswers)) answers.properties[key].description = answerDescription(words);
  return schema;
}
