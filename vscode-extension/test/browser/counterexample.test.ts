// A counterexample as a user follows it: values in the text, causes, waves, the
// debugger. With AIGLENS_SCREENSHOTS=1 in each theme.
import { expect, onTestFinished, test } from 'vitest';
import { debuggerOf } from './debugger';
import { control } from './page';
import { camera, shownThemes } from './pictures';
import { openFile, openPackaged } from './session';

test.each(shownThemes)('a counterexample from text to debugger: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => vscode.close());
  const { page, workbench, path } = await openFile(vscode, 'semaphore2_broken.aag');
  const take = camera(page, name);

  const editor = await workbench.editor(path);
  await editor.lens('check').waitFor();
  await editor.goTo(11);
  await workbench.command('aiglens: Check All Properties of the File');
  await editor.lens('refuted at step 4').waitFor();
  await editor.goTo(11);
  await page.keyboard.press('Control+F7');
  const step = page.locator('#aiglens\\.aiglens\\.aiglens\\.step');
  await step.filter({ hasText: 'step 4 of 4' }).waitFor();
  await page.keyboard.press('Alt+,');
  await step.filter({ hasText: 'step 3 of 4' }).waitFor();
  await editor.someNote('│0→1│');
  await take('values');

  await editor.goTo(9);
  await workbench.command('aiglens Ask: Why Does the Property Fail?');
  const cause = (text: string) => workbench.cause(text);
  await cause('two_at_work').waitFor();
  await cause('work_a').waitFor();
  await cause('work_b').click();
  await editor.atLine(9);
  await page.keyboard.press('ArrowRight');
  await editor.someNote('step 4 of 4: fails');
  await take('why');

  await editor.goTo(25);
  await workbench.command('aiglens Trace: Add Signal at Cursor to Trace');
  const panel = await workbench.panelFrame();
  await panel.locator('#live', { hasText: '46 = ' }).waitFor();
  // The row of the signal that was added is scrolled to, once for each answer: back up to that of free.
  // A click that is too early meets the row that stood there.
  const clicked = async () => {
    await panel.locator('#scroll').evaluate((element: unknown) => ((element as { scrollTop: number }).scrollTop = 0));
    await panel.locator('.row', { hasText: /^free/ }).first().click({ timeout: 1000 }).catch(() => {});
    return page.locator('.active-line-number', { hasText: '10' }).waitFor({ timeout: 5000 }).then(() => true, () => false);
  };
  await expect.poll(clicked).toBe(true);
  await page.keyboard.press('Enter');
  await editor.atLine(10);
  await panel.locator('#view').focus();
  await page.keyboard.press('m');
  await page.keyboard.press('ArrowLeft');
  await panel.locator('#live', { hasText: 'free = 0 (was 1) at step 3' }).waitFor();
  await editor.someNote('step 3 of 4');
  await take('trace');
  await (await control(panel, '#table')).click();
  await panel.locator('table').waitFor();
  await take('trace-table');
  await (await control(panel, '#table')).click();

  await editor.goTo(9);
  await workbench.command('aiglens Trace: Debug Counterexample');
  await page.locator('.debug-toolbar').waitFor();
  await page.locator('.debug-top-stack-frame-line').first().waitFor();
  await page.keyboard.press('Control+Shift+D');
  const { frame, open } = debuggerOf(page);
  await frame('step 0').waitFor();
  await page.keyboard.press('F10');
  await frame('step 1').waitFor();
  await open('Latches', 'wait_b');
  await step.filter({ hasText: 'step 1 of 4' }).waitFor();
  await editor.someNote('step 1 of 4');
  await take('debug');
  await page.keyboard.press('Shift+F5');
  await expect.poll(() => page.locator('.debug-toolbar:visible').count()).toBe(0);
});
