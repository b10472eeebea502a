/** Files that mean something together only: a file that is inspected by itself brings the others along where they lie beside it. */

/** Names beside a file that belong to it: the index of data, the data of an index. */
export function companionNames(name: string): string[] {
  const dot = name.lastIndexOf('.');
  const stem = name.slice(0, dot);
  if (dot <= 0) return [];
  switch (name.slice(dot)) {
    case '.idx':
      return [`${stem}.bin`];
    case '.bin':
      return [`${stem}.idx`];
    case '.ds':
      return [`${name}.index`, `${name}.metadata`];
    default:
      return [];
  }
}
