// Texts that are not files, such as that of a file in the last commit, as read-only documents.
import { type Disposable, EventEmitter, Uri, workspace } from 'vscode';

const scheme = 'aiglens-earlier';

// By address, for as long as the extension runs: VS Code asks again when it shows one again.
const texts = new Map<string, string>();
const changes = new EventEmitter<Uri>();

/** The document of an earlier text of a file; which one the words say. */
export function earlierUri(file: Uri, words: string, text: string): Uri {
  const uri = Uri.from({ scheme, path: file.path, query: words });
  if (texts.get(uri.toString()) !== text) {
    texts.set(uri.toString(), text);
    changes.fire(uri);
  }
  return uri;
}

export function registerEarlier(): Disposable {
  return workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changes.event,
    provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? '',
  });
}
