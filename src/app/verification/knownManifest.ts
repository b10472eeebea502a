/** The manifest that a path is compared with. */
import { limits } from '../../core/bytes/limits.js';
import { readWhole } from '../../core/bytes/readWhole.js';
import { decodeWrittenText } from '../../core/bytes/text.js';
import type { FileEntry, FileTree } from '../../core/files/fileTree.js';
import { counted, listed } from '../../core/text/quantities.js';
import { visibleText } from '../../core/text/visibleText.js';
import type { Manifest } from '../../core/verification/expected.js';
import { joinManifests, type PlacedManifest } from '../../core/verification/manifest/joinManifests.js';
import { manifestName, parseManifest } from '../../core/verification/manifest/manifestFile.js';
import { manifestedPath, ownFolder } from '../../core/verification/ownFiles.js';
import { ofPath } from '../ofPath.js';
import type { Platform } from '../platform.js';
import type { VerifyInput } from '../useCaseInputs.js';
import { directoryBeside, folderBeside, placeOf } from './besidePath.js';

type ManifestPlatform = Pick<Platform, 'nameOf' | 'folderOf' | 'pathIn' | 'stat' | 'readText' | 'openTree' | 'openFolders'>;

export interface Known {
  manifest: Manifest | null;
  /** Null where there is none, and where there are several. */
  manifestPath: string | null;
  /** What the reader should know of manifests, a sentence each. */
  notes: string[];
}

/**
 * The manifest that is named; else the one beside the path or in it; else, of a file, that of its directory, and of a directory those of what is in it.
 * @throws PathError for one that cannot be read or is refused
 */
export async function manifestOf(
  platform: ManifestPlatform,
  tree: FileTree,
  { path, manifest: named }: Pick<VerifyInput, 'path' | 'manifest'>,
): Promise<Known> {
  if (named !== undefined) return { manifest: await manifestAt(platform, named), manifestPath: named, notes: [] };
  const own = await nearest(platform, [
    folderBeside(platform, tree, path),
    ...(tree.isFile === true ? [] : [placeOf(tree, path)]),
  ]);
  if (own !== null) return own;
  const around = tree.isFile === true ? await manifestOfDirectory(platform, tree, path) : await manifestsWithin(tree);
  if (around !== null) return around;
  return { manifest: null, manifestPath: null, notes: await otherNames(platform, placeOf(tree, path)) };
}

/** @throws PathError */
export async function manifestAt(platform: Pick<Platform, 'readText'>, file: string): Promise<Manifest> {
  const text = await ofPath(file, 'cannot be verified', () => platform.readText(file, limits.manifestFileBytes));
  return ofPath(file, 'is refused', () => parseManifest(text));
}

async function nearest(platform: ManifestPlatform, places: readonly string[]): Promise<Known | null> {
  for (const place of places) {
    const file = platform.pathIn(place, manifestName);
    const stats = await platform.stat(file).catch(() => null);
    if (stats?.kind === 'file') return { manifest: await manifestAt(platform, file), manifestPath: file, notes: [] };
  }
  return null;
}

/** What the manifest of the directory has of a file and of those that belong to it. */
async function manifestOfDirectory(platform: ManifestPlatform, tree: FileTree, path: string): Promise<Known | null> {
  const folder = platform.folderOf(placeOf(tree, path));
  const directory = await ofPath(folder, 'cannot be verified', () => platform.openTree(folder));
  const found = await nearest(platform, [folderBeside(platform, directory, folder), placeOf(directory, folder)]);
  if (found?.manifest == null) return null;
  const { entries } = await ofPath(path, 'cannot be verified', () => tree.list());
  const names = new Set(entries.map((entry) => entry.path));
  const files = new Map([...found.manifest.files].filter(([name]) => names.has(name)));
  return { ...found, manifest: { ...found.manifest, files } };
}

/** Names that a note lists. */
const mostNames = 3;

/** Those in folders `.stowage` of a directory, of what is in it. */
async function manifestsWithin(tree: FileTree): Promise<Known | null> {
  const { entries } = await ofPath(tree.rootName, 'cannot be verified', () => tree.list());
  const places = placesWithin(entries);
  const parts: PlacedManifest[] = [];
  let bytes = 0;
  for (const { entry, path, isFile } of places) {
    bytes += entry.sizeBytes;
    if (bytes > limits.manifestFileBytes) break;
    parts.push({ path, isFile, manifest: await listedManifest(tree, entry) });
  }
  if (parts.length === 0) return null;
  const names = parts.map(({ path }) => visibleText(path));
  const left = places.length - parts.length;
  return {
    manifest: joinManifests(parts),
    manifestPath: null,
    notes: [
      `Compared with the ${names.length === 1 ? 'manifest' : `${names.length} manifests`} of ${listed(names.slice(0, mostNames))}${names.length > mostNames ? ', …' : ''}.`,
      ...(left === 0
        ? []
        : [`${counted(left, 'more manifest')} would take too much memory at once: verify these directories one by one.`]),
    ],
  };
}

function placesWithin(entries: readonly FileEntry[]): { entry: FileEntry; path: string; isFile: boolean }[] {
  const candidates = entries.flatMap((entry) => {
    const path = entry.link === undefined ? manifestedPath(entry.path) : null;
    return path === null ? [] : [{ entry, path }];
  });
  if (candidates.length === 0) return [];
  const files = new Set(entries.map(({ path }) => path));
  return candidates.map(({ entry, path }) => ({ entry, path, isFile: files.has(path) }));
}

async function listedManifest(tree: FileTree, { path }: FileEntry): Promise<Manifest> {
  return ofPath(path, 'is refused', async () => {
    const source = await tree.open(path);
    try {
      return parseManifest(decodeWrittenText(await readWhole(source, limits.manifestFileBytes, 'a manifest', undefined)));
    } finally {
      await source.close();
    }
  });
}

/** Folders in `.stowage` that are looked at: each takes two calls. */
const mostLookedAt = 100;

/** A directory that was renamed has its manifest under its old name. */
async function otherNames(platform: ManifestPlatform, place: string): Promise<string[]> {
  const directory = directoryBeside(platform, place);
  const folder = platform.pathIn(directory, ownFolder);
  const isThere = async (path: string): Promise<boolean> => (await platform.stat(path).catch(() => null)) !== null;
  const others: string[] = [];
  for (const name of (await namesIn(platform, folder)).slice(0, mostLookedAt))
    if (
      !(await isThere(platform.pathIn(directory, name))) &&
      (await isThere(platform.pathIn(platform.pathIn(folder, name), manifestName)))
    )
      others.push(visibleText(name));
  return others.length === 0
    ? []
    : [
        `Manifests of names that are no longer there are in ${visibleText(folder)}: ${listed(others.slice(0, mostNames))}${others.length > mostNames ? ', …' : ''}. --manifest takes one.`,
      ];
}

async function namesIn(platform: ManifestPlatform, folder: string): Promise<string[]> {
  try {
    return (await (await platform.openFolders(folder, null)).names('')).folders;
  } catch {
    return [];
  }
}
