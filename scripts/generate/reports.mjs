/** What the JSON schemas of reports list: layouts, configs and kinds of bytes. */
import { formatJson } from './json.mjs';
import { importSource } from './importSource.mjs';

/** @typedef {typeof import('../../src/core/text/frameworkLabels.js')} FrameworkLabels */
/** @typedef {typeof import('../../src/core/datasets/datasetReport.js')} DatasetReport */
/** @typedef {typeof import('../../src/core/inspection/hubCache/cacheReport.js')} CacheReport */
/** @typedef {typeof import('../../src/core/text/hubRevision.js')} HubRevision */

const checkpointSchema = 'docs/report.schema.json';
const datasetSchema = 'docs/dataset-report.schema.json';
const collectionSchema = 'docs/collection-report.schema.json';
const estimateSchema = 'docs/estimate-report.schema.json';

/** @type {import('../generate.mjs').Target} */
export const reports = {
  files: [checkpointSchema, datasetSchema, collectionSchema, estimateSchema],
  async generate(read) {
    const { layoutLabels, configLabels } = /** @type {FrameworkLabels} */ (
      await importSource('src/core/text/frameworkLabels.ts')
    );
    const { datasetLayoutIds, byteKinds } = /** @type {DatasetReport} */ (
      await importSource('src/core/datasets/datasetReport.ts')
    );
    const { cacheByteKinds } = /** @type {CacheReport} */ (await importSource('src/core/inspection/hubCache/cacheReport.ts'));
    const { repositoryTypes } = /** @type {HubRevision} */ (await importSource('src/core/text/hubRevision.ts'));
    const checkpoint = JSON.parse(read(checkpointSchema));
    checkpoint.properties.layout.enum = Object.keys(layoutLabels);
    const dataset = JSON.parse(read(datasetSchema));
    dataset.properties.layout.enum = datasetLayoutIds;
    const byteCount = { type: 'integer', minimum: 0 };
    dataset.$defs.kinds.properties = Object.fromEntries(byteKinds.map((kind) => [kind, byteCount]));
    const collection = JSON.parse(read(collectionSchema));
    collection.$defs.checkpoint.properties.layout.enum = Object.keys(layoutLabels);
    collection.$defs.dataset.properties.layout.enum = datasetLayoutIds;
    const { properties: ofCache } = collection.$defs.cache;
    ofCache.usage.items.properties.kind.enum = cacheByteKinds;
    const revisions = [checkpoint, dataset, collection].map(({ properties }) => properties.revision);
    for (const { properties } of [...revisions, collection.$defs.revision, ofCache.repositories.items])
      properties.type.enum = repositoryTypes;
    const estimate = JSON.parse(read(estimateSchema));
    estimate.properties.config.enum = Object.keys(configLabels);
    return {
      [checkpointSchema]: await formatJson(checkpointSchema, checkpoint),
      [datasetSchema]: await formatJson(datasetSchema, dataset),
      [collectionSchema]: await formatJson(collectionSchema, collection),
      [estimateSchema]: await formatJson(estimateSchema, estimate),
    };
  },
};
