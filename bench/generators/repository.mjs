/** Writes the tree of a project: sources, settings, notes and pictures in folders of ten files, and no checkpoint. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const settings = JSON.stringify({ name: 'module', version: '1.0.0', files: ['index.js'] }, null, 2);
const contents = /** @type {const} */ ([
  ['.py', 'print("hello")\n'.repeat(40)],
  ['.js', 'export const answer = 42;\n'.repeat(40)],
  ['.ts', 'export const answer: number = 42;\n'.repeat(40)],
  ['.json', settings],
  ['.json', settings.replace('module', 'other')],
  ['.md', '# Notes\n\nWhat there is to know.\n'],
  ['.txt', 'some notes of a project\n'.repeat(20)],
  ['.png', Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(200)])],
  ['.dat', 'settings of a tool\n'.repeat(10)],
  ['', 'object\n'.repeat(30)],
]);

/**
 * @param {string} directory
 * @param {number} files a multiple of ten
 */
export function writeRepository(directory, files) {
  for (let folder = 0; folder < files / contents.length; folder++) {
    const place = path.join(
      directory,
      ['src', 'node_modules', '.git', 'docs'][folder % 4] ?? '',
      `m${folder % 100}`,
      `k${folder}`,
    );
    mkdirSync(place, { recursive: true });
    contents.forEach(([extension, content], at) => writeFileSync(path.join(place, `f${at}${extension}`), content));
  }
}
