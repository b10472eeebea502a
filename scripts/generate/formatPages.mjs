/** The index of docs/formats, from the titles of its pages. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../host/project.mjs';
import { replaceSection } from '../sections.mjs';

const folder = 'docs/formats';
const index = `${folder}/README.md`;

/** @type {import('../generate.mjs').Target} */
export const formatPages = {
  files: [index],
  async generate(read) {
    const pages = readdirSync(path.join(projectRoot, folder)).filter((name) => name !== 'README.md');
    const titles = pages.map((name) => ({ name, title: titleOf(name, read(`${folder}/${name}`)) }));
    titles.sort((a, b) => a.title.toLowerCase().localeCompare(b.title.toLowerCase(), 'en'));
    const list = titles.map(({ name, title }) => `- [${title}](${name})`).join('\n');
    return { [index]: replaceSection(read(index), 'generated: formats', list) };
  },
};

/**
 * @param {string} name
 * @param {string} page
 */
function titleOf(name, page) {
  const title = /^# (.+)$/m.exec(page)?.[1];
  if (title === undefined) throw new Error(`${folder}/${name} has no title`);
  return title;
}
