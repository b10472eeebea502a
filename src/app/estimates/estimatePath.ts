import { partPathsInWords } from '../../core/inspection/collection/missingPart.js';
import { listParts } from '../../core/inspection/inspect.js';
import { configFile } from '../../core/configs/configAccess.js';
import type { ModelSource } from '../../core/configs/configKind.js';
import { FormatError } from '../../core/bytes/formatError.js';
import { limits } from '../../core/bytes/limits.js';
import type { EstimateReport } from '../../core/estimates/estimateReport.js';
import type { RunTimeline } from '../../core/estimates/runTimeline.js';
import { renderEstimateMarkdown } from '../../core/pages/estimate/estimateMarkdown.js';
import { renderEstimateTerminal } from '../../core/pages/estimate/estimateTerminal.js';
import { jsonText, type Answer } from '../answer.js';
import type { Platform } from '../platform.js';
import { PathError } from '../useCaseError.js';
import type { EstimateInput } from '../useCaseInputs.js';
import { planOfChanges } from './estimateChanges.js';
import { estimateConfig } from './estimateConfig.js';

export interface EstimateAnswer extends Answer<EstimateReport> {
  timeline: RunTimeline;
}

/**
 * Estimates the config at a path; of a folder the config.json in it.
 * @throws InputError, and PathError when it cannot be read or is no config
 */
export async function estimatePath(platform: Platform, { path, model, ...changes }: EstimateInput): Promise<EstimateAnswer> {
  // A wrong input is reported before any file is read.
  planOfChanges(changes);
  const place = await configAt(platform, path);
  const folder = platform.folderOf(place);
  const surroundings = {
    ...(model === undefined ? {} : { model: await modelAt(platform, model) }),
    sources: await platform.configSources(folder),
    freeBytes: (outputFolder: string | undefined) => platform.freeBytes(folder, outputFolder),
  };
  const estimated = await estimateConfig({ path: place, text: await readConfig(platform, place) }, surroundings, changes);
  if (estimated === null) throw new PathError(place, 'is not a supported model or training config');
  const { report, estimate } = estimated;
  return {
    report,
    timeline: estimate.timeline,
    json: () => jsonText(report),
    markdown: () => renderEstimateMarkdown(report),
    terminal: (options) => renderEstimateTerminal(report, options),
  };
}

/**
 * The model of a config.json or its folder; of anything else a model of that name.
 * @throws PathError for a file that is no config of a model
 */
async function modelAt(platform: Platform, model: string): Promise<ModelSource> {
  const isThere = await platform.stat(model).then(
    () => true,
    () => false,
  );
  if (!isThere) return { kind: 'named', name: model, key: '' };
  const place = await configAt(platform, model);
  const file = await configFile(place, await readConfig(platform, place));
  if (file === null || !file.fields.has('model_type', 'architectures'))
    throw new PathError(place, 'is no config.json of a model');
  return { kind: 'fields', fields: file.fields, origin: { kind: 'file', path: place } };
}

/**
 * The config of the model in a folder; every other path as it is.
 * @throws PathError for a folder without one that holds several things
 */
async function configAt(platform: Platform, path: string): Promise<string> {
  const kindAt = (place: string): Promise<string | null> =>
    platform.stat(place).then(
      ({ kind }) => kind,
      () => null,
    );
  if ((await kindAt(path)) !== 'folder') return path;
  const config = platform.pathIn(path, 'config.json');
  if ((await kindAt(config)) !== null) return config;
  const parts = await platform.openTree(path).then(listParts, () => []);
  if (parts.length > 1)
    throw new PathError(path, `holds several things and no config.json. Name one: ${partPathsInWords(parts)}`);
  return config;
}

async function readConfig(platform: Platform, path: string): Promise<string> {
  try {
    const text = await platform.readText(path, limits.configBytes);
    if (text.length > limits.configCharacters)
      throw new FormatError(
        'limit-exceeded',
        `it has ${text.length} characters, more than the ${limits.configCharacters} that are read of a config`,
      );
    return text;
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    throw new PathError(path, `cannot be read: ${error.detail}`, { cause: error });
  }
}
