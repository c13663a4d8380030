// The walkthrough of the extension to its end: each button does what its step says, and each
// step is ticked off once that has happened. With AIGLENS_SCREENSHOTS=1 in each theme, with
// pictures of the whole window in out/ and those of the walkthrough itself in images/.
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { extension, root } from '../lib/paths';
import { openFile, openPackaged } from './session';

const pictures = process.env['AIGLENS_SCREENSHOTS'] === '1';

const themes = [
  ['dark', 'Default Dark Modern'],
  ['light', 'Default Light Modern'],
  ['high-contrast', 'Default High Contrast'],
] as const;

/** A step of the walkthrough, as its page shows it. */
function step(page: Page, id: string): { all: Locator; button: Locator; done: Locator } {
  const all = page.locator(`.getting-started-step[data-step-id$="#${id}"]`);
  return { all, button: all.locator('.monaco-button'), done: all.locator('.codicon.complete') };
}

test.each(pictures ? themes : themes.slice(0, 1))('the walkthrough to its end: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => vscode.close());
  const { page, workbench, path } = await openFile(vscode, 'README.md', { width: 1400, height: 860 });
  const take = async (what: string) => {
    if (pictures) await page.screenshot({ path: join(root, 'out', `walkthrough-${what}-${name}.png`), animations: 'disabled' });
  };
  await (await workbench.editor(path)).goTo(1);
  // The list closes when something else gets the focus, as it does while the window opens.
  for (let attempt = 0; attempt < 10 && (await step(page, 'open').all.count()) === 0; attempt++) {
    await workbench.command('Welcome: Open Walkthrough...');
    const row = workbench.quickInput.locator('.monaco-list-row', { hasText: 'First Steps with aiglens' });
    await row.click({ timeout: 5_000 }).then(() => step(page, 'open').all.waitFor({ timeout: 10_000 })).catch(() => {});
  }
  await step(page, 'open').all.waitFor();
  await page.locator('.getting-started-media img').first().waitFor();
  for (const id of ['open', 'break', 'read', 'repair']) expect(await step(page, id).done.count(), id).toBe(0);
  await take('0');

  const example = page.locator('.editor-instance .monaco-editor[data-uri^="untitled:"]');
  const lens = (text: RegExp) => example.locator('.codelens-decoration', { hasText: text }).first();
  const click = async (id: string) => {
    await step(page, id).all.click();
    await step(page, id).button.click();
  };

  await click('open');
  await lens(/^proved/).waitFor();
  await step(page, 'open').done.waitFor();
  await take('1');

  await click('break');
  await lens(/^refuted at step 4/).waitFor();
  await step(page, 'break').done.waitFor();
  expect(await step(page, 'repair').done.count()).toBe(0);
  await take('2');

  await click('read');
  const panel = await workbench.panelFrame();
  await panel.locator('#canvas').waitFor();
  await step(page, 'read').done.waitFor();
  await take('3');

  await click('repair');
  await lens(/^proved/).waitFor();
  await step(page, 'repair').done.waitFor();
  await take('4');
});

test.skipIf(!pictures).each(themes)('pictures of the walkthrough: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme, 'workbench.activityBar.location': 'hidden', 'workbench.statusBar.visible': true, 'breadcrumbs.enabled': false });
  onTestFinished(() => vscode.close());
  const { page, workbench, path } = await openFile(vscode, 'semaphore2.aag', { width: 860, height: 700 });
  const take = (what: string) => page.screenshot({ path: join(extension, 'images', 'walkthrough', `${what}-${name}.png`), animations: 'disabled' });
  const editor = await workbench.editor(path);
  await workbench.command('View: Toggle Primary Side Bar Visibility');
  await editor.goTo(1);
  await editor.clickLens('check', editor.lens('proved'));
  await take('open');

  await editor.goTo(25, 9);
  await editor.press('Backspace');
  await editor.type('9');
  await editor.save();
  await editor.goTo(1);
  await editor.lens('refuted at step 4').waitFor();
  await editor.errors.first().waitFor();
  await take('break');

  await editor.clickLens('refuted at step 4', page.locator('.tab', { hasText: 'two_at_work' }));
  const panel = await workbench.panelFrame();
  await panel.locator('#live', { hasText: 'two_at_work = 1' }).waitFor();
  await take('read');

  await workbench.command('View: Close All Editor Groups');
  const again = await workbench.openFile('semaphore2.aag');
  await again.goTo(25, 9);
  await again.press('Backspace');
  await again.type('8');
  await again.save();
  await again.goTo(1);
  await again.lens('proved').waitFor();
  await take('repair');
  await page.close();
});
