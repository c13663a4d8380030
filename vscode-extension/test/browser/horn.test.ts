// A semaphore in Horn clauses: safe, broken, its derivation walked step by step in the text and in the Circuit view,
// and safe again after undoing that. With AIGLENS_SCREENSHOTS=1 in three themes, and in a small window.
import { expect, onTestFinished, test } from 'vitest';
import { areTaken, camera, shownThemes } from './pictures';
import { openFile, openPackaged } from './session';

const leaves = 43; // the rule of a process that leaves while no other one waits
const both = 52; // the query that a process waits while a permit is free

test.each(shownThemes)('a semaphore in Horn clauses: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => vscode.close());
  const { page, workbench, path } = await openFile(vscode, 'semaphore.smt2', { width: 1400, height: 900 });
  const take = camera(page, name);
  const editor = await workbench.editor(path);
  await editor.goTo(both);
  await editor.lenses(/^check$/, /^check$/);
  await editor.save();
  await editor.lenses(/^safe · \d+ lemmas?$/, /^safe · \d+ lemmas?$/);
  await editor.goTo(11, 15);
  await editor.hoverAtCursor('is safe, because');
  await take('horn-safe');
  await page.keyboard.press('Escape');
  await page.locator('.monaco-hover:visible').first().waitFor({ state: 'hidden' });

  // A process that leaves frees its permit although others wait.
  await editor.goTo(leaves, 67);
  await editor.type('>');
  await editor.goTo(both);
  await editor.lenses(/^stale · safe/, /^stale · safe/);
  await editor.save();
  await editor.lenses(/^safe/, /^reached in 5 steps ?\| ?why$/);
  await editor.goTo(leaves);
  await editor.shows('step 4: state(1, 1, 0, 1, 1), from step 3', true);
  await take('horn-reached');

  // From the last step back to the rule that is wrong: its values stand at its variables.
  await editor.goTo(both);
  await editor.clickLens('reached in 5 steps', workbench.page.locator('#aiglens\\.aiglens\\.aiglens\\.step', { hasText: 'step 5 of 5' }));
  await editor.shows('step 5 of 5: false', true);
  await editor.press('Alt+,');
  await editor.shows('step 4 of 5: state(1, 1, 0, 1, 1)', true);
  await editor.shows('waiting= 1', true);
  await take('horn-step');
  await editor.press('Alt+Home');
  await editor.shows('step 1 of 5: state(1, 1, 0, 0, 2)', true);

  // The derivation as a tree, whose entries lead to their rules and steps.
  await editor.goTo(both);
  await editor.clickLens('why', workbench.circuit.locator('#why-property'));
  await workbench.cause('state(1, 1, 0, 1, 1)').waitFor();
  await take('horn-why');
  await workbench.cause('state(1, 1, 0, 1, 1)').click();
  await editor.shows('step 4 of 5', true);
  await workbench.circuit.locator('#now-body').getByText('waiting = 1').first().waitFor();
  await take('horn-now');
  if (areTaken) {
    await page.setViewportSize({ width: 900, height: 600 });
    await take('horn-small');
    await page.setViewportSize({ width: 1400, height: 900 });
  }

  // Undone, it is safe at once, and the predicate has its invariant.
  await editor.undo(leaves, 1);
  await editor.goTo(both);
  await editor.lenses(/^safe/, /^safe/);
  await editor.goTo(11, 15);
  await workbench.circuit.locator('#always-body').getByText('proof of query 1').first().waitFor();
  await take('horn-always');
  expect(await workbench.circuit.locator('#around-body').count()).toBe(0);
});
