// A user's first five minutes: open an example, break it, read the
// counterexample, repair it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Editor as Vscode } from '../lib/editor';
import { openFile, openPackaged } from './session';

let vscode: Vscode;

beforeAll(async () => {
  vscode = await openPackaged();
});

afterAll(() => vscode?.close());

test('break an example, read its counterexample, repair it', async () => {
  const { page, workbench, path } = await openFile(vscode, 'semaphore2.aag');
  const editor = await workbench.editor(path);
  await editor.lens('check').waitFor();
  await editor.clickLens('check');
  await editor.lens('proved').waitFor();

  // 46 44 18: b takes the semaphore while it is free; 19 is while it is not.
  await editor.goTo(25, 9);
  await editor.press('Backspace');
  await editor.type('9');
  await editor.lens('stale · proved').waitFor();
  await editor.save();
  await editor.lens('refuted at step 4').waitFor();
  await editor.goTo(1);
  await editor.errors.first().waitFor();

  const hover = await editor.hover(10, 'counterexample');
  expect(await hover.innerText()).toMatch(/free[^]*in the counterexample of two_at_work: [01]{4}\[[01]\]/);

  await editor.clickLens('latches…');
  const list = workbench.quickInput;
  await list.locator('.monaco-list-row', { hasText: 'wait_b' }).first().waitFor();
  await page.keyboard.type('work_b');
  await list.locator('.monaco-list-row.focused', { hasText: 'work_b' }).waitFor();
  await editor.atLine(9);
  await page.keyboard.press('Enter');
  await list.waitFor({ state: 'hidden' });
  await editor.atLine(9);

  await editor.goTo(25, 9);
  await editor.press('Control+Z', 'Control+Z');
  await editor.save();
  await editor.lens('proved').waitFor();
  await page.close();
});
