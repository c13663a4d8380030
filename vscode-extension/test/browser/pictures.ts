// Pictures of the editor, taken only when AIGLENS_SCREENSHOTS=1: a test run leaves the checkout as it
// was. Those that pages of docs/ show replace what is there; all others are for people who look at
// the product, in out/screenshots.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../lib/paths';

export const areTaken = process.env['AIGLENS_SCREENSHOTS'] === '1';

export const themes = [
  ['dark', 'Default Dark Modern'],
  ['light', 'Default Light Modern'],
  ['high-contrast', 'Default High Contrast'],
] as const;

/** Those in which tests run: one where no pictures are taken. */
export const shownThemes = areTaken ? themes : themes.slice(0, 1);

/** Takes pictures of a page, each by its name. */
export function camera(page: Page, theme: string): (what: string) => Promise<void> {
  return async (what) => {
    if (!areTaken) return;
    const name = `${what}-${theme}.png`;
    const shown = join(root, 'docs', 'screenshots', name);
    const rest = join(root, 'out', 'screenshots');
    mkdirSync(rest, { recursive: true });
    await page.screenshot({ path: existsSync(shown) ? shown : join(rest, name), animations: 'disabled' });
  };
}
