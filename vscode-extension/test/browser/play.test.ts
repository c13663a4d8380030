// Runs that are played in the trace panel: from reset, from a step of a counterexample, what
// if, and one in which a signal is 1. With AIGLENS_SCREENSHOTS=1 in each theme.
import { expect, onTestFinished, test } from 'vitest';
import { control } from './page';
import { camera, shownThemes } from './pictures';
import { openFile, openPackaged } from './session';

test.each(shownThemes)('plays from reset and from a counterexample: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => vscode.close());
  const { page, workbench, path } = await openFile(vscode, 'vending.blif', { width: 1400, height: 900 });
  const take = camera(page, name);
  const editor = await workbench.editor(path);
  await editor.lens(/^check|^refuted/).first().waitFor();

  // From reset: flipped inputs, more steps, random ones, and those up to a 1.
  await workbench.command('aiglens Trace: Play the Circuit from Reset');
  let panel = await workbench.panelFrame();
  const outcome = (text: string | RegExp) => panel.locator('#outcome', { hasText: text }).waitFor();
  await panel.locator('#corner', { hasText: '1 step' }).waitFor();
  await outcome('No property fails in these steps.');
  // Rows are drawn with the next picture: before it, an element may be about to show another one.
  const chooseInput = async () => {
    await panel.locator('#filter').fill('one');
    await panel.locator('.row.group:visible', { hasText: 'Inputs (1 of 3)' }).waitFor();
    await panel.locator('.row.settable:visible', { hasText: 'one' }).first().click();
  };
  // Inputs stand first. A click on a value flips it, the space bar as well; one on a name does not.
  await expect.poll(() => panel.locator('.row.group:visible').allInnerTexts()).toEqual([expect.stringContaining('Inputs'), expect.stringContaining('Latches')]);
  const one = panel.locator('.row.settable:visible', { hasText: 'one' }).first();
  const value = (of: RegExp) => expect.poll(() => one.locator('.value').innerText()).toMatch(of);
  await one.locator('.name').click();
  await value(/^0/);
  await one.locator('.value').click();
  await value(/^1/);
  await panel.locator('#live', { hasText: 'one = 1' }).waitFor();
  await page.keyboard.press('Space');
  await value(/^0/);
  await one.locator('.value').hover();
  await take('play-flip');
  await (await control(panel, '#flip')).click();
  await value(/^1/);
  await (await control(panel, '#play-add')).click();
  await panel.locator('#corner', { hasText: '2 steps' }).waitFor();
  await (await control(panel, '#play-random')).click();
  await panel.locator('#corner', { hasText: '12 steps' }).waitFor();
  await take('play-reset');
  await panel.locator('#view').focus();
  await page.keyboard.press('Home');
  await (await control(panel, '#play-cut')).click();
  await panel.locator('#corner', { hasText: '1 step' }).waitFor();
  await panel.locator('.row', { hasText: 'drink_and_coin' }).first().click();
  // While a search runs its button waits, and keeps the keyboard.
  const until = panel.locator('#play-until');
  const searching = (buttons: string[], words: string) => panel.locator('body').evaluate((_, message) => window.postMessage(message, '*'), { type: 'searching', buttons, words });
  await until.focus();
  await searching(['play-until'], 'Looking for a step in which drink_and_coin is 1…');
  await panel.locator('#play-until[aria-disabled=true]:focus').waitFor();
  await panel.locator('#searching[role=status]', { hasText: 'Looking for a step' }).waitFor();
  await page.keyboard.press('Enter');
  await take('play-searching');
  await panel.locator('#corner', { hasText: '1 step' }).waitFor();
  await searching([], '');
  await (await control(panel, '#play-until:not([aria-disabled])')).click();
  await outcome(/Fails: drink_and_coin in step \d+/);
  await take('play-until');

  // Why a value is what it is, in this run; another run has causes of its own.
  await panel.locator('.row', { hasText: 'drink_and_coin' }).first().click();
  await panel.locator('#view').focus();
  await page.keyboard.press('End');
  await (await control(panel, '#why')).click();
  await workbench.cause('drink_and_coin').waitFor();
  await take('play-why');
  await (await control(panel, '#play-add')).click();
  await workbench.circuit.locator('#content:not([aria-busy])').waitFor();

  // A counterexample: what if, back, and on from a step of it.
  await workbench.command('View: Close All Editors');
  const again = await workbench.openFile('vending.blif');
  await again.goTo(18);
  await workbench.command('aiglens: Check All Properties of the File');
  await again.lens('refuted at step 2').waitFor();
  await again.goTo(18);
  await workbench.command('aiglens Trace: Show Trace of the Counterexample');
  panel = await workbench.panelFrame();
  await panel.locator('#live', { hasText: 'drink_and_coin = 1' }).waitFor();
  await chooseInput();
  await (await control(panel, '#flip')).click();
  await outcome(/drink_and_coin (no longer|still) fails/);
  await panel.locator('#filter').fill('');
  await take('play-what-if');
  await (await control(panel, '#play-back')).click();
  await panel.locator('#outcome', { hasText: /^$/ }).waitFor({ state: 'attached' });
  await panel.locator('#live', { hasText: 'the property fails' }).waitFor();
  await panel.locator('#view').focus();
  await page.keyboard.press('Home');
  await again.shows('step 0 of 2', true); // the text has the values of the counterexample,
  await (await control(panel, '#play-on')).click();
  await again.shows('step 0 of 2', false); // and none of them while another run is played
  await expect.poll(async () => (panel = await workbench.panelFrame()).locator('#corner').innerText()).toBe('1 step');
  await (await control(panel, '#play-add')).click();
  await panel.locator('#corner', { hasText: '2 steps' }).waitFor();
  await take('play-on');
  expect(await panel.locator('#outcome').innerText()).not.toBe('');

});
