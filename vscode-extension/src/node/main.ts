// The entry where VS Code runs extensions in Node: package.json, main.
import type { ExtensionContext } from 'vscode';
import * as extension from '../extension';
import { nodeHost } from './host';

export const activate = (context: ExtensionContext): Promise<extension.Drawn> => extension.activate(context, nodeHost(context.extensionPath));
export const { deactivate } = extension;
