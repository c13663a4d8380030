// Which program is the server, and whether it can be started at all: the
// language client would only say that a connection failed.
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { Problem } from '../host';

export type Binary = { path: string } | Problem;

/** How to get a server where the extension brings none. */
export const howToGet =
  'Install the package of the extension for this platform, or put the program aiglens of a release, or what "go install ./cmd/aiglens" makes of a clone, on the PATH, or name it in the setting aiglens.server.path.';

/**
 * @param extension folder of the extension, with the bundled program in bin/ unless it is the
 *   universal package, for which the program is looked for on the PATH
 * @param configured the setting aiglens.server.path, if set
 * @param search the PATH
 */
export async function findBinary(
  extension: string,
  configured: string | undefined,
  platform: NodeJS.Platform = process.platform,
  search = process.env.PATH ?? '',
): Promise<Binary> {
  if (configured !== undefined && !isAbsolute(configured)) {
    return { problem: `aiglens.server.path must be an absolute path, but is "${configured}".` };
  }
  const name = platform === 'win32' ? 'aiglens.exe' : 'aiglens';
  const path = configured ?? join(extension, 'bin', name);
  const isFile = await fileAt(path);
  if (isFile === undefined) {
    if (configured !== undefined) return { problem: `aiglens.server.path names no program: there is no ${path}.` };
    const found = await onPath(name, search, platform);
    return found !== undefined ? { path: found } : { problem: `The extension contains no server for this platform: there is no ${path}, and no aiglens on the PATH. ${howToGet}` };
  }
  if (!isFile) {
    const source = configured === undefined ? 'The extension contains no server for this platform' : 'aiglens.server.path names no program';
    return { problem: `${source}: ${path} is not a file.` };
  }
  return (await isExecutable(path)) ? { path } : { problem: `The server ${path} is not executable.` };
}

/** Whether it is a file; undefined where there is nothing. */
async function fileAt(path: string): Promise<boolean | undefined> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return undefined;
  }
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A relative folder of the PATH would let the folder that is open choose the program. */
async function onPath(name: string, search: string, platform: NodeJS.Platform): Promise<string | undefined> {
  for (const folder of search.split(platform === 'win32' ? ';' : ':')) {
    const path = join(folder, name);
    if (isAbsolute(folder) && (await fileAt(path)) && (await isExecutable(path))) return path;
  }
  return undefined;
}
