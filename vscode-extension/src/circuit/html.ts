// The page of the Circuit view.
import type { PageParts } from '../counterexample/html';
import { page } from '../page';

export function circuitHtml({ script, style, source, nonce }: PageParts): string {
  const head = `<link rel="stylesheet" href="${style}">`;
  const end = `<script nonce="${nonce}" src="${script}"></script>`;
  return page({ styles: source, nonce, compiles: true }, 'Circuit', head, `<div id="bar"></div>\n<main id="content" aria-label="What is at the cursor"></main>\n${end}`);
}
