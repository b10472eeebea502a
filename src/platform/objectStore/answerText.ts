/** The text of the first element of a name in a store's answer; empty without one. */
export function tagOf(xml: string, name: string): string {
  return tagsOf(xml, name)[0] ?? '';
}

/**
 * Texts of all elements of a name. The answers to what is asked here have no attributes in them, no CDATA, and no element within another
 * of its name (Amazon S3's API reference), so no parser of XML is needed; whatever else comes is only not found.
 */
export function tagsOf(xml: string, name: string): string[] {
  const found: string[] = [];
  const open = `<${name}>`;
  const close = `</${name}>`;
  for (let start = xml.indexOf(open); start >= 0; start = xml.indexOf(open, start)) {
    const end = xml.indexOf(close, start);
    if (end < 0) break;
    found.push(xml.slice(start + open.length, end));
    start = end;
  }
  return found;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Text with its entities replaced. */
export function plainText(text: string): string {
  return text.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi,
    (all, name?: string, decimal?: string, hex?: string) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? all;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    },
  );
}
