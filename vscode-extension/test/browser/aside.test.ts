// Lemmas and covers in the comment of an AIGER file: lenses, the run that reaches a cover, an edit
// of a line, and a rename that rewrites it. With AIGLENS_SCREENSHOTS=1 with pictures in each theme.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { camera, shownThemes } from './pictures';
import { openFile, openPackaged } from './session';

const circuit = `aag 6 1 2 0 3 1
2
4 8
6 4
10
8 2 5
10 4 6
12 5 6
i0 go
l0 first
l1 second
b0 both
c
a token goes from the first latch to the second
prop: lemma !10 "never both"
prop: lemma first
prop: cover second "the token arrives"
prop: cover 13 "anything else"
prop: cover 10
`;

test.each(shownThemes)('lemmas and covers of a comment: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => vscode.close());
  writeFileSync(join(vscode.workspace, 'token.aag'), circuit);
  const { page, workbench, path } = await openFile(vscode, 'token.aag', { width: 1180, height: 900 });
  const take = camera(page, name);
  const editor = await workbench.editor(path);
  await editor.lens('check').waitFor();
  await editor.goTo(1);
  await workbench.command('aiglens: Check All Properties of the File');
  const others = [/^refuted at step 0: not used/, /^reached at step 2/, /^reached at step 0/];
  await editor.lenses(/^proved/, /^proved/, ...others, /^never reached: proved/);
  await editor.goTo(18, 13);
  await take('aside');

  // A line that refers to another literal has no verdict until it is checked; the others keep theirs.
  await editor.goTo(16, 13);
  await editor.type('!');
  await editor.lenses(/^proved/, /^proved/, /^check/, /^reached at step 2/, /^reached at step 0/, /^never reached: proved/);
  await editor.press('Control+Z');
  await editor.lenses(/^proved/, /^proved/, ...others, /^never reached: proved/);

  await editor.goTo(17, 13);
  await editor.clickLens('run', page.locator('iframe.webview').first());
  const panel = await workbench.panelFrame();
  await panel.locator('.row', { hasText: 'the token arrives' }).first().waitFor();
  await take('aside-run');
  expect(await panel.locator('body').innerText()).not.toContain('violat');
  await page.close();
});
