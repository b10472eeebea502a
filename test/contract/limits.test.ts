/** Every limit is named by a test that reaches it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { limits } from '../../src/core/bytes/limits.js';

/** Limits without a test by name. A new limit needs one; a test that names one of these takes it out of the list. */
const withoutTest = [
  'absentTensors',
  'arrowPlaces',
  'awsProfileBytes',
  'cacheRefs',
  'checkFreeShare',
  'checkFreeTimes',
  'checkSmallFiles',
  'checkSpaceBytes',
  'clusterMessageBytes',
  'clusterNodes',
  'configBytes',
  'configNumber',
  'configReferences',
  'ggufHeaderBytes',
  'graphNodes',
  'hdf5Objects',
  'hdf5StructureBytes',
  'inspectionHeapBytes',
  'jobResultBytes',
  'largePickleScanBytes',
  'lengthsBytes',
  'lengthsReads',
  'linkedFiles',
  'metadataPayloadBytes',
  'moduleNodes',
  'moduleTensorsExpanded',
  'objectNodes',
  'ocdbtDecodedBytes',
  'ocdbtNodeBytes',
  'otherHeapBytes',
  'pickleBytes',
  'pickleScanGroups',
  'pickleScanStack',
  'pickleWalkDepth',
  'pickleWalkNodes',
  'plainNamesSniffed',
  'planListItems',
  'pointerBytes',
  'quantizedInputs',
  'rankFiles',
  'rememberedBytes',
  'rememberedReadBytes',
  'schemaDepth',
  'schemaFields',
  'sniffedOfDirectory',
  'stateDictValues',
  'storeAnswerBytes',
  'storePartBytes',
  'storeParts',
  'storedObjectsBytes',
  'tableBlockBytes',
  'tarMembers',
  'textLineBytes',
  'textPageBytes',
  'textPageValues',
  'tokenFileScanBytes',
  'unindexedItems',
];

it('every limit but the known ones is named by a test', () => {
  const files = ['core', 'hostile', 'system', 'host', 'webview'].flatMap((suite) =>
    readdirSync(path.join('test', suite), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => path.join('test', suite, file)),
  );
  const words = new Set(files.flatMap((file) => readFileSync(file, 'utf8').match(/\w+/g) ?? []));
  const unnamed = Object.keys(limits).filter((name) => !words.has(name));
  expect(unnamed.sort()).toEqual(withoutTest);
});
