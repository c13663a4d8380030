// Pages about a circuit: read-only texts, and panels. Commands that are given while one of them is active
// are about its circuit.
import { EventEmitter, type TextDocument, Uri, ViewColumn, type Webview, type WebviewPanel, window } from 'vscode';
import type { PageParts } from './page';
import { questions, type PropertyID } from './protocol';

/** What a page is about: a circuit, or a property of it. */
export interface Subject {
  uri: string;
  property?: PropertyID;
}

export const proofScheme = 'aiglens-proof';
export const historyScheme = 'aiglens-history';
export const schemeOf = (question: string) => `aiglens-${question}`;

const aboutFiles = new Set([historyScheme, ...questions.filter(({ about }) => about === 'file').map(({ name }) => schemeOf(name))]);

/** What a text is about; undefined where it is no page. */
export function subjectOf({ scheme, query }: Uri): Subject | undefined {
  if (aboutFiles.has(scheme)) return { uri: Uri.parse(query).toString() };
  if (scheme !== proofScheme) return undefined;
  const [uri, property] = JSON.parse(query) as [string, PropertyID];
  return { uri: Uri.parse(uri).toString(), property };
}

/** The open panels, and what each is about now. */
const panels = new Map<WebviewPanel, () => Subject | undefined>();

const changes = new EventEmitter<void>();
/** Another panel is active, or none any more. */
export const onDidChangeSubject = changes.event;

/** Has the commands that are given in a panel be about its circuit. */
export function isAbout(panel: WebviewPanel, subject: () => Subject | undefined): void {
  panels.set(panel, subject);
  panel.onDidChangeViewState(() => changes.fire());
  panel.onDidDispose(() => panels.delete(panel));
}

/** What the active page is about; undefined where another editor is active. */
export function activeSubject(): Subject | undefined {
  if (window.activeTextEditor !== undefined) return subjectOf(window.activeTextEditor.document.uri);
  for (const [panel, subject] of panels) if (panel.active) return subject();
  return undefined;
}

/** Opens a text about a circuit beside it, where the pages are that are in view. */
export async function showPage(document: TextDocument, circuit: ViewColumn | undefined): Promise<void> {
  const there = window.visibleTextEditors.find((editor) => subjectOf(editor.document.uri) !== undefined)?.viewColumn;
  await window.showTextDocument(document, { preview: true, viewColumn: there ?? (circuit === undefined ? ViewColumn.Beside : circuit + 1) });
}

/** What a page of a bundle is made of. Allows it that, and nothing else of the extension. */
export function partsOf(webview: Webview, extension: Uri, bundle: string, ...before: string[]): PageParts {
  const folder = Uri.joinPath(extension, 'dist');
  webview.options = { enableScripts: true, localResourceRoots: [folder] };
  const address = (name: string) => webview.asWebviewUri(Uri.joinPath(folder, name)).toString();
  return { scripts: [...before, bundle].map((name) => address(`${name}.js`)), style: address(`${bundle}.css`), source: webview.cspSource, nonce: nonce() };
}

function nonce(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
