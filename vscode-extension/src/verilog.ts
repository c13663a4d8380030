// Checks of Verilog. The server has Yosys read it, and asks for the files that it needs.
import { commands, type Location, type TextEditor } from 'vscode';
import * as protocol from './protocol';
import type { Server } from './server';
import { tell } from './telling';

/** Checks the design of the file in the editor, and says what its lines do not. */
export async function checkDesign(server: Server, editor: TextEditor): Promise<void> {
  const checked = await server.execute(protocol.checkDesign, { uri: editor.document.uri.toString() });
  if (checked?.problem !== undefined) void tell('warning', checked.problem);
}

/** Goes to the rows of the circuit that Yosys has written for what stands at the cursor of a Verilog file. */
export async function goToCircuit(editor: TextEditor): Promise<void> {
  await goTo(editor, 'vscode.executeImplementationProvider', 'The circuit has no row for this, or Yosys has not read the design as it is: check the file first');
}

/** Goes to the lines of the source that a tool has made what stands at the cursor of a circuit from. */
export async function goToHdl(editor: TextEditor): Promise<void> {
  await goTo(editor, 'vscode.executeDeclarationProvider', 'No place in the source is known for this, or the source has changed');
}

async function goTo({ document, selection }: TextEditor, find: string, none: string): Promise<void> {
  const places = await commands.executeCommand<Location[]>(find, document.uri, selection.active);
  await commands.executeCommand('editor.action.goToLocations', document.uri, selection.active, places ?? [], 'goto', none);
}
