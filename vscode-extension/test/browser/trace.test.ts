// The trace panel in the editor: it has the keyboard however it is opened, shows vectors
// and typed expressions, hides what is not chosen, and has all that again after a reload. With AIGLENS_SCREENSHOTS=1 in
// each theme and at two sizes of the window.
import { expect, onTestFinished, test } from 'vitest';
import { camera, shownThemes } from './pictures';
import { openFile, openPackaged } from './session';

const sizes = [
  { width: 1400, height: 900 },
  { width: 900, height: 600 },
];

test.each(shownThemes)('the trace panel from the keyboard: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => vscode.close());
  const { page, workbench, path } = await openFile(vscode, 'vending.blif');
  for (const size of sizes) {
    await page.setViewportSize(size);
    const take = camera(page, `${size.width}-${name}`);
    const editor = size === sizes[0] ? await workbench.editor(path) : await workbench.openFile('vending.blif');
    await editor.lens(/^check|^refuted/).first().waitFor();
    await editor.goTo(18);
    await workbench.command('aiglens: Check All Properties of the File');
    await editor.lens('refuted at step 2').waitFor();
    await editor.goTo(18);
    await workbench.command('aiglens Trace: Show Trace of the Counterexample');
    let panel = await workbench.panelFrame();
    const live = (text: string) => panel.locator('#live', { hasText: text }).waitFor();

    // The keyboard is in the waves at once, and on the property.
    await live('drink_and_coin = 1');
    await workbench.hasKeyboard(panel.locator('#view'));
    await page.keyboard.press('ArrowLeft');
    await live('drink_and_coin = 0');
    if (size === sizes[0]) await panel.locator('.row.scope', { hasText: 'credit1' }).waitFor();

    if (size === sizes[0]) {
      await page.keyboard.press('e');
      await page.keyboard.type('credit1/q == 3 & !one');
      await page.keyboard.press('Enter');
      await live('credit1/q == 3 & !one = ');
      await page.keyboard.press('e');
      await page.keyboard.type('credit1/q ==');
      await page.keyboard.press('Enter');
      await live('column 13: expected a name, found the end');
    }
    const rows = async () => (await panel.locator('.row:visible .name').allInnerTexts()).map((text) => text.trim());
    await expect.poll(rows).toEqual(expect.arrayContaining(['credit1/q == 3 & !one', 'credit1/q ==']));
    if (size === sizes[0]) {
      await panel.locator('#signals').click();
      await panel.locator('#choose').fill('credit1');
      await panel.getByRole('treeitem', { name: /^credit1, / }).locator('.box').click();
      await expect.poll(rows).not.toContain('credit1');
    }
    await take('vectors');

    // A panel that is ready late does not take the keyboard from the text.
    await editor.goTo(18);
    await panel.evaluate(async () => {
      const received = new Promise((resolve) => window.addEventListener('message', () => setTimeout(resolve)));
      window.postMessage({ type: 'focus' }, '*');
      await received;
    });
    expect(await editor.hasFocus()).toBe(true);

    // What was typed is there in another window, whether the panel comes back by itself or not.
    const reloaded = page.waitForEvent('load');
    await workbench.command('Developer: Reload Window'); // which keeps what was typed just now
    await reloaded;
    const again = await workbench.editor(path);
    await again.lens(/^check|^refuted/).first().waitFor();
    await again.goTo(18);
    await workbench.command('aiglens: Check All Properties of the File');
    await again.lens('refuted at step 2').waitFor();
    await again.goTo(18);
    await workbench.command('aiglens Trace: Show Trace of the Counterexample');
    panel = await workbench.panelFrame();
    await expect.poll(rows).toEqual(expect.arrayContaining(['credit1/q == 3 & !one', 'credit1/q ==']));
    await expect.poll(() => panel.locator('#signals').getAttribute('aria-label')).toMatch(/^Signals, \d+ hidden$/);
    expect(await rows()).not.toContain('credit1');
    await take('reloaded');
    await workbench.command('View: Close All Editor Groups');
  }
});
