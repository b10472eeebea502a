/** What the sources import, room by room: imports that run up, cycles between rooms and between files. */
import { cyclesOf } from './cycles.mjs';
import { floors, mayImport, roomOf } from './floors.mjs';

/**
 * @typedef {object} House
 * @property {Map<string, { files: number, imports: Map<string, number> }>} rooms with how often each imports which other room
 * @property {string[]} upwards imports that run up or aside, as `a imports b`
 * @property {string[][]} roomCycles
 * @property {string[][]} fileCycles
 * @property {string[]} homeless files outside of all rooms
 */

/**
 * @param {ReadonlyMap<string, readonly string[]>} imports of each source file, as paths of the project
 * @returns {House}
 */
export function surveyHouse(imports) {
  const rooms = new Map(floors.flat().map((room) => [room, { files: 0, imports: new Map() }]));
  /** @type {string[]} */
  const upwards = [];
  /** @type {string[]} */
  const homeless = [];
  for (const [file, targets] of imports) {
    const room = rooms.get(roomOf(file) ?? '');
    if (room === undefined) {
      homeless.push(file);
      continue;
    }
    room.files += 1;
    for (const target of targets.filter((target) => imports.has(target))) {
      const to = roomOf(target);
      if (to === undefined || to === roomOf(file)) continue;
      room.imports.set(to, (room.imports.get(to) ?? 0) + 1);
      if (!mayImport(file, target)) upwards.push(`${file} imports ${target}`);
    }
  }
  return {
    rooms,
    upwards,
    roomCycles: cyclesOf(new Map([...rooms].map(([room, { imports: to }]) => [room, to.keys()]))),
    fileCycles: cyclesOf(imports),
    homeless,
  };
}
