// A queue in Verilog: refuted, stepped through, repaired and proved, on the lines of the source. With
// AIGLENS_SCREENSHOTS=1 in three themes.
import { expect, onTestFinished, test } from 'vitest';
import { debuggerOf } from './debugger';
import { camera, shownThemes } from './pictures';
import { openFile, openPackaged } from './session';
import { hasYosys } from './yosys';

test.skipIf(!hasYosys() && process.env['CI'] === undefined).each(shownThemes)('a queue in Verilog: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => vscode.close());
  const { page, workbench, path } = await openFile(vscode, 'verilog/fifo_broken.sv', { width: 1400, height: 900 });
  const take = camera(page, name);
  const editor = await workbench.editor(path);
  await editor.goTo(36);
  await workbench.command('aiglens: Check All Properties of the File');
  await editor.lens('refuted at step 5').waitFor();
  await editor.lens(/^proved/).waitFor();
  await take('verilog-checked');

  // Registers have their values at their declarations.
  await editor.goTo(38);
  await workbench.command('aiglens Trace: Toggle Values of the Counterexample');
  await editor.goTo(20);
  await editor.shows('4 → 5', true);
  await workbench.command('aiglens Trace: Show Trace of the Counterexample');
  const panel = await workbench.panelFrame();
  await expect.poll(() => panel.locator('.row:visible', { hasText: 'count' }).first().locator('.value').innerText()).toBe('5');
  await take('verilog-trace');

  // Repaired, the verdicts are of an earlier text until Yosys has read the new one.
  await editor.replaceBefore(18, 28, '4');
  await editor.goTo(36);
  await workbench.command('aiglens: Check All Properties of the File');
  await expect.poll(() => page.locator('.codelens-decoration', { hasText: /^proved/ }).count()).toBe(3);

  // What the proofs say of a register stands at its declaration, as a hint and in its hover.
  await editor.goTo(16, 13);
  await page.locator('.squiggly-hint').first().waitFor();
  await editor.hoverAtCursor('count is at most 4');
  await take('verilog-proved');
});

test.skipIf(!hasYosys() && process.env['CI'] === undefined).each(shownThemes)('from Verilog to its circuit and back, and into the debugger: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => vscode.close());
  const { page, workbench, path } = await openFile(vscode, 'verilog/fifo_broken.sv', { width: 1400, height: 900 });
  const take = camera(page, name);
  const editor = await workbench.editor(path);
  await editor.goTo(6);
  await workbench.command('aiglens: Check All Properties of the File');
  await editor.lens('3 properties: 1 refuted, 2 proved').waitFor();

  await editor.goTo(16, 13);
  await workbench.command('Go to Implementations');
  await page.locator('.tab.active', { hasText: 'fifo_broken.sv.aag' }).waitFor();
  await take('verilog-circuit');
  await workbench.command('Go to Declaration');
  await page.locator('.tab.active', { hasText: /fifo_broken\.sv$/ }).waitFor();
  await page.locator('#status\\.editor\\.selection', { hasText: 'Ln 16' }).waitFor();

  await editor.goTo(38);
  await editor.clickLens('debug', page.locator('.debug-toolbar'));
  const { frame, open } = debuggerOf(page);
  await page.keyboard.press('Control+Shift+D');
  await frame('step 0 of 5').waitFor();
  await page.keyboard.press('F5');
  await frame(/step 5 of 5: fails.*count 4→5/).waitFor();
  await open('Latches', /^count.*5 \(was 4\)/);
  await take('verilog-debugger');
});
