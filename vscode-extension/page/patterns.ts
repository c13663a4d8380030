// Patterns of files.

/** Of the patterns of globs those that the extension has: an ending, one of several endings, or a whole path. */
export function isLike(pattern: string | { pattern: string }, path: string): boolean {
  const glob = typeof pattern === 'string' ? pattern : pattern.pattern;
  const source = glob
    .replace(/[.+^$()|[\]\\]/g, '\\$&')
    .replace(/\{([^}]*)\}/g, (_, some: string) => `(${some.replaceAll(',', '|')})`)
    .replace(/\*\*\/?|\*|\?/g, (sign) => (sign === '?' ? '[^/]' : sign === '*' ? '[^/]*' : '.*'));
  return new RegExp(`^/?${source}$`).test(path);
}

/** A name like the one that is wanted, which is not taken. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(name)) return name;
  const [, stem = name, ending = ''] = /^(.*?)((?:\.[a-z0-9]+)*)$/i.exec(name) ?? [];
  let number = 2;
  while (isTaken(`${stem}_${number}${ending}`)) number++;
  return `${stem}_${number}${ending}`;
}
