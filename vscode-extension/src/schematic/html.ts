// The page of the schematic panel.
import { page } from '../page';
import type { PageParts } from '../counterexample/html';

export function schematicHtml({ script, style, source, nonce }: PageParts): string {
  const head = `<link rel="stylesheet" href="${style}">`;
  const end = `<script nonce="${nonce}" src="${script}"></script>`;
  return page({ styles: source, nonce, compiles: true }, 'Schematic', head, `${body}\n${end}`);
}

const body = `<div id="bar" role="toolbar" aria-label="Schematic" aria-controls="view">
  <span id="title"></span>
  <span id="step"></span>
  <span class="space"></span>
  <span id="old" role="status" hidden>of an earlier text <button id="renew" title="Draw the present text; saving does it too">Renew</button></span>
  <button id="smaller" title="Smaller  ( - )" aria-label="Smaller">−</button>
  <button id="fit" title="All of it  ( 0 )">Fit</button>
  <button id="larger" title="Larger  ( + )" aria-label="Larger">+</button>
</div>
<div id="note" role="status" hidden></div>
<div id="view" role="group" aria-label="Schematic"></div>`;
