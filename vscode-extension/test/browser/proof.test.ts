// What a proof says and what it does not need: hover, text, tree and faded rows, and a property that
// holds for a reason that means little. With AIGLENS_SCREENSHOTS=1 with pictures in each theme.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { camera, shownThemes } from './pictures';
import { openFile, openPackaged } from './session';

// A ring of three latches of which one is 1, a copy of the first, a latch that is never 1 and a
// counter that no property refers to.
const ring = `.model ring
.inputs go
.outputs bad
# prop: bad bad
.latch third first 1
.latch first second 0
.latch second third 0
.latch third copy 1
.latch stuck_next stuck 0
.latch c0_next c0 0
.latch c1_next c1 0
.names first second both
11 1
.names first copy differ
10 1
01 1
.names stuck go stuck_next
11 1
.names c0 go c0_next
10 1
01 1
.names c0 c1 go c1_next
110 1
001 1
.names both differ stuck bad
1-- 1
-1- 1
--1 1
.end
`;

// A request that never comes implies anything.
const vacuous = `.model vacuous
.inputs a b
.outputs bad
# prop: bad bad
.latch request_next request 0
.names request a request_next
11 1
.names request b bad
10 1
.end
`;

test.each(shownThemes)('what a proof says, and what it does not need: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => vscode.close());
  writeFileSync(join(vscode.workspace, 'ring.blif'), ring);
  writeFileSync(join(vscode.workspace, 'vacuous.blif'), vacuous);
  const { page, workbench, path } = await openFile(vscode, 'ring.blif');
  const take = camera(page, name);
  const editor = await workbench.editor(path);
  await editor.clickLens('check', editor.lens('proved'));
  // What the proof says of latches stands on their rows.
  const facts = page.locator('.squiggly-hint');
  await facts.first().waitFor();
  await editor.hover(4, 'always 0');
  await take('proof-hover');
  await editor.goTo(3);

  // The facts in the Circuit view; a latch leads to its row.
  await workbench.command('aiglens Proof: Show What the Proof Says');
  const entry = (text: string | RegExp) => workbench.circuit.locator('[role="treeitem"]', { hasText: text }).first();
  await entry('constant latches').waitFor();
  await entry('stuck is always 0').waitFor();
  await entry(/first = copy|copy = first/).waitFor();
  await take('proof-tree');
  await entry('stuck is always 0').click();
  await editor.atLine(9);

  // Over a latch only what is said of it.
  await editor.goTo(8, 15);
  await workbench.command('aiglens Proof: Clauses With This Latch');
  await entry(/first = copy|copy = first/).waitFor();
  await entry('stuck is always 0').waitFor({ state: 'detached' });

  // Faded rows, until they are dismissed.
  const faded = page.locator('.squiggly-inline-unnecessary');
  expect(await faded.count()).toBe(0);
  await editor.goTo(3);
  await workbench.command('aiglens Proof: Toggle Fading of What the Proof Does Not Need');
  await faded.first().waitFor();
  await page.getByText(/rows can change for bad; hover over one/).first().waitFor();
  await take('proof-unneeded');
  await editor.goTo(3);
  await workbench.command('aiglens Proof: Toggle Fading of What the Proof Does Not Need');
  await faded.first().waitFor({ state: 'detached' });
  await workbench.command('aiglens Proof: Toggle Fading of What the Proof Does Not Need');
  await faded.first().waitFor();

  // The text that is read, beside the circuit; commands that are given there are about its property, and a link
  // leads back.
  const shown = page.locator('.monaco-editor[data-uri^="aiglens-proof"]');
  await editor.clickLens('proved', shown);
  await shown.locator('.view-line', { hasText: 'is always 0' }).waitFor();
  await take('proof-text');
  await editor.lens('proved').waitFor();
  await workbench.command('aiglens Proof: Toggle Fading of What the Proof Does Not Need');
  await faded.first().waitFor({ state: 'detached' });
  await workbench.command('aiglens Proof: Toggle Fading of What the Proof Does Not Need');
  await faded.first().waitFor();
  await workbench.followLink(shown.locator('.detected-link', { hasText: 'stuck' }).first());
  await editor.atLine(9);
  // With an edit all of that is gone or said to be of an earlier text.
  await editor.goTo(6, 22);
  await editor.press('Backspace');
  await editor.type('1');
  await editor.lens('stale · proved').waitFor();
  await faded.first().waitFor({ state: 'detached' });
  await facts.first().waitFor({ state: 'detached' });
  await entry(/first = copy|copy = first/).waitFor({ state: 'detached' });
  await take('proof-stale');

  // Proved, but for a reason that means little.
  const other = await openFile(vscode, 'vacuous.blif');
  const vacuousEditor = await other.workbench.editor(other.path);
  await vacuousEditor.clickLens('check', vacuousEditor.lens('vacuous'));
  await other.page.locator('.squiggly-warning').first().waitFor();
  await vacuousEditor.goTo(3);
  await other.workbench.command('View: Toggle Problems');
  await other.workbench.problems.locator('.monaco-list-row', { hasText: 'vacuously' }).waitFor();
  await camera(other.page, name)('vacuous');
  await other.page.close();
  await page.close();
});
