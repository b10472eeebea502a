/** `list` names the bombs, one a line; `write NUMBER FOLDER` writes one and prints its command and path. */
import { archiveBombs } from './archiveBombs.js';
import { ggufBombs, treeBombs } from './binaryBombs.js';
import { configBombs } from './configBombs.js';
import { datasetBombs } from './datasetBombs.js';
import { headerBombs, jsonBombs } from './jsonBombs.js';
import { pickleBombs } from './pickleBombs.js';

const bombs = [
  ...pickleBombs(),
  ...jsonBombs(),
  ...headerBombs(),
  ...ggufBombs(),
  ...treeBombs(),
  ...archiveBombs(),
  ...datasetBombs(),
  ...configBombs(),
];

const [, , command, number, folder] = process.argv;
if (command === 'list') console.log(bombs.map(({ name }) => name).join('\n'));
else {
  const bomb = bombs[Number(number)];
  if (bomb === undefined || folder === undefined) throw new Error('write NUMBER FOLDER');
  console.log(
    JSON.stringify({ command: bomb.command ?? 'inspect', path: bomb.write(folder), unpackedBytes: bomb.unpackedBytes ?? null }),
  );
}
