// Binary and packed AIGER files, shown as the text that they stand for, and circuits of Verilog. A custom
// editor takes such a file over, because VS Code would show it as broken text or
// not at all, and opens in its place a document of our own scheme: read-only, of
// language aiger, so that every feature works on it.
import {
  type CustomDocument,
  type CustomReadonlyEditorProvider,
  Disposable,
  EventEmitter,
  type TextDocumentContentProvider,
  Uri,
  ViewColumn,
  type WebviewPanel,
  window,
  workspace,
} from 'vscode';
import { decodedScheme, decodedUri, encodedUri } from './decodedUri';
import { encodedCircuits } from './formats';
import { sentencePage } from './page';
import * as protocol from './protocol';
import type { Server } from './server';

const viewType = 'aiglens.binary';

export function registerDecoded(server: Server): Disposable {
  const documents = new DecodedDocuments(server);
  const watcher = workspace.createFileSystemWatcher(encodedCircuits);
  return Disposable.from(
    documents,
    watcher,
    watcher.onDidChange((file) => documents.changed(file)),
    watcher.onDidCreate((file) => documents.changed(file)),
    server.listen(protocol.decodedChanged, ({ uri }) => documents.changed(Uri.parse(uri))),
    workspace.registerTextDocumentContentProvider(decodedScheme, documents),
    window.registerCustomEditorProvider(viewType, new Redirection(), { supportsMultipleEditorsPerDocument: true }),
  );
}

class DecodedDocuments implements TextDocumentContentProvider {
  private readonly changes = new EventEmitter<Uri>();
  readonly onDidChange = this.changes.event;

  constructor(private readonly server: Server) {}

  async provideTextDocumentContent(document: Uri): Promise<string> {
    const answer = await this.server.request(protocol.decoded, { uri: encodedUri(document).toString() });
    if (answer === undefined) throw new Error('the server is not running');
    return answer.text;
  }

  changed(file: Uri): void {
    this.changes.fire(decodedUri(file));
  }

  dispose(): void {
    this.changes.dispose();
  }
}

/** An editor that opens another one in its place. */
export class Redirection implements CustomReadonlyEditorProvider {
  openCustomDocument(uri: Uri): CustomDocument {
    return { uri, dispose: () => {} };
  }

  async resolveCustomEditor({ uri }: CustomDocument, panel: WebviewPanel): Promise<void> {
    try {
      const document = await workspace.openTextDocument(decodedUri(uri));
      await window.showTextDocument(document, { viewColumn: panel.viewColumn ?? ViewColumn.Active, preview: false });
      panel.dispose();
    } catch (error) {
      panel.webview.html = sentencePage(error instanceof Error ? error.message : String(error));
    }
  }
}
