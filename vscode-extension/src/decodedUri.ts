// The addresses of documents that show a binary or packed file as text.
import { Uri } from 'vscode';

export const decodedScheme = 'aiglens-aig';

/** The document that shows a file. Its name tells VS Code the language. */
export function decodedUri(file: Uri): Uri {
  return file.with({ scheme: decodedScheme, path: `${file.path}.aag`, query: file.toString() });
}

/** The file that a document shows. */
export function encodedUri(document: Uri): Uri {
  return Uri.parse(document.query);
}
