// A circuit that is simulated in the debugger: from reset, with inputs that are set among the
// variables. With AIGLENS_SCREENSHOTS=1 in each theme.
import { expect, onTestFinished, test } from 'vitest';
import { debuggerOf } from './debugger';
import { camera, shownThemes } from './pictures';
import { openFile, openPackaged } from './session';

test.each(shownThemes)('a simulation in the debugger: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => vscode.close());
  const { page, workbench, path } = await openFile(vscode, 'semaphore2_broken.aag');
  const editor = await workbench.editor(path);
  await editor.lens('check').waitFor();
  await workbench.command('aiglens Trace: Simulate the Circuit in the Debugger');
  await page.locator('.debug-toolbar').waitFor();
  const { frame, variable, open, set, move } = debuggerOf(page);
  await frame('step 0').waitFor();
  await variable(/move_a.*0/).waitFor(); // the view is there, with the inputs open
  await open('Property', 'two_at_work');

  // A value that is set holds in the step that is shown; the next step follows from it.
  await set('move_a', '1');
  await variable(/move_a.*1/).waitFor();
  await move('F10', 'step 0', /step 1 · .*wait_a 0→1/);

  await page.keyboard.press('F5');
  await frame(/step \d+: fails two_at_work/).waitFor();
  const console = page.locator('.repl', { hasText: /Fails in step \d+: two_at_work/ });
  await console.waitFor();
  await page.locator('.exception-widget', { hasText: 'two_at_work' }).waitFor();
  // The views follow one after the other; what they asked of the step before is refused for a moment.
  await variable(/two_at_work.*1 \(was 0\)/).waitFor();
  await variable(/move_b.*[01]/).waitFor();
  await expect.poll(() => page.locator('.debug-variables .monaco-list-row', { hasText: 'there are no variables' }).count()).toBe(0);
  await camera(page, name)('simulate');
  await page.keyboard.press('Shift+F5');
  await expect.poll(() => page.locator('.debug-toolbar:visible').count()).toBe(0);
});
