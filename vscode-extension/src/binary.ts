// Which program is the server, and whether it can be started at all: the
// language client would only say that a connection failed.
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

export type Binary = { path: string } | { problem: string };

/**
 * @param extension folder of the extension, with the bundled program in bin/
 * @param configured the setting aiglens.server.path, if set
 */
export async function findBinary(
  extension: string,
  configured: string | undefined,
  platform: NodeJS.Platform = process.platform,
): Promise<Binary> {
  if (configured !== undefined && !isAbsolute(configured)) {
    return { problem: `aiglens.server.path must be an absolute path, but is "${configured}".` };
  }
  const path = configured ?? join(extension, 'bin', platform === 'win32' ? 'aiglens.exe' : 'aiglens');
  const source = configured === undefined ? 'The extension carries no server for this platform' : 'aiglens.server.path names no program';
  try {
    if (!(await stat(path)).isFile()) {
      return { problem: `${source}: ${path} is not a file.` };
    }
  } catch {
    return { problem: `${source}: there is no ${path}.` };
  }
  try {
    await access(path, constants.X_OK);
  } catch {
    return { problem: `The server ${path} is not executable.` };
  }
  return { path };
}
