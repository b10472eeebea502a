/** Parts of documentation pages that are measured, between comments that name them. */

/**
 * @param {string} name
 * @param {string} text
 */
export function wrapSection(name, text) {
  return `<!-- ${name} -->\n\n${text}\n\n<!-- end of ${name} -->`;
}

/**
 * The part of a page with its comments; null where it has none.
 * @param {string} page
 * @param {string} name
 */
export function findSection(page, name) {
  const begin = page.indexOf(`<!-- ${name} -->`);
  const endText = `<!-- end of ${name} -->`;
  const end = page.indexOf(endText, begin);
  return begin === -1 || end === -1 ? null : page.slice(begin, end + endText.length);
}

/**
 * The page with this part in place of the one it had, or at its end.
 * @param {string} page
 * @param {string} name
 * @param {string} text
 */
export function replaceSection(page, name, text) {
  const old = findSection(page, name);
  const section = wrapSection(name, text);
  return old === null ? `${page.trimEnd()}\n\n${section}\n` : page.replace(old, () => section);
}
