// A queue in BTOR2: refuted, stepped through in words, repaired and proved; its states and its debugger; a
// run of it that is played, with a number for a word. With AIGLENS_SCREENSHOTS=1 in three themes.
import { expect, onTestFinished, test } from 'vitest';
import { debuggerOf } from './debugger';
import { control } from './page';
import { camera, shownThemes } from './pictures';
import { openFile, openPackaged } from './session';

test.each(shownThemes)('a queue in BTOR2: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => vscode.close());
  const { page, workbench, path } = await openFile(vscode, 'fifo.btor2', { width: 1400, height: 900 });
  const take = camera(page, name);
  const editor = await workbench.editor(path);
  const tooMany = 94;
  await editor.goTo(tooMany);
  await editor.lens('check').waitFor();
  await workbench.command('aiglens: Check All Properties of the File');
  await editor.lenses(/^refuted at step 5/, /^refuted at step 5/, /^proved/);
  await take('btor2-checked');

  // Each row says in names what it computes, and a word its value.
  await editor.goTo(tooMany);
  await workbench.command('aiglens Trace: Toggle Values of the Counterexample');
  await editor.goTo(40);
  await editor.shows('4 → 5', true);
  await take('btor2-values');

  // In the panel a word is one row, and a step back another value of it.
  await workbench.command('aiglens Trace: Show Trace of the Counterexample');
  const panel = await workbench.panelFrame();
  const row = (of: string) => panel.locator('.row:visible', { has: panel.locator('.name', { hasText: new RegExp(`^\\W*${of}$`) }) }).first();
  const value = (of: string, is: string) => expect.poll(() => row(of).locator('.value').innerText()).toBe(is);
  await value('count', '5');
  await panel.locator('#view').focus();
  await page.keyboard.press('ArrowLeft');
  await value('count', '4');
  await take('btor2-trace');

  // Its states, with the counterexample.
  await editor.goTo(tooMany);
  await workbench.command('aiglens Picture: Draw State Graph');
  const graph = await workbench.frame('g.node.state');
  await expect.poll(() => graph.locator('g.node.current').textContent()).toContain('count=4');
  await graph.locator('#fit').click();
  await take('btor2-states');
  // Closed from the text, whatever part of the workbench has the focus of the picture by then.
  await editor.goTo(tooMany);
  await workbench.command('View: Close Editors in Other Groups');
  await expect.poll(() => graph.isDetached()).toBe(true);

  // In the debugger it is one variable, and stops where a row changes that has a breakpoint.
  await editor.goTo(40);
  await editor.press('F9');
  await page.locator('.codicon-debug-breakpoint').first().waitFor();
  await editor.goTo(tooMany);
  await editor.clickLens('debug', page.locator('.debug-toolbar'));
  const { frame, open } = debuggerOf(page);
  await page.keyboard.press('Control+Shift+D');
  await frame('step 0 of 5').waitFor();
  await page.keyboard.press('F5');
  await frame(/step 1 of 5/).waitFor();
  await open('Latches', /^count.*1 \(was 0\)/);
  await take('btor2-debugger');
  await page.keyboard.press('Shift+F5');
  await page.locator('.debug-toolbar').waitFor({ state: 'hidden' });

  // Repaired, it is proved, and the proof says of the word what it is about.
  await editor.replaceBefore(50, 14, '4');
  await editor.save();
  await editor.goTo(tooMany);
  await editor.lenses(/^proved/, /^proved/, /^proved/);
  await editor.goTo(40, 4);
  await page.locator('.squiggly-hint').first().waitFor();
  await editor.hoverAtCursor('count is at most 4');
  await take('btor2-proved');
});

test.each(shownThemes)('a run of a queue in BTOR2 is played: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => vscode.close());
  const { page, workbench, path } = await openFile(vscode, 'fifo.btor2', { width: 1400, height: 900 });
  const take = camera(page, name);
  const editor = await workbench.editor(path);
  await editor.goTo(94);
  await editor.lens('check').waitFor();
  await workbench.command('aiglens Trace: Play the Circuit from Reset');
  const panel = await workbench.panelFrame();
  await panel.locator('#corner', { hasText: '1 step' }).waitFor();
  const input = (of: string) => panel.locator('.row.settable:visible', { has: panel.locator('.name', { hasText: new RegExp(`^\\W*${of}$`) }) }).first().locator('.value');
  await input('push').click();
  await input('data_in').click();
  const number = workbench.quickInput.locator('input').first();
  await number.waitFor();
  await number.fill('9');
  await page.keyboard.press('Enter');
  await expect.poll(() => input('data_in').innerText()).toBe('9');
  await (await control(panel, '#play-add')).click();
  await panel.locator('#corner', { hasText: '2 steps' }).waitFor();
  await take('btor2-play');
});
