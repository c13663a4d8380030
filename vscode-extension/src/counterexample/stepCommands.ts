// The commands that show a step of a counterexample in the text.
import { type TextEditor, window } from 'vscode';
import * as protocol from '../protocol';
import type { StatusModel } from '../status';
import { atCursor, chooseProperty, firstOf, isLasso, lastOf, refutedIn, type Steps } from './steps';
import { tell } from '../telling';

/** Shows the last step, in which the property fails, or what was shown already. */
async function showValues(model: StatusModel, steps: Steps, editor: TextEditor): Promise<void> {
  const about = await chooseProperty(model, steps, editor);
  if (about !== undefined) await steps.show({ ...about, to: 'last' });
}

/** Takes the values from the text, unless they are those of another property than the one at the cursor: then, and where there are none, shows them. */
export async function toggleValues(model: StatusModel, steps: Steps, editor: TextEditor): Promise<void> {
  const { uri, position } = atCursor(editor);
  const shown = steps.shownIn(uri)?.property;
  const here = refutedIn(model, uri).filter(({ range }) => range.start.line <= position.line && position.line <= range.end.line);
  const isOther = here.length > 0 && here.every(({ property }) => property !== shown);
  if (shown === undefined || (isOther && steps.pin?.uri !== uri)) return showValues(model, steps, editor);
  await hide(steps, editor);
}

/** Moves within the counterexample that is shown; where none is, shows one. */
export async function move(model: StatusModel, steps: Steps, editor: TextEditor, to: protocol.Move): Promise<void> {
  const { uri, position } = atCursor(editor);
  const property = steps.pin?.uri === uri ? steps.pin.property : steps.shownIn(uri)?.property;
  const about = property === undefined ? await chooseProperty(model, steps, editor) : { uri, property };
  if (about === undefined) return;
  const changes = to === 'nextChange' || to === 'previousChange';
  await steps.show({ ...about, ...(changes ? { position } : {}), to });
}

async function hide(steps: Steps, editor: TextEditor): Promise<void> {
  steps.unpin();
  await steps.show({ uri: atCursor(editor).uri, to: 'hide' });
}

export async function goToStep(model: StatusModel, steps: Steps, editor: TextEditor): Promise<void> {
  const { uri } = atCursor(editor);
  if (steps.shownIn(uri) === undefined) await showValues(model, steps, editor);
  const shown = steps.shownIn(uri);
  if (shown?.property === undefined) return;
  // A loop has no last step.
  const loops = isLasso(shown);
  const last = loops ? lastOfLoop : lastOf(shown);
  const least = firstOf(shown);
  const first = shown.steps - (shown.loop ?? 0);
  const repeats = shown.loop === 1 ? `step ${first} repeats` : `the steps ${first} to ${shown.steps - 1} repeat`;
  const meaning = loops ? `${repeats} for ever, step ${shown.steps} is the first of the second round` : `in the last step the ${least === 1 ? 'query is reached' : 'property fails'}`;
  const number = await window.showInputBox({
    title: `Step of the ${least === 1 ? 'derivation' : 'counterexample'} of ${shown.name ?? shown.property}`,
    prompt: `A number from ${least} to ${last}; ${meaning}.`,
    value: String(shown.step),
    validateInput: (text) => (stepNumber(text, last, least) === undefined ? `Expected a number from ${least} to ${last}.` : undefined),
  });
  const step = number === undefined ? undefined : stepNumber(number, last, least);
  if (step !== undefined) await steps.show({ uri, property: shown.property, to: `${step}` });
}

/** The last step that the server shows of a loop. */
const lastOfLoop = 999_999;

export function stepNumber(text: string, last: number, first = 0): number | undefined {
  const step = /^\s*\d+\s*$/.test(text) ? Number(text) : -1;
  return step >= first && step <= last ? step : undefined;
}

export async function pin(steps: Steps, editor: TextEditor): Promise<void> {
  const { uri } = atCursor(editor);
  if (steps.pin === undefined && steps.shownIn(uri) === undefined) {
    void tell('information', 'there is no step to pin: no values are shown.');
    return;
  }
  steps.togglePin(uri);
}
