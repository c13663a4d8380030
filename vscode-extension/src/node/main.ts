// The entry where VS Code runs extensions in Node: package.json, main.
import type { ExtensionContext } from 'vscode';
import * as extension from '../extension';
import { nodeHost } from './host';

export const activate = (context: ExtensionContext): Promise<extension.Drawn> => extension.activate(context, (log) => nodeHost(context.extensionPath, log));
export const { deactivate } = extension;
