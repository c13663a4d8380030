// How the connection to the cluster stands that is set: an item beside the language, which is
// there while one is set.
import { Disposable, type LanguageStatusItem, languages as editor, LanguageStatusSeverity } from 'vscode';
import { languages } from './formats';
import * as protocol from './protocol';
import type { Server } from './server';

export function registerCluster(server: Pick<Server, 'listen' | 'running' | 'onDidChangeState'>): Disposable {
  let item: LanguageStatusItem | undefined;
  const hide = () => {
    item?.dispose();
    item = undefined;
  };
  const show = (stands: protocol.ClusterParams) => {
    if (stands.state === 'off') return hide();
    item ??= editor.createLanguageStatusItem('aiglens.cluster', languages.map((language) => ({ language })));
    item.name = 'aiglens: Cluster';
    item.text = words(stands);
    // The hover cuts off what is longer; the link leads to the reason.
    item.detail = stands.state === 'lost' ? 'checks run here' : '';
    item.busy = stands.state === 'connecting';
    item.severity = stands.state === 'lost' ? LanguageStatusSeverity.Warning : LanguageStatusSeverity.Information;
    const tooltip = stands.state === 'lost' ? (stands.problem ?? 'it cannot be reached') : 'Settings of the cluster';
    item.command = { title: 'Settings', tooltip, command: 'workbench.action.openSettings', arguments: ['aiglens.cluster'] };
  };
  return Disposable.from(
    server.listen(protocol.cluster, show),
    server.onDidChangeState(() => {
      if (server.running === undefined) hide();
    }),
    new Disposable(hide),
  );
}

function words({ state, nodes = 0 }: protocol.ClusterParams): string {
  if (state === 'connecting') return 'Cluster: connecting…';
  if (state === 'lost') return 'Cluster: not connected';
  if (nodes === 0) return 'Cluster: no node works';
  return `Cluster: ${nodes} ${nodes === 1 ? 'node works' : 'nodes work'}`;
}
