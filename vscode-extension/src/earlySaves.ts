// Saves that come before the server runs. The client tells the server of those alone that come
// later, and a save is when circuits are checked.
import { Disposable, type DocumentSelector, languages, type TextDocument, workspace } from 'vscode';
import { DidSaveTextDocumentNotification, type BaseLanguageClient } from 'vscode-languageclient';

export class EarlySaves {
  private readonly saved = new Set<TextDocument>();
  private readonly listener: Disposable;

  constructor(selector: DocumentSelector) {
    this.listener = workspace.onDidSaveTextDocument((document) => {
      if (languages.match(selector, document) > 0) this.saved.add(document);
    });
  }

  /** Tells a server that runs of the saves. A document that was changed or closed since is not told of. */
  tell(client: BaseLanguageClient): void {
    for (const document of this.saved) {
      if (document.isDirty || document.isClosed) continue;
      void client.sendNotification(DidSaveTextDocumentNotification.type, client.code2ProtocolConverter.asSaveTextDocumentParams(document));
    }
  }

  dispose(): void {
    this.listener.dispose();
  }
}
