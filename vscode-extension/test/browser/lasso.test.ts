// The loop of a justice property in the editor: lens, hover, trace panel, why tree and
// debugger. With AIGLENS_SCREENSHOTS=1 in each theme and at three sizes of the window.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { Editor as Vscode } from '../lib/editor';
import { control } from './page';
import { areTaken, camera, themes } from './pictures';
import { openFile, openPackaged } from './session';
import type { Editor, Workbench } from './workbench';

const usual = { width: 1180, height: 760 };
const sizes = [usual, { width: 1400, height: 900 }, { width: 900, height: 600 }];
type Size = (typeof sizes)[number];

const cases = themes.flatMap(([name, theme]) => sizes.map((size) => [name, size.width, theme, size] as const));

/** Pictures of other sizes have the width in their names. */
const cameraOf = (page: Page, theme: string, size: Size) => camera(page, size === usual ? theme : `${size.width}-${theme}`);

async function open(theme: string): Promise<Vscode> {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => vscode.close());
  return vscode;
}

/** Has all properties of a file checked, with the cursor near the first one, so that its lens is in view. */
async function check(workbench: Workbench, editor: Editor, verdict: string | RegExp): Promise<void> {
  await editor.lens(/^check|^refuted|^proved/).first().waitFor();
  await editor.goTo(9);
  await workbench.command('aiglens: Check All Properties of the File');
  await editor.lens(verdict).waitFor();
}

test('one client of an arbiter starves, for ever; repaired, it never does', async () => {
  const { page, workbench, path } = await openFile(await open('Default Dark Modern'), 'arbiter2_starving.aag');
  const editor = await workbench.editor(path);
  await check(workbench, editor, 'refuted: the loop of step 2');
  await editor.errors.first().waitFor();
  await editor.hover(8, 'in the counterexample of starved: 00(1)ω');
  await page.keyboard.press('Escape');

  // Beyond the last step the loop repeats: in the panel, which has the round then, and in the text.
  await editor.goTo(9);
  await workbench.command('aiglens Trace: Show Trace of the Counterexample');
  const panel = await workbench.panelFrame();
  await panel.locator('#live', { hasText: 'step 2, loop of step 2' }).waitFor();
  await panel.locator('#corner', { hasText: 'step 2 repeats for ever' }).waitFor();
  await (await control(panel, '#round')).click();
  await atEnd(panel, 'step 2 of round 2, loop of step 2');
  await panel.locator('#view').press('l');
  await atEnd(panel, 'step 2 of round 3, loop of step 2');
  await editor.someNote('step 2 of round 3, loop of step 2');

  await editor.clickLens('why', workbench.cause('starved'));

  // The debugger repeats the loop with each "continue", and the text and the status bar with it.
  await editor.clickLens('debug', page.locator('.debug-toolbar'));
  await page.keyboard.press('Control+Shift+D');
  const frame = (text: string) => page.locator('.debug-call-stack .monaco-list-row', { hasText: text }).first().waitFor();
  await frame('step 0, before the loop of step 2');
  await editor.someNote('step 0, before the loop of step 2');
  for (const place of ['step 2, loop of step 2', 'step 2 of round 2, loop of step 2', 'step 2 of round 3, loop of step 2']) {
    await page.keyboard.press('F5');
    await frame(place);
    await editor.someNote(place);
    await page.locator('#aiglens\\.aiglens\\.aiglens\\.step', { hasText: place }).waitFor();
  }
  await page.keyboard.press('Shift+F5');
  await expect.poll(() => page.locator('.debug-toolbar:visible').count()).toBe(0);

  const repaired = await workbench.openFile('arbiter2.aag');
  await check(workbench, repaired, /^proved/);
  await workbench.status(/1 proved/).waitFor();
});

test.each(areTaken ? cases : cases.slice(0, 1))('a loop of two steps, and why across its beginning: %s, %s wide', async (name, _width, theme, size) => {
  const vscode = await open(theme);
  // The example with a client 1 that asks again and again, which is not all the time.
  const lines = readFileSync(join(vscode.workspace, 'arbiter2_starving.aag'), 'utf8').split('\n');
  lines.splice(8, 3, '2', '14', '5', '4');
  writeFileSync(join(vscode.workspace, 'impatient.aag'), lines.join('\n'));

  const { page, workbench, path } = await openFile(vscode, 'impatient.aag', size);
  const take = cameraOf(page, name, size);
  const editor = await workbench.editor(path);
  await check(workbench, editor, 'refuted: the loop of steps 2 to 3');
  await editor.errors.first().waitFor();
  const hover = await editor.hover(3, 'in the counterexample of starved:');
  expect(await hover.innerText()).toMatch(/in the counterexample of starved: [01x]{2}\(10\)ω · changes at .* and in each round/);
  await take('lasso-hover');
  await page.keyboard.press('Escape');

  await editor.goTo(9);
  await workbench.command('aiglens Trace: Show Trace of the Counterexample');
  const panel = await workbench.panelFrame();
  await panel.locator('#corner', { hasText: '2 to 3 repeat for ever' }).waitFor();
  await (await control(panel, '#round')).click();
  await atEnd(panel, 'step 3 of round 2, loop of 2 to 3');
  await editor.someNote('step 3 of round 2, loop of 2 to 3');
  await take('lasso-panel');

  // The value of a latch in the first step of round 2 comes from the last step of round 1.
  await page.keyboard.press('ArrowLeft');
  await panel.locator('#live', { hasText: 'waits = 1 at step 2 of round 2' }).waitFor();
  await page.keyboard.press('w');
  await workbench.cause('waits').waitFor();
  await workbench.cause('= 1 · step 3').waitFor();
  await take('lasso-why');
});

/** Waits until the last step of the panel is this one. */
async function atEnd(panel: Frame, place: string): Promise<void> {
  const last = async () => {
    await panel.locator('#view').press('End');
    return panel.locator('#live').innerText();
  };
  await expect.poll(last).toContain(place);
}
