// A user's first five minutes: open an example, break it, read the
// counterexample, repair it. Once in AIGER, once through all of BLIF.
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
  await editor.clickLens('check', editor.lens('proved'));

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

  const list = workbench.quickInput;
  await editor.clickLens('latches…', list.locator('.monaco-list-row', { hasText: 'wait_b' }).first());
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

test('BLIF: verdicts of every example, a broken cover, a counterexample, a model in another file', async () => {
  const { page, workbench, path } = await openFile(vscode, 'semaphore.blif');
  const semaphore = await workbench.editor(path);
  await semaphore.goTo(20);
  await semaphore.lenses(/^check$/);
  await semaphore.save();
  await semaphore.lenses(/^proved · /);

  // A row without its output is an error, and nothing is said of a circuit with one.
  await semaphore.goTo(63, 6);
  await semaphore.press('Backspace', 'Backspace');
  await semaphore.errors.first().waitFor();
  await semaphore.goTo(20);
  await semaphore.lenses(/^unknown: error on line 63: .+/);
  await semaphore.undo(63, 1);
  await semaphore.errors.waitFor({ state: 'detached' });
  await semaphore.goTo(20);
  await semaphore.lenses(/^proved · /);

  // 111 1: b takes the semaphore while it is free; 11- 1 is whether it is or not.
  await semaphore.replaceBefore(63, 4, '-');
  await semaphore.goTo(20);
  await semaphore.lenses(/^stale · proved · /);
  await semaphore.save();
  await semaphore.lenses(/^refuted at step 4 .*latches…$/);
  await semaphore.errors.first().waitFor();
  await semaphore.goTo(62);
  const hover = await semaphore.hover(62, 'counterexample', /^free$/);
  expect(await hover.innerText()).toMatch(/^latch 6 free[^]*in the counterexample of two_at_work: [01]{4}\[[01]\]/);

  await workbench.command('aiglens Trace: Go to Latch in Counterexample…');
  const list = workbench.quickInput;
  await list.locator('.monaco-list-row', { hasText: 'wait_b' }).first().waitFor();
  await page.keyboard.type('work_b');
  await list.locator('.monaco-list-row.focused', { hasText: 'work_b' }).waitFor();
  await semaphore.atLine(57);
  await page.keyboard.press('Enter');
  await list.waitFor({ state: 'hidden' });
  await semaphore.atLine(57);
  await semaphore.undo(63, 2);
  await semaphore.goTo(20);
  await semaphore.lenses(/^proved · /);
  await semaphore.save();

  const crossing = await workbench.openFile('crossing.blif');
  await crossing.goTo(20);
  await crossing.save();
  await crossing.lenses(/^proved · /, /^proved · /);

  const pipeline = await workbench.openFile('pipeline.blif');
  await pipeline.goTo(23);
  await pipeline.save();
  await pipeline.lenses(/^proved · /, /^proved · /);

  let vending = await workbench.openFile('vending.blif');
  await vending.goTo(23);
  await vending.save();
  await vending.lenses(/^proved · /, /^refuted at step 2 .*latches…$/);

  // 10 1: an account that is cleared holds 0; 1- 1 clears the lower bit only.
  let account = await workbench.openFile('account.blif');
  await account.goTo(20);
  await account.save();
  await account.lenses(/^proved · /);
  await account.replaceBefore(32, 3, '-');
  await account.goTo(20);
  await account.lenses(/^stale · proved · /);
  vending = await workbench.openFile('vending.blif');
  await vending.lenses(/^stale · proved · /, /^stale · refuted at step 2/);
  await vending.save();
  await vending.lenses(/^refuted at step 3 /, /^refuted at step 2 /);

  account = await workbench.openFile('account.blif');
  await account.undo(32, 2);
  await account.goTo(20);
  await account.lenses(/^proved · /);
  vending = await workbench.openFile('vending.blif');
  await vending.lenses(/^proved · /, /^refuted at step 2 /);
  await page.close();
});
