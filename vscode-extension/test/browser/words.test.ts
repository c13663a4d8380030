// Words in the editor: machines in AIGER whose states have names, and two instances of a model in
// BLIF. Values in the text, the trace panel, played runs, the debugger, the state graph and the
// schematic say words. With AIGLENS_SCREENSHOTS=1 in three themes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { debuggerOf } from './debugger';
import { control } from './page';
import { areTaken, camera, shownThemes } from './pictures';
import { openFile, openPackaged } from './session';

const size = { width: 1400, height: 820 };

async function opened(theme: string) {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => vscode.close());
  return vscode;
}

test.each(shownThemes)('states have names: %s', async (name, theme) => {
  const { page, workbench, path } = await openFile(await opened(theme), 'worker.aag', size);
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
  for (const width of areTaken ? [700, 1280] : []) {
    await page.setViewportSize({ ...size, width: width + 350 }); // beside the Explorer
    await take(`words-panel-${width}`);
  }
  await page.setViewportSize(size);

  // In the schematic it is a register.
  await editor.goTo(9);
  await workbench.command('aiglens Picture: Draw Cone');
  const frame = await workbench.frame('g.node.register');
  await expect.poll(() => frame.locator('g.node.register').count()).toBe(2);
  await expect.poll(() => frame.locator('g.node[aria-label^="register state"]').getAttribute('aria-label')).toContain('value idle');
  await take('words-schematic');
  await frame.locator('#bits').click();
  await expect.poll(() => frame.locator('g.node.register').count()).toBe(0);
  expect(await frame.locator('g.node.latch').count()).toBe(4);

  // In the state graph each state says them, also to a screen reader.
  await editor.goTo(9);
  await workbench.command('aiglens Picture: Draw State Graph');
  const graph = await workbench.frame('g.node.state');
  const current = graph.locator('g.node.current');
  await expect.poll(() => current.textContent()).toContain('state=idle');
  await expect.poll(() => current.getAttribute('aria-label')).toMatch(/^state state = idle, timer = [1-3], fails here, step 3, shown$/);
  await graph.locator('#fit').click();
  await take('words-states');

  // In the debugger it is one variable, with its bits inside.
  await editor.goTo(9);
  await editor.clickLens('debug', page.locator('.debug-toolbar'));
  const { frame: at, variable, open } = debuggerOf(page);
  await at('step 0 of 3').waitFor();
  await open('Latches', /^state.*idle/);
  await page.keyboard.press('F5');
  await at(/step 3 of 3: fails.*state work→idle/).waitFor();
  await variable(/^state.*idle \(was work\)/).waitFor();
  await open(/^state/, /^s0/);
  await take('words-debugger');
});

/** A register that keeps the command before; in both the values have names. */
const commands = `aag 5 2 2 0 1 1
2
4
6 2
8 4
10
10 8 6
i0 c1
i1 c0
l0 r1
l1 r0
b0 stored
c
word: command = c1 c0 {none = 0, load = 1, add = 2, store = 3}
word: last = r1 r0 {none = 0, load = 1, add = 2, store = 3}
`;

test.each(shownThemes)('words are set by name or number while a run is played and simulated: %s', async (name, theme) => {
  const vscode = await opened(theme);
  writeFileSync(join(vscode.workspace, 'commands.aag'), commands);
  const { page, workbench, path } = await openFile(vscode, 'commands.aag', size);
  const take = camera(page, name);
  const editor = await workbench.editor(path);
  await editor.lens('check').waitFor();
  await workbench.command('aiglens Trace: Play the Circuit from Reset');
  const panel = await workbench.panelFrame();
  const row = (text: string) => panel.locator('.row:visible', { has: panel.locator('.name', { hasText: new RegExp(`^\\W*${text}$`) }) }).first();
  const value = (of: string, is: string) => expect.poll(() => row(of).locator('.value').innerText()).toBe(is);
  const corner = (text: string) => panel.locator('#corner', { hasText: text }).waitFor();
  await corner('1 step');
  await value('command', 'none');
  const type = async (text: string) => {
    const input = workbench.quickInput.locator('input').first();
    await input.waitFor();
    await input.fill(text);
    await page.keyboard.press('Enter');
  };
  await row('command').locator('.value').click();
  await type('load');
  await value('command', 'load');
  await row('command').locator('.name').click();
  await (await control(panel, '#flip')).click();
  await type('2');
  await value('command', 'add');
  await (await control(panel, '#play-add')).click();
  await corner('2 steps');
  await value('last', 'add');

  // Steps are added until an expression over a word holds.
  await panel.locator('#view').focus();
  await page.keyboard.press('e');
  await page.keyboard.type('last == load');
  await page.keyboard.press('Enter');
  await panel.locator('#live', { hasText: 'last == load = 0' }).waitFor();
  await (await control(panel, '#play-until:not([aria-disabled])')).click();
  await value('last == load', '1');
  await value('last', 'load');
  await take('words-play');

  // In a simulation as well, and a breakpoint on the highest bit of a word stops where that changes:
  // in a step in which no property fails, which would be said instead.
  await editor.goTo(4);
  await editor.press('F9');
  await page.locator('.codicon-debug-breakpoint').first().waitFor();
  await workbench.command('aiglens Trace: Simulate the Circuit in the Debugger');
  await page.locator('.debug-toolbar').waitFor();
  const { frame, variable, set, move } = debuggerOf(page);
  await frame('step 0').waitFor();
  await variable(/^command.*none/).waitFor();
  await set(/^command/, 'load');
  await variable(/^command.*load/).waitFor();
  await set(/^command/, '2');
  await variable(/^command.*add/).waitFor();
  await move('F5', 'step 0', 'step 1 · last none→add');
  await page.locator('.call-stack-state-message', { hasText: 'Paused on breakpoint' }).waitFor();
  await take('words-simulation');
});

test.each(shownThemes)('each of two instances has its values: %s', async (name, theme) => {
  const { page, workbench, path } = await openFile(await opened(theme), 'two_digits.blif', size);
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

  // In the debugger they are scopes of a tree, and a breakpoint hits in each of them.
  await editor.goTo(39);
  await editor.press('F9');
  await page.locator('.codicon-debug-breakpoint').first().waitFor();
  await editor.goTo(17);
  await editor.clickLens('debug', page.locator('.debug-toolbar'));
  const { frame, open } = debuggerOf(page);
  await frame('step 0 of 8').waitFor();
  await page.keyboard.press('F5');
  await frame(/step 2 of 8 .*ones\/count 1→2/).waitFor();
  await open('Latches', /^ones/);
  await open(/^ones/, /^count.*2 \(was 1\)/);
  await take('words-debugger-instances');
});
