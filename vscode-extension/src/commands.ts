// The commands of the palette and the menus. Their ids differ from those that
// the server announces, which the language client registers by itself.
import { commands, type Disposable, type LogOutputChannel, type TextEditor, window } from 'vscode';
import { pickLatch } from './latches';
import * as protocol from './protocol';
import type { Server } from './server';

export function registerCommands(server: Server, log: LogOutputChannel): Disposable[] {
  return [
    forEditor('aiglens.checkProperty', (editor) => server.execute(protocol.check, atCursor(editor))),
    forEditor('aiglens.checkFile', (editor) => server.execute(protocol.check, inFile(editor))),
    forEditor('aiglens.stopChecks', (editor) => server.execute(protocol.stop, inFile(editor))),
    forEditor('aiglens.pickLatch', (editor) => pickLatch(server, atCursor(editor), inFile(editor))),
    commands.registerCommand('aiglens.restartServer', () => server.restart()),
    commands.registerCommand('aiglens.showLog', () => log.show()),
  ];
}

/**
 * Registers a command that works on the active editor. Not with
 * registerTextEditorCommand, which neither waits for a command nor shows its errors.
 */
function forEditor(id: string, run: (editor: TextEditor) => Promise<unknown>): Disposable {
  return commands.registerCommand(id, async () => {
    const editor = window.activeTextEditor;
    if (editor === undefined) {
      return;
    }
    try {
      await run(editor);
    } catch (error) {
      if (!(error instanceof protocol.Refusal)) throw error;
      void window.showWarningMessage(`aiglens: ${error.message}`);
    }
  });
}

function inFile(editor: TextEditor): protocol.PropertyParams {
  return { uri: editor.document.uri.toString() };
}

function atCursor(editor: TextEditor): protocol.PropertyParams {
  const { line, character } = editor.selection.active;
  return { ...inFile(editor), position: { line, character } };
}
