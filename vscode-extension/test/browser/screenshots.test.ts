// Pictures of what no other test has in view, taken only with AIGLENS_SCREENSHOTS=1.
import { onTestFinished, test } from 'vitest';
import { areTaken, camera, themes } from './pictures';
import { openFile, openPackaged } from './session';

test.skipIf(!areTaken).each(themes)('screenshots: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => vscode.close());
  const { page, workbench, path } = await openFile(vscode, 'semaphore2.aag');
  const take = camera(page, name);

  const editor = await workbench.editor(path);
  await editor.goTo(1);
  await editor.clickLens('check', editor.lens('proved'));
  await take('proved');

  await editor.goTo(25, 9);
  await editor.press('Backspace');
  await editor.type('9');
  await editor.save();
  await editor.lens('refuted at step 4').waitFor();
  await editor.goTo(1);
  await editor.errors.first().waitFor();
  await editor.hover(11, 'refuted');
  await take('refuted');
  await editor.hover(10, 'counterexample');
  await take('hover');

  await editor.clickLens('latches…', workbench.quickInput.locator('.monaco-list-row', { hasText: 'work_b' }).first());
  await page.keyboard.press('ArrowDown');
  await take('latches');
  await page.keyboard.press('Escape');

  await editor.goTo(25, 9);
  await editor.press('Control+Z', 'Control+Z');
  await editor.save();
  await editor.lens('proved').waitFor();

  await editor.goTo(27, 1);
  await editor.type('5');
  await editor.errors.first().waitFor();
  await workbench.command('View: Toggle Problems');
  await workbench.problems.locator('.monaco-list-row').first().waitFor();
  await take('problems');
});

test.skipIf(!areTaken).each(themes)('screenshots of BLIF: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => vscode.close());
  const { page, workbench, path } = await openFile(vscode, 'vending.blif');
  const take = camera(page, name);

  const editor = await workbench.editor(path);
  await editor.lens('check').waitFor();
  await editor.goTo(33, 2);
  await editor.save();
  await editor.lenses(/^proved/, /^refuted at step 2/);
  await editor.errors.first().waitFor();
  await editor.hover(41, 'counterexample', /^credit1$/);
  await take('blif-hover');
  await editor.hover(37, 'model', /^account$/);
  await take('blif-model');
  await editor.clickLens('latches…', workbench.quickInput.locator('.monaco-list-row', { hasText: 'credit1/q1' }).first());
  await page.keyboard.press('ArrowDown');
  await take('blif-latches');
  await page.keyboard.press('Escape');
  await editor.atLine(33); // back from the preview

  await editor.goTo(31, 6);
  await editor.press('Backspace', 'Backspace');
  await editor.lenses(/^unknown: error on line 31: .+/, /^unknown: error on line 31: .+/);
  await workbench.command('View: Toggle Problems');
  await workbench.problems.locator('.monaco-list-row').first().waitFor();
  await take('blif-problems');
});

test.skipIf(!areTaken).each(themes)('screenshots of verdicts: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => vscode.close());
  const { page, workbench, path } = await openFile(vscode, 'lift.aag');
  const take = camera(page, name);

  const editor = await workbench.editor(path);
  await editor.lens('check').waitFor();
  await editor.goTo(21);
  await workbench.command('Testing: Focus on Test Explorer View');
  await workbench.test('lift.aag').waitFor();
  await editor.goTo(21);
  await editor.save();
  await workbench.command('aiglens: Check All Properties of the File');
  await workbench.status(/2 proved, 1 refuted$/).waitFor();
  await workbench.test('lift.aag').click();
  await page.keyboard.press('ArrowRight');
  await workbench.test('runs_past_the_end').waitFor();
  await editor.goTo(21);
  await editor.lens('refuted at step 4').waitFor();
  await take('tests');

  // 34 18 12: on the way down from floor 2; 13 is from another floor.
  await editor.replaceBefore(21, 9, '3');
  await editor.lens('stale · refuted').waitFor();
  await workbench.status(/3 stale$/).waitFor();
  await take('stale');
  await editor.undo(21, 2);
  await editor.lens(/^refuted at step 4/).waitFor();

  await workbench.status(/2 proved, 1 refuted$/).hover();
  await page.locator('.workbench-hover:visible', { hasText: 'runs_past_the_end' }).waitFor();
  await take('status');
  await workbench.status(/2 proved, 1 refuted$/).click();
  await workbench.quickInput.locator('.monaco-list-row', { hasText: 'runs_past_the_end' }).waitFor();
  await take('actions');
  await workbench.pick('Show History of Verdicts');
  await page.locator('.monaco-editor[data-uri^="aiglens-history"] .view-line', { hasText: 'refuted at step 4' }).first().waitFor();
  await take('history');
});
