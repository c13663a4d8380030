// The quick pick over the latches of a counterexample: shows each latch over
// the steps, previews its definition while the list is walked and goes there
// when one is chosen. Leaving the list goes back to where the user was.
import { type QuickPickItem, type Range, type TextEditor, TextEditorRevealType, window } from 'vscode';
import { columnOf, fileName, reveal } from './places';
import * as protocol from './protocol';
import { Refusal } from './refusal';
import type { Server } from './server';
import { tell } from './telling';

interface LatchItem extends QuickPickItem {
  latch: protocol.LatchTrace;
}

/** @param otherwise what to ask for where the first names no property, such as the whole file */
export async function pickLatch(
  server: Server,
  params: protocol.PropertyParams,
  otherwise?: protocol.PropertyParams,
): Promise<void> {
  const ask = (about: protocol.PropertyParams) => server.execute(protocol.latches, about);
  const latches = await ask(params).catch((refusal: unknown) => {
    if (otherwise === undefined || !(refusal instanceof Refusal)) throw refusal;
    return ask(otherwise);
  });
  if (latches === undefined) {
    return; // the server does not run, which was said
  }
  if (latches === null || latches.length === 0) {
    void tell('information', 'there is no counterexample here. Only a refuted property has one.');
    return;
  }
  const chosen = await choose(latches, params.uri);
  if (chosen !== undefined) {
    await reveal(chosen.location.uri, chosen.location.range, false);
  }
}

async function choose(latches: protocol.LatchTrace[], about: string): Promise<protocol.LatchTrace | undefined> {
  const before = window.activeTextEditor && place(window.activeTextEditor);
  const pick = window.createQuickPick<LatchItem>();
  const steps = latches[0]?.values.length ?? 0;
  const marked = (latches[0]?.loop ?? 0) > 0 ? 'what repeats for ever in brackets' : 'the failing step in brackets';
  pick.title = `Latches over ${steps} ${steps === 1 ? 'step' : 'steps'}, ${marked}`;
  pick.placeholder = 'Name of a latch. First come those that come first in why the property fails';
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  // The values in the second line, where they begin at the same place in every
  // item, so that steps stand below each other.
  pick.items = latches.map((latch) => ({ label: latch.name, description: explain(latch, about), detail: valuesOf(latch.values, latch.loop), latch }));

  // One preview after the other, and none after the way back.
  let previews = Promise.resolve();
  const chosen = await new Promise<protocol.LatchTrace | undefined>((resolve) => {
    pick.onDidChangeActive(([item]) => {
      if (item !== undefined) previews = previews.then(() => reveal(item.latch.location.uri, item.latch.location.range, true));
    });
    pick.onDidAccept(() => resolve(pick.activeItems[0]?.latch));
    pick.onDidHide(() => resolve(undefined));
    pick.show();
  });
  pick.dispose();
  await previews;
  if (chosen === undefined) {
    await before?.();
  }
  return chosen;
}

/** Remembers selection and scroll position of an editor; the result goes back there. */
function place(editor: TextEditor): () => Promise<void> {
  const { document, selections } = editor;
  const visible: Range | undefined = editor.visibleRanges[0];
  return async () => {
    const reopened = await window.showTextDocument(document, { viewColumn: columnOf(document.uri) });
    reopened.selections = selections;
    if (visible !== undefined) reopened.revealRange(visible, TextEditorRevealType.AtTop);
  };
}

const shown = 48;

/** The values with the failing step, or the loop, set apart; of a long run the end, which is what fails. */
export function valuesOf(values: string, loop = 0): string {
  const apart = values.length - Math.max(loop, 1);
  const end = values.slice(apart);
  const before = values.slice(0, apart);
  const cut = before.length > shown ? `…${before.slice(-shown)}` : before;
  if (loop > 0) return `${cut}(${end.length > shown ? `${end.slice(0, shown)}…` : end})ω`;
  return `${cut}[${end}]`;
}

function explain(latch: protocol.LatchTrace, about: string): string {
  const literal = latch.literal === undefined ? '' : `literal ${latch.literal}, `;
  const { uri } = latch.location;
  const file = uri === about ? '' : `${fileName(uri)}, `;
  return `${literal}${file}line ${latch.location.range.start.line + 1}: ${changes(latch.values, latch.loop)}`;
}

/** In which steps a latch differs from the step before, also where a loop begins again. */
export function changes(values: string, loop = 0): string {
  const steps = [...values].flatMap((value, step) => (step > 0 && value !== values[step - 1] ? [step] : []));
  if (steps.length === 0) {
    return `always ${values[0]}`;
  }
  const listed = steps.slice(0, 8).join(', ');
  const round = loop > 0 && values.at(-1) !== values.at(-loop) ? ' and in each round' : '';
  return `changes at ${steps.length === 1 ? 'step' : 'steps'} ${listed}${steps.length > 8 ? ` and ${steps.length - 8} more` : ''}${round}`;
}
