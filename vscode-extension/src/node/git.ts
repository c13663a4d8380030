// Git, as comparisons with the last commit run it: in trusted folders only, and with nothing that
// the repository configures for texts.
import { execFile } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { type Uri, workspace } from 'vscode';
import { Refusal } from '../refusal';

const largest = 1 << 30;
const patience = 30_000;

/** The bytes of a file in a commit, without filters, textconv or hooks. */
export function blobIn(commit: string, file: Uri): Promise<Uint8Array> {
  return git(file, ['cat-file', 'blob', `${commit}:./${basename(file.fsPath)}`]);
}

/** The hash of the last commit of the repository that a file is in. */
export async function lastCommit(file: Uri): Promise<string> {
  return textOf(await git(file, ['rev-parse', 'HEAD']));
}

/**
 * The folder in which git keeps HEAD and the index of the tree that a file is in.
 *
 * @throws Refusal when there is none, in words that say why
 */
export async function gitFolder(file: Uri): Promise<string> {
  return textOf(await git(file, ['rev-parse', '--absolute-git-dir']));
}

/** The line that git has written. */
export function textOf(said: Uint8Array): string {
  return new TextDecoder().decode(said).replace(/\r?\n$/, '');
}

/** What git says in the folder of a file; it reads the input. */
export function git(file: Uri, args: string[], input = ''): Promise<Uint8Array> {
  const name = basename(file.fsPath);
  if (!workspace.isTrusted) throw new Refusal('the last commit is looked up in trusted folders only');
  if (file.scheme !== 'file') throw new Refusal(`${name} is not a file on this machine, so it is in no commit`);
  const options = {
    encoding: 'buffer' as const,
    maxBuffer: largest,
    timeout: patience,
    windowsHide: true,
    env: { ...process.env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' },
  };
  return new Promise((resolve, reject) => {
    const child = execFile(gitPath(), ['-C', dirname(file.fsPath), ...args], options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Refusal(whyNot(name, error, stderr.toString())));
    });
    child.stdin?.on('error', () => undefined); // git has ended before it has read all
    child.stdin?.end(input);
  });
}

/** The program of the setting git.path, which belongs to the machine; it may be a list. */
function gitPath(): string {
  const set = workspace.getConfiguration('git').get<unknown>('path');
  const first: unknown = Array.isArray(set) ? set[0] : set;
  return typeof first === 'string' && first !== '' ? first : 'git';
}

/** Why git gives no blob, in words for the user. */
export function whyNot(name: string, error: { code?: unknown; killed?: boolean }, stderr: string): string {
  if (error.code === 'ENOENT') return 'git is not installed, or not on the PATH; the setting git.path names it';
  if (error.killed === true) return 'git gave no answer in time';
  if (/not a git repository/i.test(stderr)) return `${name} is in no git repository`;
  if (/exists on disk, but not in|does not exist/i.test(stderr)) return `${name} is not in the last commit: it is not tracked, or had another name`;
  if (/not a valid object name|invalid object name|unknown revision|bad revision/i.test(stderr)) return 'the repository has no commit yet';
  const line = stderr.trim().split('\n')[0] ?? '';
  return `git refuses: ${line.replace(/^fatal: /, '') || String(error.code)}`;
}
