// Viewers of waveforms: VaporView, which is an extension, and GTKWave. Each reads a file of its own in a temporary folder.
import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { commands, extensions, Uri } from 'vscode';
import type { Viewer, Viewers } from '../host';
import { tell } from '../telling';

const vaporView = { extension: 'lramseyer.vaporview', editor: 'vaporview.waveformViewer' };

export class InstalledViewers implements Viewers {
  private readonly folders: string[] = [];

  async find(): Promise<Viewer[]> {
    const hasVaporView = extensions.getExtension(vaporView.extension) !== undefined;
    const gtkwave = await findProgram('gtkwave');
    return [
      ...(hasVaporView ? [this.viewer('VaporView', (file) => commands.executeCommand('vscode.openWith', Uri.file(file), vaporView.editor))] : []),
      ...(gtkwave === undefined ? [] : [this.viewer('GTKWave', (file) => start(gtkwave, file))]),
    ];
  }

  dispose(): void {
    for (const folder of this.folders) void rm(folder, { recursive: true, force: true });
  }

  private viewer(label: string, open: (file: string) => Thenable<unknown>): Viewer {
    const show = async (name: string, text: string) => {
      const folder = await mkdtemp(join(tmpdir(), 'aiglens-'));
      this.folders.push(folder);
      const file = join(folder, name);
      await writeFile(file, text);
      await open(file);
    };
    return { label, show };
  }
}

/** A program of the search path; the current folder is none of its places. */
export async function findProgram(name: string, path = process.env['PATH'] ?? '', platform = process.platform): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const file = join(folder, platform === 'win32' ? `${name}.exe` : name);
    try {
      await access(file, constants.X_OK);
      return file;
    } catch {
      // not here
    }
  }
  return undefined;
}

/** Starts a program that goes on by itself. */
async function start(program: string, file: string): Promise<void> {
  const child = spawn(program, [file], { detached: true, stdio: 'ignore' });
  child.on('error', (error) => void tell('error', `${program} could not be started: ${error.message}`));
  child.unref();
}
