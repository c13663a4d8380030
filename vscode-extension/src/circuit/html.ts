// The page of the Circuit view.
import { bundlePage, type PageParts } from '../page';

export function circuitHtml(parts: PageParts): string {
  return bundlePage(parts, 'Circuit', '<div id="bar"></div>\n<main id="content" aria-label="What is at the cursor"></main>', true);
}
