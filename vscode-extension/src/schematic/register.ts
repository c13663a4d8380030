// The commands that draw what the cursor, a lens or a menu is about.
import { Disposable, type Uri } from 'vscode';
import { register } from '../commands';
import { atCursor, type Steps } from '../counterexample/steps';
import { circuitEditor, propertyFrom } from '../places';
import type { Radices } from '../radices';
import type { Server } from '../server';
import type { StatusModel } from '../status';
import { Schematic } from './schematic';
import { StateGraph } from './states';

export function registerPictures(extension: Uri, server: Server, model: StatusModel, steps: Steps, radices: Pick<Radices, 'onDidChange'>): Disposable {
  const schematic = new Schematic(extension, server, model, steps);
  const states = new StateGraph(extension, server, model, steps);
  const drawing = (command: string, panel: Schematic | StateGraph) =>
    register(command, async (argument) => {
      const named = propertyFrom(argument);
      const editor = circuitEditor();
      if (named !== undefined) await panel.show(named);
      else if (editor !== undefined) await panel.show(atCursor(editor));
    });
  const rewritten = radices.onDidChange((uri) => [schematic, states].forEach((panel) => panel.renew(uri)));
  return Disposable.from(schematic, states, rewritten, drawing('aiglens.drawCone', schematic), drawing('aiglens.drawStates', states));
}
