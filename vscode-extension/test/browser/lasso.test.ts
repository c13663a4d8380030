// The loop of a justice property in the editor: lens, hover, trace panel and why tree. With
// AIGLENS_SCREENSHOTS=1 in each theme, with pictures in out/.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../lib/paths';
import { openFile, openPackaged } from './session';

const pictures = process.env['AIGLENS_SCREENSHOTS'] === '1';

const themes = [
  ['dark', 'Default Dark Modern'],
  ['light', 'Default Light Modern'],
  ['high-contrast', 'Default High Contrast'],
] as const;

test.each(pictures ? themes : themes.slice(0, 1))('a loop from text to its causes: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => vscode.close());
  const { page, workbench, path } = await openFile(vscode, 'arbiter2_starving.aag', { width: 1400, height: 900 });
  const take = async (what: string) => {
    if (pictures) await page.screenshot({ path: join(root, 'out', `${what}-${name}.png`), animations: 'disabled' });
  };
  const editor = await workbench.editor(path);
  await editor.lens(/^check|^refuted/).first().waitFor();
  await editor.goTo(9);
  await workbench.command('aiglens: Check All Properties of the File');
  await editor.lens('refuted: the loop of step 2').waitFor();
  await editor.errors.first().waitFor();
  await editor.hover(8, 'in the counterexample of starved: 00(1)ω');
  await take('lasso-hover');
  await page.keyboard.press('Escape');

  // Beyond the last step it goes round: in the text, and in the panel, which has the round then.
  await editor.goTo(9);
  await workbench.command('aiglens: Show Trace of the Counterexample');
  const panel = await workbench.panelFrame();
  const live = (text: string) => panel.locator('#live', { hasText: text }).waitFor();
  await live('step 2, loop of step 2');
  await panel.locator('#corner', { hasText: 'step 2 repeats for ever' }).waitFor();
  const atEnd = async () => {
    await panel.locator('#view').press('End');
    return panel.locator('#live').innerText();
  };
  await panel.locator('#round').click();
  await expect.poll(atEnd, { timeout: 30_000 }).toContain('step 2 of round 2, loop of step 2');
  await panel.locator('#view').press('l');
  await expect.poll(atEnd, { timeout: 30_000 }).toContain('step 2 of round 3, loop of step 2');
  await editor.someNote('step 2 of round 3, loop of step 2');
  await take('lasso-panel');

  await editor.clickLens('why');
  await workbench.cause('starved').first().waitFor();
  await take('lasso-why');
});
