/** The schema of sites files, and the table of their keys in docs/plan.md, from the table of amounts. */
import { limits } from '../../src/core/bytes/limits.js';
import { ownAmounts, sitesFileVersion, sitesKind } from '../../src/core/planning/inputs/sitesFile.js';
import { sites } from '../../src/core/planning/systems/siteNames.js';

type Schema = Readonly<Record<string, unknown>>;

/** What docs/stowage-sites.schema.json holds. */
export function sitesFileSchema(): Schema {
  const name = { type: 'string', minLength: 1, maxLength: limits.planNameCharacters };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'stowage-sites',
    title: 'Storage systems that there are (stowage-sites.json)',
    type: 'object',
    properties: {
      $schema: { type: 'string', description: 'For editors; Stowage does not read it.' },
      kind: { const: sitesKind, description: 'Tells a sites file from other JSON.' },
      schemaVersion: { const: sitesFileVersion, description: 'Of this form of the file.' },
      site: { enum: [...sites], description: 'Where the systems are.' },
      store: { ...name, description: 'What plans save to that name no storage: one of the systems below, or a known one.' },
      objectStore: { ...name, description: 'The object store of plans that name none.' },
      pricePerKilowattHour: {
        type: 'number',
        minimum: 0,
        maximum: 1e3,
        description: 'US dollars; powerWatts costs nothing without it.',
      },
      systems: {
        type: 'object',
        description: 'Each by its name. A known name changes what is known of that system.',
        maxProperties: limits.sitesSystems,
        additionalProperties: {
          type: 'object',
          properties: {
            basedOn: { ...name, description: 'The known system that it is a kind of, or another one of the file.' },
            ...Object.fromEntries(
              Object.entries(ownAmounts).map(([key, { minimum, maximum, what }]) => [
                key,
                { type: 'number', minimum, maximum, description: what },
              ]),
            ),
          },
          additionalProperties: false,
        },
      },
    },
    required: ['kind', 'schemaVersion'],
    additionalProperties: false,
  };
}

/** Each amount of a system with its limits. */
export function sitesFileTable(): string {
  const rows = Object.entries(ownAmounts).map(
    ([key, { minimum, maximum, what }]) => `| \`${key}\` | ${minimum} to ${maximum.toExponential().replace('+', '')} | ${what} |`,
  );
  return ['| key | limits | what |', '| --- | --- | --- |', ...rows].join('\n');
}
