/** The schemas of retention policies and of holds, for editors and for docs, and the table of a policy's keys. */
import { replaceSection } from '../sections.mjs';
import { importSource } from './importSource.mjs';
import { formatJson } from './json.mjs';

/** @typedef {typeof import('./retentionFiles.js')} RetentionFiles */

const page = 'docs/retention.md';
const policySchema = 'docs/retention-policy.schema.json';
const packedSchema = 'media/stowage-retention.schema.json';
const holdsSchema = 'media/stowage-holds.schema.json';

/** @type {import('../generate.mjs').Target} */
export const retention = {
  files: [page, policySchema, packedSchema, holdsSchema],
  async generate(read) {
    const files = /** @type {RetentionFiles} */ (await importSource('scripts/generate/retentionFiles.ts'));
    const schema = files.retentionPolicySchema();
    return {
      [page]: replaceSection(read(page), 'generated: policy', files.retentionPolicyTable()),
      [policySchema]: await formatJson(policySchema, schema),
      // What editors are given is packed; docs are not.
      [packedSchema]: await formatJson(packedSchema, schema),
      [holdsSchema]: await formatJson(holdsSchema, files.holdsSchema()),
    };
  },
};
