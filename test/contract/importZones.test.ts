import { describe, expect, it } from 'vitest';
import { readMetafiles } from './projectFiles.js';

/** What each bundle may hold. `core <- protocol <- app <- platform <- host, cli`; `core, protocol <- webview`. */
const zones: Record<string, RegExp> = {
  // The host itself: no format, no layout, so that it starts at once and can never be held up by a file. It knows the index files of
  // datasets by their text, which the editor has read, and configs and presets of plans by their names, and checks a name that it asks for.
  'extension.js':
    /^src\/(extension\.ts|host\/|protocol\/|platform\/|app\/(assistantTools|inputFields|readInput|inspection\/datasetAround|bandwidth\/(checkSettings|requestOf)|plans\/presetPlan)\.ts|core\/(bytes\/(formatError|limits|text)|bandwidth\/(checkError|progressCurve|bandwidthHistory)|files\/(companions|paths|remote\/(addressesIn|modelIdsIn|remoteAddress|remoteScheme)|namePattern|naturalOrder|reachableFiles|readableFiles|readableRows)|datasets\/indexFiles|configs\/document\/configSyntax|planning\/(inputs\/(planDocument|presetNames)|cluster\/clusterCommands)|jobs\/kubernetesName|checkpoints\/newestCheckpoint|formats\/text\/jsonValue|estimates\/configFindingWords|pages\/dataset\/indexHover|text\/(json|units|visibleText|quantities))\.ts)|^node_modules\/valibot\//,
  'estimateWorker.js':
    /^src\/(platform|app|protocol|core)\/|^node_modules\/(yaml|jsonc-parser|toml-eslint-parser|eslint-visitor-keys|valibot)\//,
  'bandwidthWorker.js':
    // Listing a checkpoint is to know all layouts.
    /^src\/(platform|app|protocol|core)\/|^node_modules\//,
  'remoteFiles.js': /^src\/(platform\/|core\/(bytes|files|text)\/)|^node_modules\/aws4fetch\//,
  'inspectionWorker.js': /^src\/(platform|app|protocol|core)\/|^node_modules\//,
  'web/extension.js': /^src\/(extension\.web\.ts|host|protocol|platform|app|core)|^node_modules\//,
  'cli.js': /^src\/(cli\.ts|cli|platform|app|protocol|core)|^node_modules\//,
  // A plan is made in the page, for each key that is pressed; a bandwidth check is put into words there.
  webview:
    /^webview\/|^src\/(protocol|core\/(text|pages|tensors|planning|bandwidth))\/|^src\/core\/(checkpoints\/(segments|layoutNames|newestCheckpoint|runs\/(pointsAt|stepOfName))|datasets\/(datasetReport|readDemand)|runs\/(gaps|pathInRun)|verification\/verification|bytes\/(limits|median)|files\/(paths|remote\/remoteScheme)|estimates\/(estimateWords|optimizerChoices)|findings\/(damagedContents|defineFinding|evidence))\.ts|^node_modules\//,
};

/** Files that only Node can run. The bundler would fail on their `node:` imports elsewhere, but says so less clearly. */
const nodeOnly =
  /^src\/platform\/(bandwidth\/|comparison\/(comparisonThread|comparisonWorkerData|workerComparer)|os\/(?!systemName|systemErrorCode)|node|worker|startedWorker|inspectionWorker|estimateWorker)/;

describe('import zones of the bundles', () => {
  const metafiles = readMetafiles();

  it('covers every bundle', () => {
    expect(Object.keys(metafiles).sort()).toEqual(Object.keys(zones).sort());
  });

  for (const [bundle, allowed] of Object.entries(zones)) {
    it(`keeps ${bundle} to what belongs into it`, () => {
      const inputs = Object.keys(metafiles[bundle]?.inputs ?? {});
      expect(inputs.length).toBeGreaterThan(0);
      expect(inputs.filter((input) => !allowed.test(input))).toEqual([]);
    });
  }

  for (const bundle of ['web/extension.js', 'webview']) {
    it(`keeps Node out of ${bundle}`, () => {
      const inputs = Object.keys(metafiles[bundle]?.inputs ?? {});
      expect(inputs.filter((input) => nodeOnly.test(input) || input.startsWith('node:'))).toEqual([]);
    });
  }
});
