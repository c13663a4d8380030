// Checks of Verilog. The server has Yosys read it, and asks for the files that it needs.
import type { TextEditor } from 'vscode';
import { fileName } from './places';
import * as protocol from './protocol';
import type { Server } from './server';
import { tell } from './telling';

/** Checks the design of the file in the editor, and says what its lines do not. */
export async function checkDesign(server: Server, editor: TextEditor): Promise<void> {
  const checked = await server.execute(protocol.checkDesign, { uri: editor.document.uri.toString() });
  if (checked?.problem !== undefined) {
    void tell('warning', checked.problem);
  } else if (checked?.unchecked !== undefined) {
    const names = checked.unchecked.map(fileName).join(', ');
    void tell('information', `what stands in ${names} is not checked. Open the file and check the design again.`);
  }
}
