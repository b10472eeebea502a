/**
 * The rooms of the house from the ground up, by their folders. A room may import what is below its floor, and nothing beside or above
 * it; docs/architecture.md says what each room is for. `npm run graph` prints what is imported, lint and the contract tests hold it.
 *
 * @type {readonly (readonly string[])[]}
 */
export const floors = [
  ['src/core/bytes'],
  ['src/core/text'],
  ['src/core/files', 'src/core/jobs'],
  ['src/core/tensors'],
  ['src/core/findings', 'src/core/weightNames'],
  ['src/core/formats'],
  ['src/core/checkpoints', 'src/core/datasets', 'src/core/configs'],
  ['src/core/frameworks'],
  ['src/core/loading'],
  ['src/core/estimates', 'src/core/inspection', 'src/core/bandwidth', 'src/core/verification'],
  ['src/core/runs', 'src/core/values'],
  ['src/core/retention', 'src/core/comparison'],
  ['src/core/planning'],
  ['src/core/pages'],
  ['src/protocol'],
  ['src/app'],
  ['src/platform', 'webview/shared'],
  ['src/host', 'src/cli', 'webview/panel', 'webview/planner', 'webview/bandwidth'],
  ['src', 'webview/checkpoint', 'webview/collection', 'webview/dataset', 'webview/estimate', 'webview/run', 'webview/compare'],
  ['webview/report'],
];

const floorOfRoom = new Map(floors.flatMap((rooms, floor) => rooms.map((room) => [room, floor])));

/**
 * The room of a source file: the longest of the rooms' folders that it is in.
 * @param {string} file relative to the project
 * @returns {string | undefined} undefined for a file outside of all rooms
 */
export function roomOf(file) {
  const folders = file.split('/').slice(0, -1);
  for (let length = folders.length; length > 0; length -= 1) {
    const folder = folders.slice(0, length).join('/');
    if (floorOfRoom.has(folder)) return folder;
  }
  return undefined;
}

/**
 * Whether one file may import another, as far as the floors decide.
 * @param {string} importer relative to the project
 * @param {string} imported relative to the project
 */
export function mayImport(importer, imported) {
  const from = roomOf(importer);
  const to = roomOf(imported);
  if (from === undefined || to === undefined || from === to) return true;
  return /** @type {number} */ (floorOfRoom.get(to)) < /** @type {number} */ (floorOfRoom.get(from));
}
