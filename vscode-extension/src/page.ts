// The pages of webviews. Each has a content security policy: nothing is loaded from
// elsewhere, and no script runs but those with the nonce.

export interface Allowed {
  /** Where styles may come from, as a content security policy has it; without it from nowhere. */
  styles?: string;
  /** That of all scripts; without it there are none. */
  nonce?: string;
  /** A script compiles WebAssembly that it holds. */
  compiles?: boolean;
}

export function page({ styles, nonce, compiles }: Allowed, title: string, head: string, body: string): string {
  const policy = ["default-src 'none'", styles && `style-src ${styles}`, nonce && `script-src 'nonce-${nonce}'${compiles === true ? " 'wasm-unsafe-eval'" : ''}`].filter(Boolean).join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
${head}
<title>${escaped(title)}</title>
</head>
<body>
${body}
</body>
</html>
`;
}

export interface PageParts {
  /** Addresses of the bundle; of the scripts in their order. */
  scripts: readonly string[];
  style: string;
  /** Where the style may come from, as a content security policy has it. */
  source: string;
  nonce: string;
}

/** The page of a bundle. */
export function bundlePage({ scripts, style, source, nonce }: PageParts, title: string, body: string, compiles = false): string {
  const end = scripts.map((script) => `<script nonce="${nonce}" src="${script}"></script>`).join('\n');
  return page({ styles: source, nonce, compiles }, title, `<link rel="stylesheet" href="${style}">`, `${body}\n${end}`);
}

/** A page that says a sentence. */
export function sentencePage(sentence: string): string {
  return page({}, 'aiglens', '', `<p>${escaped(sentence)}</p>`);
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
