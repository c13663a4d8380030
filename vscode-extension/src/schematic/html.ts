// The page of a picture.
import { bundlePage, type PageParts } from '../page';

export function pictureHtml(parts: PageParts, title: string): string {
  return bundlePage(parts, title, body(title), true);
}

const body = (title: string) => `<div id="bar" role="toolbar" aria-label="${title}" aria-controls="view">
  <span id="title"></span>
  <span id="step"></span>
  <span class="space"></span>
  <span id="old" role="status" hidden>of an earlier text <button id="renew" title="Draw the present text; saving does it too">Redraw</button></span>
  <button id="bits" aria-pressed="false" title="Draw each bit of a word as a box of its own" hidden>Bits</button>
  <button id="smaller" title="Smaller  ( - )" aria-label="Smaller">−</button>
  <button id="fit" title="Fit the whole picture  ( 0 )">Fit</button>
  <button id="larger" title="Larger  ( + )" aria-label="Larger">+</button>
</div>
<div id="legend" hidden></div>
<div id="note" role="status" hidden></div>
<div id="view" role="group" aria-label="${title}"></div>`;
