// The pages of webviews. Each has a content security policy: nothing is loaded from
// elsewhere, and no script runs but the one with the nonce.

export interface Allowed {
  /** Where styles may come from, as a content security policy has it; without it from nowhere. */
  styles?: string;
  /** That of the only script; without it there is none. */
  nonce?: string;
  /** The script compiles WebAssembly that it holds. */
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

/** A page that says a sentence. */
export function sentencePage(sentence: string): string {
  return page({}, 'aiglens', '', `<p>${escaped(sentence)}</p>`);
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
