/** `npm run graph`: the rooms of the house from the roof down, what each imports, and what is wrong with that; fails on the latter. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../host/project.mjs';
import { floors } from './floors.mjs';
import { surveyHouse } from './house.mjs';
import { importsOf } from './importGraph.mjs';

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', 'src', 'webview'], {
  cwd: projectRoot,
  encoding: 'utf8',
}).split('\n');
const sources = files.filter((file) => file.endsWith('.ts') && existsSync(path.join(projectRoot, file)));
const { rooms, upwards, roomCycles, fileCycles, homeless } = surveyHouse(new Map(sources.map((file) => [file, importsOf(file)])));

for (const [floor, names] of [...floors.entries()].reverse())
  for (const name of names) {
    const { files: count = 0, imports = new Map() } = rooms.get(name) ?? {};
    const targets = [...imports].sort(([, a], [, b]) => b - a).map(([to, times]) => `${to.replace('src/', '')} ${times}`);
    console.log(`${String(floor).padStart(2)}  ${name.padEnd(21)} ${String(count).padStart(4)} files  ${targets.join(', ')}`);
  }

const problems = [
  ...upwards.map((text) => `up: ${text}`),
  ...roomCycles.map((cycle) => `cycle of rooms: ${cycle.join(', ')}`),
  ...fileCycles.map((cycle) => `cycle of files: ${cycle.join(', ')}`),
  ...homeless.map((file) => `in no room: ${file}`),
];
for (const problem of problems) console.log(problem);
console.log(
  `\n${upwards.length} imports up, ${roomCycles.length} cycles between rooms, ${fileCycles.length} cycles between files`,
);
if (problems.length > 0) process.exitCode = 1;
