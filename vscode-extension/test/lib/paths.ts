import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The checkout: the folder above this file that holds go.mod, also when this file was bundled elsewhere. */
export const root = above(__dirname);
export const extension = join(root, 'vscode-extension');

function above(folder: string): string {
  return existsSync(join(folder, 'go.mod')) ? folder : above(dirname(folder));
}
