// Words in the editor: a machine in AIGER whose states have names, and two instances of a model in
// BLIF. Values in the text, the trace panel and the schematic say words. With
// AIGLENS_SCREENSHOTS=1 in three themes, with pictures for the documentation.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../lib/paths';
import { openFile, openPackaged } from './session';

const pictures = process.env['AIGLENS_SCREENSHOTS'] === '1';

const themes = [
  ['dark', 'Default Dark Modern'],
  ['light', 'Default Light Modern'],
  ['high-contrast', 'Default High Contrast'],
] as const;

const shownThemes = pictures ? themes : themes.slice(0, 1);

function camera(page: Page, theme: string): (what: string) => Promise<void> {
  return async (what) => {
    if (!pictures) return;
    const folder = join(root, 'docs', 'screenshots');
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `${what}-${theme}.png`), animations: 'disabled' });
  };
}

async function opened(theme: string) {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => vscode.close());
  return vscode;
}

async function schematic(page: Page): Promise<Frame> {
  let found: Frame | undefined;
  const find = async () => {
    for (const frame of page.frames()) if ((await frame.locator('g.node').count().catch(() => 0)) > 0) found = frame;
    return found;
  };
  await expect.poll(find).toBeDefined();
  return found!;
}

test.each(shownThemes)('states have names: %s', async (name, theme) => {
  const { page, workbench, path } = await openFile(await opened(theme), 'worker.aag', { width: 1400, height: 820 });
  const take = camera(page, name);
  const editor = await workbench.editor(path);
  await editor.lens('check').waitFor();
  await editor.goTo(9);
  await workbench.command('aiglens: Check All Properties of the File');
  await editor.lens('refuted at step 3').waitFor();

  // In the text a word is said once, at its highest bit.
  await editor.goTo(9);
  await workbench.command('aiglens Trace: Toggle Values of the Counterexample');
  await editor.someNote('state work→idle');
  await take('words-text');

  // In the panel it is one row, which opens.
  await workbench.command('aiglens Trace: Show Trace of the Counterexample');
  const panel = await workbench.panelFrame();
  const row = (text: string) => panel.locator('.row:visible', { hasText: text }).first();
  await expect.poll(() => row('state').locator('.value').innerText()).toBe('idle');
  await take('words-panel');

  // In the schematic it is a register.
  await editor.goTo(9);
  await workbench.command('aiglens Picture: Draw Cone');
  const frame = await schematic(page);
  await expect.poll(() => frame.locator('g.node.register').count()).toBe(2);
  await expect.poll(() => frame.locator('g.node[aria-label^="register state"]').getAttribute('aria-label')).toContain('value idle');
  await take('words-schematic');
  await frame.locator('#bits').click();
  await expect.poll(() => frame.locator('g.node.register').count()).toBe(0);
  expect(await frame.locator('g.node.latch').count()).toBe(4);
});

test.each(shownThemes)('each of two instances has its values: %s', async (name, theme) => {
  const { page, workbench, path } = await openFile(await opened(theme), 'two_digits.blif', { width: 1400, height: 820 });
  const take = camera(page, name);
  const editor = await workbench.editor(path);
  await editor.lens('check').waitFor();
  await workbench.command('aiglens: Check All Properties of the File');
  await editor.lens('refuted at step 8').waitFor();
  await editor.goTo(15);
  await workbench.command('aiglens Trace: Toggle Values of the Counterexample');
  await editor.goTo(37);
  await editor.shows('ones/count', true);
  await workbench.command('aiglens Trace: Show Trace of the Counterexample');
  const panel = await workbench.panelFrame();
  await panel.locator('.row.scope', { hasText: 'tens' }).waitFor();

  // A click on a signal of the other instance shows its values in the text of the model.
  const rows = panel.locator('.row:visible', { hasText: 'count' });
  await expect.poll(() => rows.count()).toBeGreaterThan(1);
  await rows.last().locator('.name').click(); // opens the word
  await panel.locator('.row:visible', { hasText: 'count[1]' }).last().locator('.name').click();
  await editor.shows('tens/count', true);
  await take('words-instances');
});
