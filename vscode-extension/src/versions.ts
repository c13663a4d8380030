// Extension and server may come from different releases: the setting
// aiglens.server.path, and the universal package, take a program from elsewhere.
import type { Memento } from 'vscode';

/** Of a release; builds of a source tree say devel, or have the commit after v0.0.0-. */
const release = /^v?(\d+)\.(\d+)\.(\d+)$/;

/**
 * @param client version of the extension
 * @param server what the server says in its answer to initialize
 * @param program path of the server
 * @returns which is which and what to do; undefined where both are of the same release, or
 *   one is of none
 */
export function difference(client: string, server: string | undefined, program: string): string | undefined {
  const ours = release.exec(client)?.slice(1).map(Number);
  const its = release.exec(server ?? '')?.slice(1).map(Number);
  if (ours === undefined || its === undefined) return undefined;
  const first = ours.findIndex((number, i) => number !== its[i]);
  if (first < 0) return undefined;
  const isOlder = its[first]! < ours[first]!;
  const text = `The extension is of version ${ours.join('.')}, the server ${program} of version ${its.join('.')}.`;
  return `${text} What only one of them knows does not work. Update the ${isOlder ? 'server' : 'extension'}, or have aiglens.server.path name a server of the same version.`;
}

const toldKey = 'toldVersions';

/** Whether this was not the last that was said, in any window; remembers that now it is. */
export async function isNew(state: Memento, text: string): Promise<boolean> {
  if (state.get(toldKey) === text) return false;
  await state.update(toldKey, text);
  return true;
}
