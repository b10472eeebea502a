/** The tables of docs/findings.md, from src/core/findings. */
import { importSource } from './importSource.mjs';
import { replaceSection } from '../sections.mjs';

/** @typedef {typeof import('../../src/core/findings/findingTable.js')} FindingTable */
/** @typedef {typeof import('../../src/core/findings/describeFindings.js')} FindingWords */

const page = 'docs/findings.md';

/** @type {import('../generate.mjs').Target} */
export const findings = {
  files: [page],
  async generate(read) {
    const { findingSubjects } = /** @type {FindingTable} */ (await importSource('src/core/findings/findingTable.ts'));
    const { describeFinding } = /** @type {FindingWords} */ (await importSource('src/core/findings/describeFindings.ts'));
    const tables = Object.entries(findingSubjects).map(([subject, findings]) => {
      const rows = Object.entries(findings).map(([code, { example }]) => {
        const finding = /** @type {import('../../src/core/findings/finding.js').Finding} */ ({ code, facts: example });
        const { severity, message, advice } = describeFinding(finding);
        return `| \`${code}\` | ${severity} | ${markdown(message)} | ${markdown(advice)} |`;
      });
      return [
        `## ${subject}`,
        '',
        '| code | severity | message, by an example | what to do |',
        '| --- | --- | --- | --- |',
        ...rows,
      ].join('\n');
    });
    return { [page]: replaceSection(read(page), 'generated: findings', tables.join('\n\n')) };
  },
};

/** @param {string} words */
function markdown(words) {
  return words.replaceAll(/[\\`*_|<]/g, '\\$&');
}
