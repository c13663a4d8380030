// The command that draws what the cursor, a lens or a menu is about.
import { Disposable, type Uri } from 'vscode';
import { register } from '../commands';
import { atCursor, circuitEditor, type Steps } from '../counterexample/steps';
import { propertyFrom } from '../places';
import type { Server } from '../server';
import type { StatusModel } from '../status';
import { Schematic } from './panel';

export function registerSchematic(extension: Uri, server: Server, model: StatusModel, steps: Steps): Disposable {
  const schematic = new Schematic(extension, server, model, steps);
  const command = register('aiglens.drawCone', async (argument) => {
    const named = propertyFrom(argument);
    const editor = circuitEditor();
    if (named !== undefined) await schematic.show(named);
    else if (editor !== undefined) await schematic.show(atCursor(editor));
  });
  return Disposable.from(schematic, command);
}
