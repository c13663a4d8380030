// Offers agents of the editor the tools of `aiglens mcp`: the program that is also the
// language server, with the folders that are open.
import { Disposable, EventEmitter, lm, McpStdioServerDefinition, workspace } from 'vscode';
import type { Host } from './host';
import type { Server } from './server';

// What VS Code has since 1.101, as far as it is used here.
declare module 'vscode' {
  export const McpStdioServerDefinition: undefined | (new (label: string, command: string, args: string[], env: Record<string, string>, version?: string) => object);
  export namespace lm {
    const registerMcpServerDefinitionProvider: undefined | ((id: string, provider: McpServerDefinitionProvider) => Disposable);
  }
  export interface McpServerDefinitionProvider {
    onDidChangeMcpServerDefinitions: Event<void>;
    provideMcpServerDefinitions(): Promise<object[]>;
  }
}

/** As package.json names it: VS Code accepts no other. */
const provider = 'aiglens';

export function registerAgents({ program }: Pick<Host, 'program'>, server: Pick<Server, 'version'>): Disposable {
  // An editor that is built on VS Code may have no models at all.
  const register = (lm as typeof lm | undefined)?.registerMcpServerDefinitionProvider;
  if (register === undefined || program === undefined) return new Disposable(() => {});
  const changed = new EventEmitter<void>();
  const tell = () => changed.fire();
  return Disposable.from(
    changed,
    register(provider, { onDidChangeMcpServerDefinitions: changed.event, provideMcpServerDefinitions: () => definitions(program, server) }),
    workspace.onDidChangeWorkspaceFolders(tell),
    workspace.onDidGrantWorkspaceTrust(tell),
    workspace.onDidChangeConfiguration((change) => {
      if (['aiglens.agents', 'aiglens.server.path'].some((section) => change.affectsConfiguration(section))) tell();
    }),
  );
}

/** The server for all folders of this machine, or none. */
async function definitions(find: NonNullable<Host['program']>, server: Pick<Server, 'version'>): Promise<object[]> {
  if (allowed().length === 0) return [];
  const version = await server.version;
  const program = await find();
  // Only now: VS Code keeps the answer that comes last, whichever was asked for first.
  const folders = allowed().flatMap((folder) => ['--folder', folder]);
  if (McpStdioServerDefinition === undefined || 'problem' in program || folders.length === 0) return [];
  return [new McpStdioServerDefinition('aiglens', program.path, ['mcp', ...folders], {}, version)];
}

/** The folders that agents may read. */
function allowed(): string[] {
  if (!workspace.isTrusted || !workspace.getConfiguration('aiglens').get('agents.enabled', true)) return [];
  return (workspace.workspaceFolders ?? []).flatMap(({ uri }) => (uri.scheme === 'file' ? uri.fsPath : []));
}
