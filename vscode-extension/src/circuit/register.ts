// The commands of the Circuit view, and those that ask what one of its parts answers.
import { Disposable, type TextEditor } from 'vscode';
import type { Location } from 'vscode-languageclient';
import { forEditor, register, withProof } from '../commands';
import { chooseProperty, type Steps } from '../counterexample/steps';
import type { PropertyRef } from '../counterexample/messages';
import { circuitEditor, propertyFrom } from '../places';
import type { StatusModel } from '../status';
import type { CircuitView } from './view';

export function registerCircuit(view: CircuitView, model: StatusModel, steps: Steps): Disposable {
  return Disposable.from(
    register('aiglens.showCircuit', () => view.toggle()),
    register('aiglens.showCircuitBeside', async () => view.openBeside()),
    register('aiglens.whyFails', (about) => whyFails(view, model, steps, propertyFrom(about))),
    forEditor('aiglens.whyAtCursor', (editor) => whyAtCursor(view, model, steps, editor)),
    register('aiglens.showInvariant', (about) => withProof(model, about, async (found) => {
      const at = placeOf(model, found);
      if (at !== undefined) await view.lookAtProof(at, found.property);
    })),
    forEditor('aiglens.clausesWithLatch', () => view.lookAt('always')),
  );
}

/** Shows the failing step of a property, and there why it fails. */
export async function whyFails(view: CircuitView, model: StatusModel, steps: Steps, about: PropertyRef | undefined): Promise<void> {
  const chosen = about ?? (await chooseProperty(model, steps, circuitEditor()));
  if (chosen === undefined) return;
  await steps.show({ ...chosen, to: 'last' });
  const at = placeOf(model, chosen);
  if (at !== undefined) await view.lookAt('property', at, { property: chosen.property });
}

/** Shows why what is at the cursor has its value in the step that is shown; where none is, in the one that fails. */
async function whyAtCursor(view: CircuitView, model: StatusModel, steps: Steps, editor: TextEditor): Promise<void> {
  const chosen = await chooseProperty(model, steps, editor);
  if (chosen === undefined) return;
  if (steps.shownIn(chosen.uri)?.property !== chosen.property) await steps.show({ ...chosen, to: 'last' });
  await view.lookAt('now');
}

function placeOf(model: StatusModel, { uri, property }: PropertyRef): Location | undefined {
  const range = model.file(uri)?.properties.get(property)?.range;
  return range && { uri, range };
}
